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
    ("paths", "is_file"),
    [
        ("plan.pdf a/b/photo.JPG film.mp4?download=1 v1.2/archive.tar.gz feed.xml", True),
        ("index.html page.php?file=plan.pdf v1.zip/page kontakt a.b", False),
    ],
)
def test_files_that_are_no_pages_are_known_by_their_end(paths, is_file):
    assert {is_binary(f"http://example.org/{path}") for path in paths.split()} == {is_file}
    assert not is_binary("http://example.org/")


@pytest.mark.parametrize(
    ("hosts", "abroad"),
    [
        ("example.de example.com example.info example.tv 192.0.2.1", False),
        ("example.co.uk example.fr www.example.pl", True),
    ],
)
def test_domains_of_other_countries_are_abroad(hosts, abroad):
    assert {is_abroad(f"http://{host}/", GERMANY) for host in hosts.split()} == {abroad}


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
def test_language_is_read_from_the_url(url, language):
    assert url_language(url) == language


def test_countries_may_have_several_languages():
    assert {"de", "fr", "it"} <= languages_of("CH")


@pytest.mark.parametrize(
    ("chosen", "url", "refusal"),
    [
        ({}, "http://example.fr/fr/plan.pdf", BINARY),
        ({}, "http://example.fr/fr/plan", None),
        ({"binary": False, "tlds": True, "language": True}, "http://example.de/plan.pdf", None),
        ({"tlds": True, "language": True}, "http://example.fr/", TLD),
        ({"tlds": True, "language": True}, "http://example.de/fr/", LANGUAGE),
    ],
)
def test_every_filter_can_be_switched_and_only_file_types_are_refused_by_default(
    chosen, url, refusal
):
    assert filters_for(GERMANY, **chosen).refusal(url) == refusal


def test_page_that_claims_no_language_is_not_foreign():
    filters = filters_for(GERMANY, language=True)

    assert not filters.is_foreign("")
    assert not filters.is_foreign("de-AT")
    assert filters.is_foreign("fr")
    assert not filters_for(GERMANY).is_foreign("fr")


def test_region_of_no_known_country_lets_all_languages_pass():
    assert filters_for(frozenset(), tlds=True, language=True).refusal("http://a.fr/fr/") is None
