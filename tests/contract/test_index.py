"""What every index promises: candidates by words, places and cells; counts; rows for ranking."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from geoscout.index import Document, PlaceEvidence, Spot
from geoscout.index.base import (
    ADDRESS,
    DIRECT,
    MAIN,
    PART,
    Evidence,
    Index,
    KnownSpot,
    PageFilters,
    PlaceField,
    Wanted,
    Where,
    WritableIndex,
)
from geoscout.index.reader import IndexReader
from geoscout.index.schema import cover, mark_of
from tests.unit.index.documents import (
    ALFAMA,
    CAPITAL,
    EUROPE,
    IBERIA,
    LISBON,
    LISBON_POINT,
    PORTO,
    PORTO_POINT,
    PORTUGAL,
    document,
    open_writer,
)

NEW = document("http://new.example/")


@dataclass
class Kept:
    """An index somewhere, and the way to change it."""

    open: Callable[[], Index]
    change: Callable[[], WritableIndex]

    def write(self, *documents: Document, cursor: str = "1") -> Index:
        writer = self.change()
        for each in documents:
            writer.add(each)
        writer.commit(cursor)
        writer.close()
        return self.open()


@pytest.fixture
def kept(tmp_path):
    """An empty index."""
    return Kept(lambda: IndexReader(tmp_path), lambda: open_writer(tmp_path))


@pytest.fixture
def index(kept):
    """Four pages, of three towns."""
    mention = (PlaceEvidence(LISBON, mentions=1),)
    addressed = (PlaceEvidence(PORTO, 0.5, 1, has_address=True),)
    return kept.write(
        document("http://lisbon.example/", "pizza and pasta", language="pt", anchor="eat"),
        document("http://alfama.example/", "old pizza", ALFAMA),
        document("http://porto.example/", "Pízzas by the river", PORTO, places=addressed),
        document("http://mention.example/", "pasta", places=mention, spots=()),
    )


def hosts(index: Index, wanted: Wanted) -> list[str]:
    found = index.find(wanted, 10)
    assert found.total == len(found.slots) == len(found.scores) == index.count(wanted)
    return sorted(index.head(int(slot)).url.split(".")[0][7:] for slot in found.slots)


def slots(index: Index, *names: str) -> np.ndarray:
    return np.array([index.slot_of(f"http://{name}.example/") for name in names], np.int64)


def test_all_words_are_demanded_or_any(index):
    words = (("pizza",), ("pasta",))

    assert hosts(index, Wanted(words)) == ["lisbon"]
    assert hosts(index, Wanted(words, needs_all=False)) == ["alfama", "lisbon", "mention"]


def test_words_have_neither_case_nor_accents(index):
    assert list(index.words_of("Pízzas, by the River!")) == ["pizzas", "by", "the", "river"]
    assert (index.pages_with("pizzas"), index.pages_with("never")) == (1, 0)


def test_other_forms_of_a_word_are_found(index):
    assert index.with_forms("pizza") == ("pizza", "pizzas")
    assert hosts(index, Wanted((index.with_forms("pizza"),))) == ["alfama", "lisbon", "porto"]


def test_words_may_be_demanded_without_counting(index):
    assert hosts(index, Wanted((("pizza",),), named=("old",))) == ["alfama"]


def test_what_contains_a_place_inherits_its_pages(index):
    assert hosts(index, Wanted(where=(Where((LISBON,)),))) == ["alfama", "lisbon", "mention"]
    assert hosts(index, Wanted(where=(Where((LISBON,), field=PlaceField.DIRECT),))) == [
        "lisbon",
        "mention",
    ]
    assert hosts(index, Wanted(where=(Where((LISBON,), field=PlaceField.STRONG),))) == [
        "alfama",
        "lisbon",
    ]
    assert (index.pages_at(EUROPE), index.pages_at(PORTO), index.pages_at(99)) == (4, 1, 0)
    assert (index.pages_addressed_at(PORTUGAL), index.pages_addressed_at(LISBON)) == (1, 0)


def test_pages_of_some_places_can_be_left_out(index):
    assert hosts(index, Wanted(without=(LISBON,))) == ["porto"]


def test_cells_find_what_is_around(index):
    where = Where(cells=tuple(cover(LISBON_POINT, 50)))

    assert hosts(index, Wanted(where=(where,))) == ["alfama", "lisbon"]


def test_preferred_pages_come_first_whatever_their_words(index):
    wanted = Wanted((("pizza", "pizzas"),), preferred=(Where((PORTO,)),))

    first = index.find(wanted, 1)

    assert index.head(int(first.slots[0])).url == "http://porto.example/"
    assert first.total == 3


def test_title_counts_more_than_text(kept):
    index = kept.write(
        document("http://text.example/", "museum and some words", title="Other"),
        document("http://title.example/", "some words", title="Museum"),
    )

    best = index.find(Wanted((("museum",),)), 1).slots[0]
    assert index.head(int(best)).url == "http://title.example/"


def test_places_are_counted_with_what_they_contain(index):
    counts = index.count_places(Wanted((("pizza",),)))

    assert counts == {EUROPE: 2, PORTUGAL: 2, LISBON: 2, ALFAMA: 1, IBERIA: 2}


def test_without_wishes_everything_fits(index):
    assert (len(hosts(index, Wanted())), index.page_count) == (4, 4)


def test_page_is_found_by_its_url_with_what_is_shown_of_it(index):
    (slot,) = slots(index, "lisbon")
    head = index.head(int(slot))

    assert (head.url, head.title, head.language, head.anchor) == (
        "http://lisbon.example/", "A title", "pt", "eat",
    )  # fmt: skip
    assert (head.visit, head.fetched_at) == (1, 1e9)
    assert index.text(int(slot)) == "pizza and pasta"
    assert index.word_counts(int(slot))["pizza"] == 1
    assert index.slot_of("http://nowhere.example/") is None


def test_places_of_pages_are_rows_with_their_owners(index):
    rows = index.places_of(slots(index, "mention", "porto"))

    found = zip(rows.owners.tolist(), rows.places.tolist(), rows.flags.tolist(), strict=True)
    assert sorted(found) == [
        (0, IBERIA, PART), (0, EUROPE, 0), (0, PORTUGAL, 0), (0, LISBON, DIRECT),
        (1, IBERIA, PART | ADDRESS), (1, EUROPE, ADDRESS),
        (1, PORTUGAL, ADDRESS), (1, PORTO, DIRECT | ADDRESS),
    ]  # fmt: skip


def test_places_can_be_asked_for_by_id(index):
    rows = index.places_at(slots(index, "mention", "lisbon", "alfama"), (LISBON, PORTO))

    found = zip(rows.owners.tolist(), rows.places.tolist(), rows.flags.tolist(), strict=True)
    assert sorted(found) == [(0, LISBON, DIRECT), (1, LISBON, DIRECT | MAIN), (2, LISBON, MAIN)]
    assert rows.shares.tolist() == pytest.approx([0.0, 0.8, 0.8])


def test_main_places_and_points_are_known(index):
    asked = slots(index, "mention", "alfama", "porto")
    spots = index.spots_of(asked)

    assert index.main_places(asked).tolist() == [0, ALFAMA, 0]
    assert spots.owners.tolist() == [1, 2]
    assert spots.latitudes.tolist() == pytest.approx(
        [LISBON_POINT.latitude, PORTO_POINT.latitude], abs=1e-4
    )
    assert spots.strengths.tolist() == [1.0, 1.0]


def test_pages_of_a_host_and_copies_of_a_text_have_the_same_sign(kept):
    text = "a long text about the museums of the town and how to get there"
    index = kept.write(
        document("http://a.example/1", text), document("http://a.example/2", "something else"),
        document("http://b.example/1", text),
    )  # fmt: skip
    urls = ("http://a.example/1", "http://a.example/2", "http://b.example/1")
    signs = index.signs_of(np.array([index.slot_of(url) for url in urls], np.int64))

    assert signs.hosts[0] == signs.hosts[1] != signs.hosts[2]
    assert signs.texts[0] == signs.texts[2] != signs.texts[1]


def test_more_words_make_a_longer_vector(kept):
    index = kept.write(
        document("http://a.example/", "few"), document("http://b.example/", "many more words here")
    )

    short, long = index.lengths_of(slots(index, "a", "b")).tolist()
    assert 0 < short < long


def test_page_replaces_the_one_of_its_url(kept):
    kept.write(document("http://a.example/", "pizza old"))
    index = kept.write(document("http://a.example/", "pizza new"))

    (slot,) = slots(index, "a")
    assert (index.page_count, index.text(int(slot))) == (1, "pizza new")


def test_page_is_removed_and_one_that_never_was_is_no_error(kept, index):
    writer = kept.change()
    writer.remove("http://lisbon.example/")
    writer.remove("http://never.example/")
    writer.commit("2")
    writer.close()

    assert hosts(kept.open(), Wanted((("pizza",),))) == ["alfama"]


def test_what_is_not_committed_is_lost(kept, index):
    writer = kept.change()
    writer.add(NEW)
    writer.close()

    again = kept.change()
    assert (kept.open().slot_of(NEW.url), again.cursor) == (None, "1")
    again.close()


def test_reader_goes_on_to_the_newest_commit_when_it_is_told_to(kept, index):
    before = index.edition
    writer = kept.change()
    writer.add(NEW)
    writer.commit("2")
    writer.close()
    unseen = (index.page_count, index.cursor, index.edition)

    assert unseen == (4, "1", before)
    assert index.reload()
    assert not index.reload()
    assert (index.page_count, index.cursor) == (5, "2")
    assert index.edition != before


def test_a_page_may_have_points_without_a_place(kept):
    spot = Spot(PORTO_POINT, 0.9)
    index = kept.write(document("http://a.example/", places=(), spots=(spot,)))

    assert index.places_of(slots(index, "a")).owners.tolist() == []
    assert index.spots_of(slots(index, "a")).owners.tolist() == [0]


def test_page_is_at_what_its_place_is_part_of_by_geowordnet(kept):
    index = kept.write(document("http://a.example/", place=ALFAMA), document("http://b.example/"))

    assert index.pages_at(IBERIA) == 2
    rows = index.places_at(np.array([index.slot_of("http://a.example/")]), [IBERIA])
    assert rows.flags.tolist() == [PART | MAIN]
    assert rows.synsets.tolist() == [13]
    assert rows.shares.tolist() == pytest.approx([0.8])


def test_places_have_their_synsets(kept):
    index = kept.write(NEW)

    rows = index.places_of(np.array([index.slot_of(NEW.url)]))
    synsets = dict(zip(rows.places.tolist(), rows.synsets.tolist(), strict=True))
    assert synsets == {LISBON: 11, PORTUGAL: 12, EUROPE: 0, IBERIA: 13}


def test_page_is_found_by_the_kind_of_the_place_it_is_about(kept):
    passing = PlaceEvidence(LISBON, 0.1, 1)
    index = kept.write(
        NEW,
        document("http://porto.example/", place=PORTO),
        document("http://passing.example/", places=(passing,)),
    )

    found = index.find(Wanted(where=(Where((CAPITAL,), field=PlaceField.KIND),)), 10)
    assert [index.head(slot).url for slot in found.slots.tolist()] == [NEW.url]


def test_pages_are_found_by_filters(kept):
    index = kept.write(
        document("http://www.a.example/", language="de-AT", evidence=(Evidence.ADDRESS,)),
        document("http://b.example/", language="en", dated_at=5e8),
    )
    chosen = (
        PageFilters(language="de"),
        PageFilters(host="a.example"),
        PageFilters(evidence=Evidence.ADDRESS),
        PageFilters(dated_since=5e8),
        PageFilters(dated_before=5e8),
        PageFilters(since=1e9 + 1),
    )
    counts = [index.count(Wanted(filters=one)) for one in chosen]

    assert counts == [1, 1, 1, 1, 0, 0]
    assert dict(index.languages()) == {"de": 1, "en": 1}


def test_places_in_passing_are_not_what_a_page_is_about(kept):
    named = (PlaceEvidence(LISBON, 0.9, is_main=True), PlaceEvidence(PORTO, 0.02, mentions=1))
    index = kept.write(document("http://a.example/", places=named))

    assert PORTO in index.count_places(Wanted())
    assert index.count_places(Wanted(), PlaceField.ABOUT) == {
        LISBON: 1,
        PORTUGAL: 1,
        EUROPE: 1,
        IBERIA: 1,
    }
    assert index.count(Wanted(where=(Where((PORTO,), field=PlaceField.ABOUT),))) == 0


def test_houses_are_known_by_their_keys(kept):
    house = KnownSpot("house a 5", LISBON, Spot(LISBON_POINT, 1.0, reach_km=0.05), "street a")
    index = kept.write(document("http://a.example/", known=(house,)))

    spots = [index.known_spots(key) for key in ("house a 5", "street a", "house a 6")]
    assert [[one.place_id for one in found] for found in spots] == [[LISBON], [LISBON], []]
    point = spots[0][0].spot.point if spots[0][0].spot else LISBON_POINT
    assert point.latitude == pytest.approx(LISBON_POINT.latitude, abs=1e-4)
    assert (index.is_known("street a"), index.is_known("street b")) == (True, False)
    where = Where((mark_of("street a"),), field=PlaceField.KNOWN)
    assert index.count(Wanted(where=(where,))) == 1


def test_traits_tell_language_and_entries(kept):
    index = kept.write(document("http://a.example/", language="pt_BR", listed=7))

    traits = index.traits_of(np.array([index.slot_of("http://a.example/")]))
    assert (traits.languages.tolist(), traits.listed.tolist()) == ([b"pt"], [7])


def test_urls_are_told_of_many_pages(kept):
    odd = 'http://a.example/"quoted"/\\'
    index = kept.write(document("http://b.example/"), document(odd))

    slots = np.array([index.slot_of(odd), index.slot_of("http://b.example/")])
    assert index.urls_of(slots) == [odd, "http://b.example/"]
