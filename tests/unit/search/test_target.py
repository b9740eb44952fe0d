"""Filters: how they are read, and which pages they let pass."""

from datetime import UTC, datetime

import pytest

from geoscout.index.base import Evidence, PageFilters
from geoscout.search.base import Question
from geoscout.search.documents import StatedLandmark, date_of, landmarks_of
from geoscout.search.engine import SearchEngine
from geoscout.search.target import FilterTexts, read_filters
from geoscout_places.errors import UnknownPlaceError, UsageError
from geoscout_places.parse import parse_html

GERMAN = """<html lang="de-AT"><head><title>Museum</title>
<script type="application/ld+json">{"@type": "Article", "datePublished": "2001-09-08"}</script>
</head><body><h1>Das Museum</h1>
<p>Das Museum ist in Wien, und es ist nicht klein.</p></body></html>"""
ENGLISH = """<html lang="en"><head><title>Museum</title></head><body><h1>The museum</h1>
<p>The museum of this town is at the river and it is open.</p>
<p>Kärntner Straße 12, 1010 Wien, Austria</p></body></html>"""
STATED = """<html lang="en"><head><title>Museum shop</title>
<script type="application/ld+json">{"@type": "Museum", "name": "House of Clocks",
"geo": {"@type": "GeoCoordinates", "latitude": 48.2101, "longitude": 16.3702}}</script>
</head><body><p>The shop of the museum sells what the others do not.</p></body></html>"""
PAGES = {
    "http://www.museum.example/de": GERMAN,
    "http://museum.example/": ENGLISH,
    "http://shop.example/": STATED,
}


@pytest.fixture(scope="module")
def museums(make_engine):
    """Three pages, fetched one second after the other."""
    return make_engine(PAGES)


def found(engine: SearchEngine, **filters: object) -> list[str]:
    question = Question("museum", filters=PageFilters(**filters))
    return sorted(hit.url for hit in engine.answer(question).hits)


@pytest.mark.parametrize(
    ("filters", "urls"),
    [
        ({"language": "de"}, ["http://www.museum.example/de"]),
        ({"language": "en-GB"}, ["http://museum.example/", "http://shop.example/"]),
        ({"host": "shop.example"}, ["http://shop.example/"]),
        ({"host": "museum.example"}, ["http://museum.example/", "http://www.museum.example/de"]),
        ({"host": "www.museum.example"}, ["http://www.museum.example/de"]),
        ({"since": 1e9 + 1}, ["http://museum.example/", "http://shop.example/"]),
        ({"before": 1e9 + 1}, ["http://www.museum.example/de"]),
        ({"dated_before": 1e9}, ["http://www.museum.example/de"]),
        ({"dated_since": 1e9}, []),
        ({"evidence": Evidence.ADDRESS}, ["http://museum.example/"]),
        ({"evidence": Evidence.MARKUP}, ["http://shop.example/"]),
        ({"evidence": Evidence.NAME, "language": "de"}, ["http://www.museum.example/de"]),
    ],
)
def test_only_pages_that_pass_are_found(museums, filters, urls):
    assert found(museums, **filters) == urls


def test_filters_alone_are_a_question(museums):
    answer = museums.answer(Question("", filters=PageFilters(host="shop.example")))

    assert [hit.url for hit in answer.hits] == ["http://shop.example/"]


def test_filters_that_leave_nothing_are_offered_to_be_dropped(museums):
    answer = museums.answer(Question("museum", filters=PageFilters(host="nowhere.example")))

    assert (answer.hits, answer.offers[0].keeps_filters) == ((), False)
    assert (answer.offers[0].text, answer.offers[0].pages) == ("museum", 3)


def test_a_language_that_no_page_has_is_told(museums):
    answer = museums.answer(Question("museum", filters=PageFilters(language="fi")))

    assert "no page is in the language 'fi'; there are en, de" in answer.interpretation.notes


def test_hits_tell_their_date_and_host(museums):
    answer = museums.answer(Question("museum", filters=PageFilters(language="de")))

    day = datetime(2001, 9, 8, tzinfo=UTC).timestamp()
    assert [(hit.dated_at, hit.host) for hit in answer.hits] == [(day, "www.museum.example")]
    assert answer.languages == {"de": 1, "en": 2}


def test_a_place_that_is_not_there_is_an_error(museums):
    with pytest.raises(UnknownPlaceError, match="id:123456789012"):
        museums.answer(Question("museum", place_id=123456789012))


def test_texts_are_read():
    given = FilterTexts("de", "https://Museum.example/a", "2026-01-31", "", "", "", "Address")

    day = datetime(2026, 1, 31, tzinfo=UTC).timestamp()
    assert read_filters(given) == PageFilters(
        "de", "museum.example", since=day, evidence=Evidence.ADDRESS
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (FilterTexts(language="German!"), "a language is a code such as 'de'"),
        (FilterTexts(host="two words"), "a host is a name such as"),
        (FilterTexts(since="yesterday"), "since is a day such as 2026-01-31"),
        (FilterTexts(dated_before="2026-13-01"), "dated-before is a day"),
        (FilterTexts(evidence="hearsay"), "evidence is one of address, name, markup"),
    ],
)
def test_texts_that_cannot_be_read_are_refused(given, told):
    with pytest.raises(UsageError, match=told):
        read_filters(given)


@pytest.mark.parametrize(
    ("head", "day"),
    [
        ('<meta property="article:modified_time" content="1970-01-02T00:00:00Z">', 86400.0),
        ('<meta property="article:published_time" content="soon">', 0.0),
        ('<script type="application/ld+json">{"@type": "Event", "startDate": "1970-01-02"}', 0.0),
        ("", 0.0),
    ],
)
def test_date_of_a_page_is_what_it_says_of_itself(head, day):
    html = f"<html><head><title>A</title>{head}</head><body>A page</body></html>"

    assert date_of(parse_html(html.encode(), "http://a.example/", "text/html")) == day


def test_landmarks_are_named_things_with_coordinates():
    page = parse_html(STATED.encode(), "http://a.example/", "text/html")

    assert landmarks_of(page) == (StatedLandmark("House of Clocks", 48.2101, 16.3702),)
