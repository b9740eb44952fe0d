import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from geoscout.strategy.terms import TermReader, Terms, term_number
from tests.unit.strategy.links import HERE, link

WORDS = st.text(st.sampled_from("abÄß|-,. "), max_size=30)


def test_every_field_gives_terms_of_its_own():
    found = TermReader(10).texts(
        HERE, link("http://www.bad-ems.example/Kontakt.html", "Kontakt", around="siehe | hier,")
    )

    assert found == [
        "host:bad", "host:ems", "host:example", "path:kontakt", "path:html", "anchor:kontakt",
        "around:siehe", "around:hier", "switch:other",
    ]  # fmt: skip


def test_title_counts_as_anchor():
    assert "anchor:anfahrt" in TermReader(0).texts(HERE, link(HERE, "Wege", title="Anfahrt"))


def test_subdomains_are_the_same_domain():
    assert "switch:same" in TermReader(0).texts(HERE, link("http://maps.example.org/"))


def test_window_ends_after_its_words():
    around = "one two three four | five six seven"

    found = TermReader(2).texts(HERE, link(HERE, around=around))

    assert [term for term in found if "around" in term] == [
        "around:three", "around:four", "around:five", "around:six"
    ]  # fmt: skip


def test_term_counts_once_unless_repeats_count():
    twice = link(HERE, "inn inn")

    assert TermReader(0).texts(HERE, twice).count("anchor:inn") == 1
    assert TermReader(0, repeated=True).texts(HERE, twice).count("anchor:inn") == 2


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=5), st.booleans())
def test_numbers_are_those_of_the_texts(words, repeated):
    links = [link(f"{HERE}{n}", a, around=f"{b}|{c}") for n, (a, b, c) in enumerate(words)]
    reader = TermReader(3, repeated=repeated)

    packed = reader.read(HERE, links).pack()

    for one, numbers in zip(links, packed, strict=True):
        expected = sorted(term_number(term) for term in reader.texts(HERE, one))
        assert np.frombuffer(numbers, np.uint32).tolist() == expected


def test_packed_terms_come_back():
    terms = TermReader(5).read(HERE, [link(HERE, "a b"), link("http://x.example/y")])

    again = Terms.unpack(terms.pack())

    assert again.numbers.tolist() == terms.numbers.tolist()
    assert again.starts.tolist() == terms.starts.tolist()


def test_numbers_can_be_named():
    reader = TermReader(5)
    one = link("http://inn.example:8080/a%20b/c", "Inn!", around="the | house")
    terms = reader.read(HERE, [one])

    names = reader.names()

    assert {names[number] for number in terms.numbers.tolist()} == set(reader.texts(HERE, one))
