from __future__ import annotations

import pytest

from geoscout.strategy.filters import (
    BINARY,
    LANGUAGE,
    TLD,
    filters_for,
    is_abroad,
    is_binary,
    languages_of,
    url_language,
)

GERMANY = frozenset({"DE"})


@pytest.mark.parametrize(
    "path", ["plan.pdf", "a/b/photo.JPG", "film.mp4?download=1", "v1.2/archive.tar.gz", "feed.xml"]
)
def test_files_that_are_no_pages_are_known_by_their_end(path: str) -> None:
    assert is_binary(f"http://example.org/{path}")


@pytest.mark.parametrize(
    "path", ["", "index.html", "page.php?file=plan.pdf", "v1.zip/page", "kontakt", "a.b"]
)
def test_pages_are_not_taken_for_files(path: str) -> None:
    assert not is_binary(f"http://example.org/{path}")


@pytest.mark.parametrize("host", ["example.de", "example.com", "example.info", "example.tv"])
def test_own_and_open_domains_are_asked(host: str) -> None:
    assert not is_abroad(f"http://{host}/", GERMANY)


@pytest.mark.parametrize("host", ["example.co.uk", "example.fr", "www.example.pl"])
def test_domains_of_other_countries_are_abroad(host: str) -> None:
    assert is_abroad(f"http://{host}/", GERMANY)


def test_address_has_no_country() -> None:
    assert not is_abroad("http://192.0.2.1/", GERMANY)


@pytest.mark.parametrize(
    ("url", "language"),
    [
        ("http://fr.example.org/", "fr"),
        ("http://example.org/en-GB/hotels", "en"),
        ("http://example.org/page?id=3&lang=pl", "pl"),
        ("http://example.org/xx/page", ""),
        ("http://example.org/page/fr/", ""),
        ("http://de.com/", ""),
        ("http://example.org/is/this", ""),
    ],
)
def test_language_is_read_from_the_url(url: str, language: str) -> None:
    assert url_language(url) == language


def test_countries_may_have_several_languages() -> None:
    assert {"de", "fr", "it"} <= languages_of("CH")


def test_only_file_types_are_refused_by_default() -> None:
    filters = filters_for(GERMANY)

    assert filters.refusal("http://example.fr/fr/plan.pdf") == BINARY
    assert filters.refusal("http://example.fr/fr/plan") is None


def test_every_filter_can_be_switched() -> None:
    filters = filters_for(GERMANY, binary=False, tlds=True, language=True)

    assert filters.refusal("http://example.de/plan.pdf") is None
    assert filters.refusal("http://example.fr/") == TLD
    assert filters.refusal("http://example.de/fr/") == LANGUAGE


def test_page_that_claims_no_language_is_not_foreign() -> None:
    filters = filters_for(GERMANY, language=True)

    assert not filters.is_foreign("")
    assert not filters.is_foreign("de-AT")
    assert filters.is_foreign("fr")
    assert not filters_for(GERMANY).is_foreign("fr")


def test_region_of_no_known_country_lets_all_languages_pass() -> None:
    assert filters_for(frozenset(), tlds=True, language=True).refusal("http://a.fr/fr/") is None
