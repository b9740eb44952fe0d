"""The features of links by the kernel are those of the arrays, whatever stands in links."""

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout.strategy.hybrid.link_features import FeatureReader
from geoscout.strategy.named_places import Cue
from geoscout.strategy.terms import term_number
from geoscout_places.gazetteer.automaton import capitalised
from geoscout_places.model import Link, Part
from geoscout_places.toponyms.short_texts import pack_small_words

WORDS = ["in", "de", "rio", "foo_in", "in_foo", "#nigeria", "o'neil,and", "von", "3rd", "Of", "\n"]
PAGE = "http://www.example.org/list"
plain = st.text(st.characters(max_codepoint=127), max_size=60)
odd = st.sampled_from(["a" * 90, "x\x1cy z", "Ünter _", "-"])
texts = st.one_of(plain, st.text(max_size=30), odd)
paths = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=60)
hosts = st.sampled_from(["example.org", "www.b.test:8080", "xn--mnchen-3ya.de", "10.0.0.1"])
urls = st.one_of(
    st.builds("http://{}/{}".format, hosts, paths),
    st.sampled_from(["http://c.test", "http://c.test/%C3%9Cber%20uns?a=%zz", "http://c.test/a//b/?q=/x"]),
)  # fmt: skip
links = st.builds(
    Link, urls, anchor=texts, title=texts, alt=texts, before=texts, after=texts,
    tag_path=st.sampled_from(["", "body/ul/li/a"]), part=st.sampled_from(Part),
)  # fmt: skip


class ChanceCues:
    """Cues that depend on nothing but the texts of a link."""

    def of_links(self, links: list[Link]) -> list[tuple[Cue, ...]]:
        numbers = [term_number(link.url + link.anchor) for link in links]
        return [tuple(Cue(n >> 3 * k & 7) for k in range(4)) for n in numbers]


@settings(deadline=None, max_examples=150)
@given(
    links=st.lists(links, min_size=1, max_size=6),
    window=st.sampled_from([0, 3]),
    without=st.sets(st.sampled_from(["host", "path", "anchor", "around", "list", "part"])),
)
def test_features_by_the_kernel_are_those_of_the_arrays(terms, links, window, without):
    assert terms
    reader = FeatureReader(ChanceCues(), window, without)  # type: ignore[arg-type]

    assert reader.note(PAGE, links) == reader.read_by_arrays(PAGE, links).pack()


def test_words_are_told_by_both(terms, monkeypatch):
    assert terms
    one = Link("http://b.test/austin/%C3%9Cber", "Inns, Saint-Étienne!")
    told = []
    for native in ("1", "0"):
        monkeypatch.setenv("GEOSCOUT_NATIVE", native)
        reader = FeatureReader(None, 0)
        reader.note(PAGE, [one, one])
        told.append(sorted(reader.take_words()))
        reader.note(PAGE, [one])
        assert reader.take_words() == ()

    assert told[0] == told[1]
    assert {"anchor:inns", "anchor:saintétienne", "path:über", "path:austin"} <= set(told[0])


def test_a_link_of_many_words_is_read(terms):
    assert terms
    reader = FeatureReader(None, 0)
    one = Link("http://b.test/", " ".join(f"w{n % 5000}" for n in range(20_000)))

    assert reader.note(PAGE, [one]) == reader.read_by_arrays(PAGE, [one]).pack()


@pytest.mark.parametrize(
    ("hosts", "cues", "lists"),
    [([], bytes(4), [1]), ([b""], bytes(3), [1]), ([b""], bytes(4), []), ([b""], b"\x08" * 4, [1])],
)
def test_kernel_refuses_what_does_not_fit(terms, hosts, cues, lists):
    numbers = [0] * 8
    packer = terms.LinkPacker([], lambda *_: b"", numbers, [numbers] * 4, True, True)

    with pytest.raises(ValueError, match=r"each link|such cue"):
        packer.pack([], ["http://b.test/"], hosts, cues, array("I", lists), array("I", [1]), (1, 2))


@settings(deadline=None)
@given(st.one_of(plain, st.lists(st.sampled_from(WORDS)).map(" ".join)))
def test_words_are_raised_as_in_texts(terms, text):
    assert terms.raise_words(text, pack_small_words()) == capitalised(text)
