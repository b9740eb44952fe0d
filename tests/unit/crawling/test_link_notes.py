"""What the strategy notes of links, where pages are read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geoscout.crawling.link_notes import LinkNotes
from geoscout.crawling.read import Reader
from geoscout.crawling.read_result import ReaderOptions, ReadResult
from geoscout.strategy import Source, StrategyAim
from geoscout.strategy.hybrid.options import Habits
from geoscout.strategy.hybrid.strategy import create
from geoscout_places.gazetteer import Region, SqliteGazetteer
from geoscout_places.model import Link, Page, Request, RequestKind, Response

PAGE = "http://a.test/list"
LINKS = (
    Link("http://b.test/austin", "Inns in Austin", before="All the", tag_path="body/ul/li/a"),
    Link("http://c.test/news", "News"),
)
HTML = b"<title>Inns</title><p>All the <a href=/austin>Inns in Austin</a> and more of them.</p>"
SITEMAP = b"<urlset><url><loc>http://a.test/austin</loc></url></urlset>"


@pytest.fixture(scope="module")
def notes(task: ReaderOptions, gazetteer: SqliteGazetteer) -> LinkNotes:
    return made(replace(task, strategy="hybrid", needs_texts=False), gazetteer)


def made(options: ReaderOptions, gazetteer: SqliteGazetteer) -> LinkNotes:
    return LinkNotes(options, Region.parse(options.region, gazetteer), gazetteer)


def respond(body: bytes, kind: str) -> Response:
    return Response(PAGE, 200, (("content-type", kind),), body, "", fetched_at=0.0, seconds=0.0)


def test_strategy_scores_noted_links_as_it_would_have_read_them(
    notes: LinkNotes, gazetteer: SqliteGazetteer
) -> None:
    aim = StrategyAim(Region.parse("Austin, TX", gazetteer), gazetteer)
    source = Source(Request(PAGE), Page.empty(PAGE), relevant=True)

    noted = notes.add_to(ReadResult(links=LINKS), PAGE).links

    assert all(link.features and not link.anchor and not link.before for link in noted)
    by_notes = create(aim, Habits(explore=0.0)).score(source, noted)
    assert by_notes == create(aim, Habits(explore=0.0)).score(source, LINKS)


def test_texts_are_kept_for_those_who_need_them(
    task: ReaderOptions, gazetteer: SqliteGazetteer
) -> None:
    notes = made(replace(task, strategy="hybrid"), gazetteer)

    noted = notes.add_to(ReadResult(links=LINKS), PAGE).links

    assert [link.anchor for link in noted] == ["Inns in Austin", "News"]
    assert all(link.features for link in noted)


def test_words_are_told_when_they_are_met_first(
    task: ReaderOptions, gazetteer: SqliteGazetteer
) -> None:
    notes = made(replace(task, strategy="hybrid"), gazetteer)

    first, again = (notes.add_to(ReadResult(links=LINKS), PAGE).words for _ in range(2))

    assert {"anchor:inns", "path:austin", "host:b"} <= set(first)
    assert again == ()


@pytest.mark.parametrize("strategy", ["", "breadth"])
def test_other_strategies_read_links_themselves(
    strategy: str, task: ReaderOptions, gazetteer: SqliteGazetteer
) -> None:
    notes = made(replace(task, strategy=strategy, needs_texts=False), gazetteer)
    result = ReadResult(links=LINKS)

    assert notes.add_to(result, PAGE) == result


@pytest.mark.parametrize(
    ("body", "media", "kind"),
    [(HTML, "text/html", RequestKind.PAGE), (SITEMAP, "text/xml", RequestKind.SITEMAP)],
)
def test_links_of_pages_and_sitemaps_are_noted(
    body: bytes, media: str, kind: RequestKind, task: ReaderOptions
) -> None:
    reader = Reader(replace(task, strategy="hybrid", needs_texts=False))

    result = reader.read(respond(body, media), kind)

    assert [link.url for link in result.links] == ["http://a.test/austin"]
    assert result.links[0].features
    assert "path:austin" in result.words
