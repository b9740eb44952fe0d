"""What every store promises to those who write a crawl and to those who read it."""

import asyncio
import io
import time

import pytest
from msgspec import structs
from msgspec.structs import replace
from warcio.archiveiterator import ArchiveIterator

from geoscout.store.base import Failure, NodeTotals, Step, StoredVisit, Topic, Totals, Visit
from geoscout.store.reader import CrawlReader
from geoscout.store.records import ReadPage, pack_exchange, pack_page
from geoscout.warc import WarcRecord
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.model import (
    Block,
    Item,
    Kind,
    Link,
    Mention,
    MentionKind,
    Outline,
    Page,
    Part,
    Place,
    Point,
    Reading,
    Request,
    RequestKind,
    ScopePlace,
)
from tests.archives import archive_bytes
from tests.contract.conftest import Kept
from tests.exports import exported
from tests.unit.store.visits import (
    ADDRESS,
    AUSTIN,
    LINK,
    PARIS,
    READING,
    TEXAS,
    USA,
    respond,
    visit,
)

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


def marked(found: Visit, mark: int) -> Visit:
    return replace(found, simhash=mark)


def at(moment: float, found: Visit) -> Visit:
    return replace(found, response=structs.replace(found.response, fetched_at=moment))


def of_node(node: str, found: Visit) -> Visit:
    return replace(found, request=structs.replace(found.request, node=node))


def read(crawl: Kept) -> CrawlReader:
    return crawl.look().reader


def test_a_visit_is_kept_as_it_was(crawl):
    crawl.write(visit(A))

    with read(crawl) as facts:
        stored = facts.visit(1)

    assert stored == StoredVisit(
        n=1, url=A, node="", status=200, relevant=True, priority=0.5, depth=2, distance=1,
        parent=A, fetched_at=1e9, seconds=0.25, address="192.0.2.1", size=8, title="A title",
        language="en", digest=pack_exchange(respond(A), "").digest, simhash=2**64 - 5,
        is_page=True, degree=0.75,
    )  # fmt: skip


def test_a_visit_that_never_was_is_none(crawl):
    with read(crawl) as facts:
        assert facts.visit(7) is None
        assert facts.visits_of(A) == []
        assert facts.places_of(7) == []


def test_visits_are_told_by_number_when_they_are_added(crawl):
    first, second = crawl.state.writer.add(visit(A)), crawl.state.writer.add(visit(B))
    crawl.commit()

    with read(crawl) as facts:
        assert [facts.visit(n).url for n in (first, second)] == [A, B]  # type: ignore[union-attr]


def test_visits_and_pages_come_in_the_order_of_time(crawl):
    crawl.write(at(30.0, visit(A)), at(10.0, visit(B)), at(20.0, visit(C)), at(10.0, visit(A)))

    with read(crawl) as facts:
        assert [found.n for found in facts.visits()] == [2, 4, 3, 1]
        assert [found.n for found in facts.visits_of(A)] == [4, 1]
        assert [found.n for found in facts.pages()] == [2, 3, 1]
        assert [link.n for link in facts.links()] == [2, 3, 1]
        assert facts.last_visits([A, B, "http://never.example/"]).keys() == {A, B}
        assert facts.last_visits([A])[A].n == 1


def test_pages_are_the_last_state_of_each_url(crawl):
    crawl.write(
        at(1.0, visit(A, b"old")),
        at(2.0, visit(B)),
        at(3.0, visit(C)),
        at(4.0, visit(A, b"new")),
        at(5.0, visit(B, b"", status=410)),
        at(6.0, visit(C, b"", status=304)),
    )

    with read(crawl) as facts:
        assert [(page.n, page.url) for page in facts.pages()] == [(3, C), (4, A)]


def test_pages_can_be_asked_for_by_their_urls(crawl):
    crawl.write(visit(A, b"old"), visit(B), visit(A, b"new"), visit(B, b"", status=404), visit(C))

    with read(crawl) as facts:
        found = facts.pages_of([A, B, "http://never.example/"])

    assert {url: page.n for url, page in found.items()} == {A: 3}


def test_pages_that_were_not_asked_for_lately_are_known(crawl):
    crawl.write(
        at(1.0, visit(A)), at(2.0, visit(B)), at(9.0, visit(B, b"", status=304)), at(3.0, visit(C))
    )

    with read(crawl) as facts:
        assert [page.url for page in facts.pages_asked_until(3.0)] == [A, C]


def test_history_of_a_page_counts_the_texts_that_it_had(crawl):
    crawl.write(
        at(1.0, marked(visit(A), 7)),
        at(2.0, marked(visit(A), 7)),
        at(3.0, visit(A, b"", status=304)),
        at(4.0, marked(visit(A), 8)),
        at(5.0, visit(B)),
        at(6.0, visit(C)),
        at(7.0, visit(C, b"", status=404)),
    )

    with read(crawl) as facts:
        found = {one.url: one for one in facts.histories()}

    assert set(found) == {A, B}
    history = found[A]
    assert (history.visits, history.changes) == (4, 1)
    assert (history.first_at, history.last_at) == (1.0, 4.0)
    assert (found[B].visits, found[B].changes) == (1, 0)


def test_the_answer_is_read_back(crawl):
    crawl.write(visit(A, b"one"), visit(B, b"one"))

    with read(crawl) as facts:
        response = facts.response(2)
        with pytest.raises(DamagedDataError, match="no visit 9"):
            facts.response(9)

    expected = respond(B, b"one")
    headers = (*expected.headers, ("content-length", "3"))
    assert response == structs.replace(expected, headers=headers)


def test_a_page_that_is_asked_for_again_has_been_seen(crawl):
    crawl.write(visit(A, b"one"))
    again = Request(A, kind=RequestKind.REVISIT)
    seen = [crawl.state.writer.seen(request) for request in (again, Request(A), Request(B))]
    found, new, never = (asyncio.run(each) for each in seen)

    assert found is not None
    assert (found.body, new, never) == (b"one", None, None)


def test_places_come_with_the_scope_first_and_the_main_one_is_known(crawl):
    crawl.write(visit(A))

    with read(crawl) as facts:
        first, second = facts.places_of(1)

    assert (first.place, first.path) == (AUSTIN, ("United States", "Texas", "Austin"))
    assert (first.mentions, first.confidence, first.score, first.is_main) == (2, 0.9, 0.8, True)
    assert (second.place, second.mentions, second.score, second.is_main) == (PARIS, 1, 0.0, False)


def test_what_is_of_the_site_is_kept_apart(crawl):
    first, *rest = READING.mentions
    mentions = (structs.replace(first, of_site=True), *rest[:1], *(
        structs.replace(mention, of_site=True) for mention in rest[1:]
    ))  # fmt: skip
    address = structs.replace(ADDRESS, of_site=True)
    reading = structs.replace(READING, mentions=mentions, addresses=(address,), points=())
    crawl.write(replace(visit(A), reading=reading))
    crawl.write(replace(visit(B), reading=structs.replace(reading, scope=())))

    with read(crawl) as facts:
        austin, paris = facts.places_of(1)
        (stored,) = facts.addresses_of(1)
        sighted = [page.point for page in facts.sightings().pages]

    assert (austin.place, austin.mentions, austin.site_mentions) == (AUSTIN, 1, 1)
    assert (paris.place, paris.mentions, paris.site_mentions) == (PARIS, 0, 1)
    assert stored.address.of_site
    assert sighted == [AUSTIN.point, ADDRESS.point]  # the site's address says least of a page


def test_pages_are_kept_as_they_were_read(crawl):
    blocks = (Block(0, 4, Part.MAIN), Block(5, 9, Part.FOOTER))
    item = Item("json-ld", ("Hotel",), (("name", "Inn"), ("geo", Item("json-ld", (), ()))))
    links = (Link(B, "Rooms"), Link(C, alt="Map"))
    page = Page(A, "Inn", "de", "Some\nText", blocks, links, items=(item,), meta=(("a", "b"),))
    kept = ReadPage(page, Outline(((1, "Inn"),), ("+49 89 1",), ("inn@a.example",)))
    response = visit(A).response
    exchange = structs.replace(pack_exchange(response, "test"), page=pack_page(kept))
    crawl.state.writer.add(replace(visit(A), page=page), exchange)
    crawl.write(visit(B))

    again = replace(visit(A), page=page, request=Request(A, kind=RequestKind.REVISIT))
    with read(crawl) as facts:
        assert facts.read_pages([1, 2, 99]) == {1: kept}
    crawl.state.writer.add(again, exchange)
    crawl.commit()

    with read(crawl) as facts:  # a page that was read again is kept once
        assert facts.read_pages([1, 2, 3]) == {3: kept}


def test_the_main_place_comes_first_though_another_has_the_larger_share(crawl):
    country = Place(
        9, "France", Kind.COUNTRY, Point(46.0, 2.0), "FR", population=0, timezone="", parent=0
    )
    scope = (ScopePlace(PARIS, (country, PARIS), 0.6), ScopePlace(country, (country,), 1.0))
    crawl.write(replace(visit(A), reading=structs.replace(READING, mentions=(), scope=scope)))

    with read(crawl) as facts:
        found = [(place.place.name, place.is_main) for place in facts.places_of(1)]

    assert found == [("Paris", True), ("France", False)]


def test_local_names_are_places_of_their_own_with_a_path(crawl):
    names = [
        Mention(0, 6, name, MentionKind.LOCAL, local_place(id, name), confidence=0.5)
        for id, name in ((-(2**52), "Avenida Palace"), (-(2**53) + 1, "Estrela Palace"))
    ]
    found = Reading((), tuple(names), (), (), around=(USA, TEXAS, AUSTIN))
    crawl.write(visit(A), replace(visit(B), reading=found))

    with read(crawl) as facts:
        paths = [place.path for place in facts.places_of(2)]
        page = [place.path for place in facts.places_of(1)]

    above = ("United States", "Texas", "Austin")
    assert sorted(paths) == [(*above, "Avenida Palace"), (*above, "Estrela Palace")]
    assert page == [above, ("Paris",)]


def local_place(id: int, name: str) -> Place:
    return Place(id, name, Kind.LANDMARK, AUSTIN.point, "US", parent=AUSTIN.id)


def test_addresses_points_and_links_are_kept(crawl):
    crawl.write(visit(A))

    with read(crawl) as facts:
        (address,) = facts.addresses()
        points = facts.points_of(1)
        (stored,) = facts.links()
        links = facts.links_of(1)

    assert address.address == structs.replace(ADDRESS, place=None)
    assert (address.url, address.place_id) == (A, AUSTIN.id)
    assert points == [(Point(30.0, -97.0), "meta")]
    assert stored.link == structs.replace(LINK, before="", after="", tag_path="")
    assert (stored.n, stored.source, list(links)) == (1, A, [stored.link])


def test_readings_and_answers_of_several_visits_come_in_one_go(crawl):
    crawl.write(visit(A, b"one"), replace(visit(B, b"two"), reading=None), visit(C, b"one"))

    with read(crawl) as facts:
        readings = facts.readings_of([1, 2, 3, 99])
        answers = dict(facts.responses([3, 2, 99]))
        of_first = (facts.places_of(1), facts.addresses_of(1), facts.points_of(1))
        none = facts.readings_of([])

    assert (readings.keys(), none) == ({1, 3}, {})
    assert (readings[1].places, readings[1].addresses, readings[1].points) == of_first
    assert {n: answer.body for n, answer in answers.items()} == {2: b"two", 3: b"one"}


def test_pages_that_link_to_a_page_are_found(crawl):
    crawl.write(visit(A), visit(B), visit(C, b"", status=404))

    with read(crawl) as facts:
        all_of_them = facts.links_to(LINK.url, 10, time.monotonic() + 60)
        first = facts.links_to(LINK.url, 1, time.monotonic() + 60)
        too_late = facts.links_to(LINK.url, 10, time.monotonic() - 1)
        none = facts.links_to("http://never.example/", 10, time.monotonic() + 60)

    assert (all_of_them.sources, all_of_them.looked_at, all_of_them.pages) == ((A, B), 2, 2)
    assert len(first.sources) == 1
    assert (too_late.sources, too_late.looked_at) == ((), 0)
    assert (none.sources, none.looked_at) == ((), 2)


def test_changes_are_followed_by_a_cursor(crawl):
    crawl.write(visit(A), visit(B))
    crawl.state.writer.add_change(1)
    crawl.commit()

    with read(crawl) as facts:
        first = facts.changes(limit=2)
        rest = facts.changes(first[-1].cursor)
        assert [(c.visit, c.url) for c in (*first, *rest)] == [(1, A), (2, B), (1, A)]
        assert facts.changes(rest[-1].cursor) == []
        assert (facts.changes_left(), facts.changes_left(first[-1].cursor)) == (3, 1)
        assert facts.last_change() == rest[-1].cursor


def test_a_crawl_without_visits_has_no_last_change(crawl):
    with read(crawl) as facts:
        assert (facts.last_change(), facts.changes(), facts.changes_left()) == ("", [], 0)


def test_a_cursor_of_somebody_else_is_refused(crawl):
    with read(crawl) as facts:
        for asked in (facts.changes, facts.growth, facts.sightings):
            with pytest.raises(UsageError, match="not a position"):
                asked("yesterday")


def test_failures_and_other_counts_are_added_up(crawl):
    for moment, kind in ((1.0, "dns"), (2.0, "timeout"), (3.0, "timeout")):
        crawl.state.writer.add_failure(Failure(Request(A), moment, kind))
    crawl.state.writer.count_all(Topic.LINKS, {"nofollow": 2, "trap": 1})
    crawl.commit()
    crawl.state.writer.count_all(Topic.LINKS, {"trap": 4})
    crawl.commit()

    with read(crawl) as facts:
        assert list(facts.tally(Topic.FAILURE).items()) == [("timeout", 2), ("dns", 1)]
        assert list(facts.tally(Topic.LINKS).items()) == [("trap", 5), ("nofollow", 2)]
        assert facts.tally(Topic.EXCHANGED) == {}
        assert facts.failures_since(2.0) == 2


def test_notes_and_what_was_learned_are_kept_and_replaced(crawl):
    crawl.state.writer.set_note("region", "Lisbon")
    crawl.state.writer.keep_model(b"first")
    crawl.commit()
    crawl.state.writer.set_note("region", "Porto")
    crawl.state.writer.keep_model(b"second")
    crawl.state.writer.keep_model(b"")
    crawl.commit()

    with read(crawl) as facts:
        assert (facts.note("region"), facts.note("other")) == ("Porto", None)
        assert facts.model() == b"second"


def test_what_is_known_of_sites_is_kept_replaced_and_forgotten(crawl):
    crawl.state.writer.keep_sites({"a.example": b"one", "b.example": b"two", "c.example": b"three"})
    crawl.write(visit(A))
    crawl.state.writer.keep_sites({"a.example": b"more", "b.example": b""})
    crawl.write(visit(B))

    with read(crawl) as facts:
        assert list(facts.sites()) == [("c.example", b"three"), ("a.example", b"more")]
        assert (facts.site("a.example"), facts.site("b.example")) == (b"more", b"")
    assert list(crawl.state.reader.sites()) == [("c.example", b"three"), ("a.example", b"more")]


def test_totals_and_growth_count_the_same(crawl):
    """A step may be one visit, or all of a commit."""
    irrelevant = replace(visit(C), relevant=False)
    crawl.write(at(5.0, visit(A)))
    crawl.write(at(9.0, visit(B, b"", status=404)), at(7.0, irrelevant))

    with read(crawl) as facts:
        totals = facts.totals()
        first = facts.growth(limit=1)
        rest = facts.growth(first[1])
        end = facts.growth(rest[1])

    assert totals == Totals(3, 2, 1, 5.0, 9.0, degrees=1.5)
    assert first[0] == [Step(1, 1, 1, 5.0)]
    assert [sum(counts) for counts in zip(*(step[:3] for step in rest[0]), strict=True)] == [
        2, 1, 0,
    ]  # fmt: skip
    assert max(step.at for step in rest[0]) == 9.0
    assert end == ([], rest[1])


def test_a_crawl_that_has_not_begun_has_empty_figures(crawl):
    with read(crawl) as facts:
        assert facts.totals() == Totals()
        assert facts.growth() == ([], "")
        assert (facts.nodes(), facts.recent(5), facts.failures_since(0.0)) == ([], [], 0)
        assert (facts.sightings().pages, facts.sightings().more) == ([], False)


def test_nodes_are_counted_by_name(crawl):
    crawl.write(
        of_node("south", visit(A)), of_node("north", visit(B, b"", status=404)),
        of_node("south", replace(visit(C), relevant=False)),
    )  # fmt: skip

    with read(crawl) as facts:
        assert facts.nodes() == [NodeTotals("north", 1, 0, 0), NodeTotals("south", 2, 2, 1)]


def test_pages_are_sighted_at_their_surest_point(crawl):
    nowhere = replace(visit(C), reading=None)
    stated = structs.replace(READING, addresses=())
    named = structs.replace(READING, addresses=(), points=())
    crawl.write(
        visit(A), nowhere, replace(visit(B), reading=stated), replace(visit(C), reading=named)
    )

    with read(crawl) as facts:
        first = facts.sightings(limit=2)
        rest = facts.sightings(first.cursor)
        end = facts.sightings(rest.cursor)

    assert [(page.n, page.point) for page in (*first.pages, *rest.pages)] == [
        (1, ADDRESS.point), (3, Point(30.0, -97.0)), (4, AUSTIN.point),
    ]  # fmt: skip
    assert (first.more, rest.more) == (True, False)
    assert (list(end.pages), end.cursor) == ([], rest.cursor)


def test_the_last_answers_come_latest_first(crawl):
    crawl.write(at(1.0, visit(A)), at(2.0, visit(B)), at(3.0, visit(C)))

    with read(crawl) as facts:
        assert facts.recent(2) == [(3.0, 0.25), (2.0, 0.25)]


def test_the_archive_can_be_had_as_one_file(crawl):
    crawl.write(visit(A, b"one"), visit(B, b"two"))

    with read(crawl) as facts:
        data = exported(facts, "pages", "warc")

    assert data.startswith(b"\x1f\x8b")


def test_the_archive_can_be_had_with_an_index_of_all_captures(crawl):
    crawl.write(visit(A, b"one"), visit(B, b"two"), visit(B, b"two"))

    with read(crawl) as facts:
        lines = exported(facts, "pages", "cdxj").splitlines()
        package = exported(facts, "pages", "wacz")

    assert [line.split()[0] for line in lines] == [b"example,a)/", b"example,b)/", b"example,b)/"]
    assert package.startswith(b"PK")


@pytest.mark.parametrize("what", ["pages", "addresses", "links", "visits"])
def test_every_store_can_be_exported(crawl, what):
    crawl.write(visit(A))

    with read(crawl) as facts:
        assert A.encode() in exported(facts, what, "jsonl")


def test_a_store_can_be_checked(crawl):
    crawl.write(visit(A, b"one"), visit(B, b"two"), visit(C, b"two"))
    told: list[tuple[int, int]] = []

    with read(crawl) as facts:
        damage = facts.damage(lambda done, in_all: told.append((done, in_all)))

    assert (damage.responses, bool(damage)) == (3, False)
    assert told[-1] == (3, 3)


def test_a_replayed_visit_keeps_the_time_of_its_archive_too(crawl):
    found = visit(A)
    found = replace(found, response=structs.replace(found.response, captured_at=8e8))
    crawl.write(found)

    with read(crawl) as facts:
        (stored,) = facts.visits()
        first, *_ = scan_bytes(facts)

    assert (stored.fetched_at, stored.captured_at, stored.answered_at) == (1e9, 8e8, 8e8)
    assert first.fields["warc-date"].startswith("1995-05-09")


def test_what_was_stored_or_changed_since_a_time_is_known(crawl):
    crawl.write(visit(A), visit(B))
    time.sleep(0.01)
    since = time.time()
    time.sleep(0.01)
    crawl.write(visit(C), visit(A, b"new"))
    crawl.state.writer.add_change(2)
    crawl.commit()

    with read(crawl) as facts:
        assert [found.n for found in facts.visits(since)] == [2, 3, 4]
        assert [found.n for found in facts.pages(since)] == [2, 3, 4]
        assert [found.n for found in facts.addresses(since)] == [2, 3, 4]
        assert [found.n for found in facts.links(since)] == [2, 3, 4]
        assert {found.about for found in facts.places(since) if found.place == AUSTIN} == {3}
        assert list(facts.pages(time.time() + 1)) == []
        assert list(facts.places(time.time() + 1)) == []


def test_places_are_counted_over_all_pages(crawl):
    of_site = replace_mentions(READING, of_site=True)
    elsewhere = structs.replace(
        READING,
        addresses=(),
        scope=(),
        mentions=(Mention(0, 5, "Texas", MentionKind.PLACE, TEXAS, confidence=0.5),),
    )
    crawl.write(visit(A, b"old"), visit(A), replace(visit(B), reading=elsewhere))
    crawl.write(replace(visit(C), reading=of_site))

    with read(crawl) as facts:
        found = [
            (place.place.name, place.mentioned_by, place.about, place.main_of, place.mentions)
            for place in facts.places()
        ]
        paths = {place.place.name: place.path for place in facts.places()}

    assert found == [("Austin", 1, 2, 2, 2), ("Texas", 1, 0, 0, 1), ("Paris", 1, 0, 0, 1)]
    assert paths["Austin"] == ("United States", "Texas", "Austin")


def replace_mentions(reading: Reading, *, of_site: bool) -> Reading:
    mentions = tuple(structs.replace(found, of_site=of_site) for found in reading.mentions)
    return structs.replace(reading, mentions=mentions)


def scan_bytes(facts: CrawlReader) -> list[WarcRecord]:
    """The responses in an archive."""
    data = archive_bytes(facts)
    found = [
        record for record in ArchiveIterator(io.BytesIO(data)) if record.rec_type == "response"
    ]
    return [
        WarcRecord({name.lower(): value for name, value in record.rec_headers.headers}, b"")
        for record in found
    ]
