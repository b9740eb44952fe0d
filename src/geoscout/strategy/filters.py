"""Links that cannot lead to a page of the region, told by their URL alone.

The fixed filters of Ahlers and Boll 2009: files that are not pages, country domains where the
region's addresses do not stand, other languages. Traps are told by `geoscout_places.urls.trap`.
Each has a name, under which the crawl counts what it left out, and each can be switched off. Those
that may lose a relevant page, because people write about places from abroad, are off unless asked
for.
"""

import re
from collections.abc import Collection
from functools import cache

from msgspec import Struct

from geoscout_places.gazetteer.tables import DATA_FOLDER, CountryRow, read_table
from geoscout_places.urls import split

BINARY, TLD, LANGUAGE = "file type", "country domain", "language"

# What browsers show or save instead of reading it as a page.
SUFFIXES = frozenset(
    "7z aac ai apk arj asf atom avi avif bin bmp bz2 cab css csv dat deb dmg doc docx dot dwg eot"
    " eps epub exe flac flv gif gpx gz ico ics img iso jar jpe jpeg jpg js json kml kmz m3u m4a m4v"
    " mid midi mkv mov mp2 mp3 mp4 mpeg mpg msi odg odp ods odt ogg ogv otf pcx pdf pkg pls png pps"
    " ppt pptx ps psd ra ram rar rm rpm rss rtf sea sit svg svgz swf tar tgz tif tiff tsv ttf"
    " vcf vcs wav webm webmanifest webp wma wmv woff woff2 xls xlsx xml xpi xz z zip zst".split()
)
# Country domains that are sold to everybody, as .com is.
OPEN_DOMAINS = frozenset(
    "ac ag ai cc co fm gg im io la li ly me mu nu pw sh st to tv vc ws".split()
)
# Codes of languages that are also words of paths: /it/ is as often computers as Italy.
_AMBIGUOUS_CODES = frozenset("am an as at be br id in io is it my no or os so to tv".split())
_CODE = r"([a-z]{2})(?:[-_][a-z]{2})?"
_LANGUAGE_HOST = re.compile(rf"{_CODE}\.[^.]+\..+")
_LANGUAGE_PATH = re.compile(rf"/{_CODE}(?:/|$)", re.IGNORECASE)
_LANGUAGE_QUERY = re.compile(rf"(?:^|&)(?:lang|language|locale|hl)={_CODE}(?:&|$)", re.IGNORECASE)


class Filters(Struct, frozen=True):
    """Which links are refused."""

    binary: bool = True  # files that are not pages
    countries: frozenset[str] = frozenset()  # whose domains may be asked; empty: all
    languages: frozenset[str] = frozenset()  # that may be read, two letters each; empty: all
    pdf: bool = False  # PDF documents are read, too

    def refusal(self, url: str) -> str | None:
        """The name of the filter that refuses a URL in normal form; None when none does."""
        if self.binary and is_binary(url) and not (self.pdf and is_pdf(url)):
            return BINARY
        if self.countries and is_abroad(url, self.countries):
            return TLD
        if self.languages and self.is_foreign(url_language(url)):
            return LANGUAGE
        return None

    def is_foreign(self, language: str) -> bool:
        """Whether a page or URL says that it is in another language; "" says nothing."""
        code = language.partition("-")[0].lower()
        return bool(self.languages and code and code not in self.languages)


def filters_for(
    countries: Collection[str],
    *,
    binary: bool = True,
    tlds: bool = False,
    language: bool = False,
    pdf: bool = False,
) -> Filters:
    """The filters of a region that lies in these countries, given by their ISO codes."""
    spoken = frozenset().union(*(languages_of(country) for country in countries))
    return Filters(
        binary,
        frozenset(countries) if tlds else frozenset(),
        spoken if language else frozenset(),
        pdf,
    )


def is_binary(url: str) -> bool:
    """Whether a URL ends like a file that is not a page.

    >>> is_binary("http://example.org/Plan.PDF?page=2"), is_binary("http://example.zip/")
    (True, False)
    """
    return _suffix(url) in SUFFIXES


def is_pdf(url: str) -> bool:
    """Whether a URL ends like a PDF document."""
    return _suffix(url) == "pdf"


def _suffix(url: str) -> str:
    """What stands after the last dot of the path's last part, in lower case."""
    path = url.partition("?")[0]
    name = path[path.rfind("/") + 1 :]
    return name.rpartition(".")[2].lower() if "." in name else ""


def is_abroad(url: str, countries: frozenset[str]) -> bool:
    """Whether a URL is of a country's domain, and that country is none of these.

    >>> is_abroad("http://example.fr/", frozenset({"DE"})), is_abroad("http://a.com/", frozenset())
    (True, False)
    """
    suffix = split(url).host.rpartition(".")[2]
    owner = _countries_by_domain().get(suffix)
    return owner is not None and suffix not in OPEN_DOMAINS and owner not in countries


def url_language(url: str) -> str:
    """The language a URL names in its host, its path or its query, two letters; "" for none.

    >>> url_language("http://example.org/fr/contact"), url_language("http://example.org/it/help")
    ('fr', '')
    """
    parts = split(url)
    found = (
        _LANGUAGE_HOST.fullmatch(parts.host)
        or _LANGUAGE_PATH.match(parts.path)
        or _LANGUAGE_QUERY.search(parts.query)
    )
    code = found[1].lower() if found else ""
    known = code in _all_languages() and code not in _AMBIGUOUS_CODES
    return code if known else ""


def languages_of(country: str) -> frozenset[str]:
    """The languages people speak in a country, as two letters; empty where unknown."""
    return _languages().get(country, frozenset())


@cache
def _languages() -> dict[str, frozenset[str]]:
    return {
        row.code: frozenset(
            tag.partition("-")[0] for tag in row.languages.split(",") if len(tag.split("-")[0]) == 2
        )
        for row in _countries()
    }


@cache
def _all_languages() -> frozenset[str]:
    return frozenset().union(*_languages().values())


@cache
def _countries_by_domain() -> dict[str, str]:
    return {row.tld.removeprefix("."): row.code for row in _countries() if row.tld}


@cache
def _countries() -> tuple[CountryRow, ...]:
    return tuple(read_table(DATA_FOLDER / "countries.tsv.xz", CountryRow))
