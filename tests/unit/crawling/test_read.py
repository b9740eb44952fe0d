"""What a reader makes of a response.

What the strategy notes of links, where pages are read.
"""

from dataclasses import replace

import pytest
from msgspec import structs

from geoscout.crawling import read
from geoscout.crawling.read import LinkNotes, Reader, read_page, sort_links
from geoscout.crawling.read_result import ReaderOptions, ReadResult
from geoscout.state.changes import read_again
from geoscout.store.records import unpack_links, unpack_page
from geoscout.strategy import Source, StrategyAim
from geoscout.strategy.filters import BINARY, Filters
from geoscout.strategy.hybrid.strategy import create
from geoscout_places.gazetteer import Region, SqliteGazetteer
from geoscout_places.model import (
    Link,
    Outline,
    Page,
    Point,
    RelevanceRule,
    Request,
    RequestKind,
    Response,
)
from tests.geocoders import run_geocoder
from tests.homes import home_with_gazetteer

HTML = b"""<html lang=en><title>The Inn</title><nav><a href=/menu>Menu</a></nav>
<p>We are in Austin, Texas. <a href="http://far.example/" rel=nofollow>Far</a></p>
<address>12 Main Street, Austin, TX 78701</address>"""
INN = b"<title>Corner Inn</title><h1>Corner Inn</h1><p>12 Main Street, Austin, TX 78701"
NOTHING = b"<title>404 Not Found</title><p>There is no such page."


def respond(body: bytes, url: str = "http://inn.example/") -> Response:
    return Response(
        url, 200, (("content-type", "text/html"),), body, "192.0.2.1", fetched_at=1e9, seconds=0.1
    )


def test_page_with_an_address_in_the_region_is_relevant_and_has_its_links(reader):
    """Those that may be followed, and all of them for the store; its text, and no blocks."""
    result = reader.read(respond(HTML))
    packed, whole = result.exchange.links, read_page(respond(HTML)).page

    assert result.relevant
    assert [address.postcode for address in result.reading.addresses] == ["78701"]
    assert [link.url for link in result.links] == ["http://inn.example/menu"]
    assert result.refused == {"nofollow": 1}
    assert packed.number == 2
    assert [link.anchor for link in unpack_links(packed.packed)] == ["Menu", "Far"]
    assert (result.page.title, result.page.text) == (whole.title, whole.text)
    assert (result.page.blocks, result.page.links) == ((), ())


def test_addresses_of_the_region_are_read_before_the_first_page(task, monkeypatch):
    countries: list[str] = []
    monkeypatch.setattr(read, "read_examples", lambda _, asked: countries.extend(asked))

    Reader(task).warm_up()

    assert countries == ["US"]


def test_the_first_links_of_a_page_are_followed_and_the_others_counted(task):
    body = b"".join(b"<p><a href=/%d>A page</a></p>" % number for number in range(5_007))

    result = Reader(task).read(respond(body))

    assert [link.url.rpartition("/")[2] for link in result.links] == [str(n) for n in range(5_000)]
    assert result.refused == {"too many on a page": 7}
    assert result.exchange.links.number == 5_007


@pytest.mark.usefixtures("gazetteer")
@pytest.mark.parametrize(("status", "is_moved"), [(200, True), (500, False)])
def test_geocoder_places_addresses_and_a_failing_one_changes_nothing(
    tmp_path, settings, status, *, is_moved
):
    known = {"12 Main Street, 78701 Austin, TX, US": (30.2711, -97.7437, 30)}
    with run_geocoder(known) as service:
        service.status = status
        home = str(home_with_gazetteer(tmp_path, settings))
        chosen = replace(settings, home=home, geocoder=service.setting)
        reader = Reader(ReaderOptions(chosen, ("Austin",), "test", RelevanceRule.ABOUT))
        result = reader.read(respond(HTML))
        reader.read(respond(HTML))
        reader.close()

    assert result.relevant
    assert len(service.asked) == 1
    assert (result.reading.addresses[0].point == Point(30.2711, -97.7437)) is is_moved


def test_without_the_setting_nobody_is_asked(reader, gazetteer):
    address = reader.read(respond(HTML)).reading.addresses[0]

    assert address.point in [row.point for row in gazetteer.postcodes("US", "78701")]


@pytest.mark.parametrize("body", [INN, HTML, b"", b"<a href='tel:1'>A page without an address"])
def test_page_is_kept_as_it_was_read(task, body):
    exchange = Reader(task).read(respond(body)).exchange
    again = read_again(respond(body))
    unkept = Reader(replace(task, settings=replace(task.settings, keep_pages=False)))

    assert exchange is not None
    assert exchange.links is not None
    kept = unpack_page(exchange.page, exchange.links.packed)
    assert kept is not None
    bare = tuple(link_as_kept(link) for link in again.page.links)
    assert kept.page == structs.replace(again.page, links=bare)
    assert kept.outline in (again.outline, Outline())
    assert bool(kept.outline.headings) == (body == INN)
    without = unkept.read(respond(body)).exchange
    assert (without and without.page, without and without.links) == (b"", exchange.links)


def link_as_kept(link: Link) -> Link:
    return structs.replace(link, before="", after="", tag_path="", start=-1, end=-1)


def test_what_is_remembered_of_a_url_is_neither_for_other_filters_nor_for_nofollow():
    plan = Link("http://inn.example/Plan.zip")
    unwanted = Link(plan.url, rel=("nofollow",))

    for _ in range(2):
        assert sort_links((plan, plan), Filters(binary=False)) == ((plan,), {})
        assert sort_links((plan,), Filters(binary=True)) == ((), {BINARY: 1})
        assert sort_links((unwanted,), Filters(binary=False)) == ((), {"nofollow": 1})
        assert sort_links((Link("mailto:a@b.c"),)) == ((), {"not http": 1})


def test_entities_have_keys_if_entries_are_read(reader, task):
    reading = Reader(replace(task, entities=True))
    elsewhere = INN.replace(b"Austin, TX 78701", b"Boston, MA 02108")

    assert len(reading.read(respond(INN)).entities) == 1
    assert reading.read(respond(elsewhere)).entities == ()
    assert reader.read(respond(INN)).entities is None


PAGE = "http://a.test/list"
LINKS = (
    Link("http://b.test/austin", "Inns in Austin", before="All the", tag_path="body/ul/li/a"),
    Link("http://c.test/news", "News"),
)
LINKED = b"<title>Inns</title><p>All the <a href=/austin>Inns in Austin</a> and more of them.</p>"
SITEMAP = b"<urlset><url><loc>http://a.test/austin</loc></url></urlset>"


@pytest.fixture(scope="module")
def notes(task, gazetteer):
    return made(replace(task, strategy="hybrid", needs_texts=False), gazetteer)


def made(options: ReaderOptions, gazetteer: SqliteGazetteer) -> LinkNotes:
    return LinkNotes(options, Region.parse(options.region, gazetteer), gazetteer)


def respond_as(body: bytes, kind: str) -> Response:
    return Response(PAGE, 200, (("content-type", kind),), body, "", fetched_at=0.0, seconds=0.0)


def test_strategy_scores_noted_links_as_it_would_have_read_them(notes, gazetteer):
    aim = StrategyAim(Region.parse("Austin, TX", gazetteer), gazetteer)
    source = Source(Request(PAGE), Page.empty(PAGE), relevant=True)

    noted = notes.add_to(ReadResult(links=LINKS), PAGE).links

    assert all(link.features and not link.anchor and not link.before for link in noted)
    by_notes = create(aim).score(source, noted)
    assert by_notes == create(aim).score(source, LINKS)


def test_texts_are_kept_for_those_who_need_them(task, gazetteer):
    notes = made(replace(task, strategy="hybrid"), gazetteer)

    noted = notes.add_to(ReadResult(links=LINKS), PAGE).links

    assert [link.anchor for link in noted] == ["Inns in Austin", "News"]
    assert all(link.features for link in noted)


def test_words_are_told_when_they_are_met_first(task, gazetteer):
    notes = made(replace(task, strategy="hybrid"), gazetteer)

    first, again = (notes.add_to(ReadResult(links=LINKS), PAGE).words for _ in range(2))

    assert {"anchor:inns", "path:austin", "host:b"} <= set(first)
    assert again == ()


@pytest.mark.parametrize("strategy", ["", "breadth"])
def test_other_strategies_read_links_themselves(strategy, task, gazetteer):
    notes = made(replace(task, strategy=strategy, needs_texts=False), gazetteer)
    result = ReadResult(links=LINKS)

    assert notes.add_to(result, PAGE) == result


@pytest.mark.parametrize(
    ("body", "media", "kind"),
    [(LINKED, "text/html", RequestKind.PAGE), (SITEMAP, "text/xml", RequestKind.SITEMAP)],
)
def test_links_of_pages_and_sitemaps_are_noted(body, media, kind, task):
    reader = Reader(replace(task, strategy="hybrid", needs_texts=False))

    result = reader.read(respond_as(body, media), kind)

    assert [link.url for link in result.links] == ["http://a.test/austin"]
    assert result.links[0].features
    assert "path:austin" in result.words
