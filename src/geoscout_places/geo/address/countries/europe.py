"""Addresses of Europe, most of which writes "Postcode Town" on the last line: a row a country.

A row says which letters people write before the postcode, how street lines are read, and what a
postcode looks like.
"""

import re

from msgspec.structs import replace

from geoscout_places.geo.address import continental, german_streets, romance_streets
from geoscout_places.geo.address.base import AddressFormat, Finding, Sighting, Trigger
from geoscout_places.geo.address.continental import (
    FIVE_DIGITS,
    FOUR_AND_THREE_DIGITS,
    FOUR_DIGITS,
    FOUR_DIGITS_AND_LETTERS,
    THREE_AND_TWO_DIGITS,
    TWO_AND_THREE_DIGITS,
    PostalCountry,
    postal_format,
)
from geoscout_places.geo.address.segments import Grammar, combined
from geoscout_places.geo.address.word_streets import street_grammar
from geoscout_places.geo.lazy_patterns import lazy_pattern

_GERMAN = Grammar(
    read_street=german_streets.read_street,
    read_unnumbered=german_streets.read_unnumbered,
    read_box=german_streets.read_box,
    is_unit=german_streets.is_unit,
    read_pair=german_streets.read_pair,
    most_strangers=1,
)
FRENCH = Grammar(
    read_street=romance_streets.read_street,
    read_unnumbered=romance_streets.read_unnumbered,
    read_box=romance_streets.read_box,
    is_unit=romance_streets.is_unit,
    read_pair=romance_streets.read_pair,
    most_strangers=2,
)
_SWISS = combined(FRENCH, _GERMAN)
_GERMAN_TOWNS = (german_streets.STREET_AND_TOWN,)
_FRENCH_TOWNS = (romance_streets.STREET_AND_TOWN,)

_POSTAL_COUNTRIES: tuple[tuple[PostalCountry, tuple[str, ...]], ...] = (
    # "Schwindgasse 14/6, 1040 Wien"
    (
        PostalCountry("AT", ("A", "AT", "Ö"), _GERMAN, without_code=_GERMAN_TOWNS),
        (FOUR_DIGITS,),
    ),
    # "Wetstraat 16 bus 3, 1000 Brussel"
    (
        PostalCountry(
            "BE",
            ("B", "BE"),
            combined(FRENCH, street_grammar("nl"), strangers=2),
            without_code=_FRENCH_TOWNS,
        ),
        (FOUR_DIGITS,),
    ),
    # "Bahnhofstrasse 5, CH-8001 Zürich"
    (
        PostalCountry("CH", ("CH",), _SWISS, without_code=(*_FRENCH_TOWNS, *_GERMAN_TOWNS)),
        (FOUR_DIGITS,),
    ),
    # "Jindřišská 126/15, 110 00 Praha 1"
    (
        PostalCountry("CZ", ("CZ",), street_grammar("cs"), has_rare_codes=True),
        (THREE_AND_TWO_DIGITS, FIVE_DIGITS),
    ),
    # "Hauptstr. 5, 10117 Berlin"
    (PostalCountry("DE", ("D", "DE"), _GERMAN, without_code=_GERMAN_TOWNS), (FIVE_DIGITS,)),
    # "Vesterbrogade 4 A, 2. tv., 1620 København V"
    (PostalCountry("DK", ("DK",), street_grammar("da"), has_own_words=True), (FOUR_DIGITS,)),
    # "Calle de Génova, 6, 3º B, 28004 Madrid"
    (PostalCountry("ES", ("E", "ES"), street_grammar("es")), (FIVE_DIGITS,)),
    # "Mannerheimintie 12 A 5, 00100 Helsinki"
    (
        PostalCountry("FI", ("FI", "FIN"), street_grammar("fi", "sv"), has_own_words=True),
        (FIVE_DIGITS,),
    ),
    # "Ilica 10, 10000 Zagreb"
    (PostalCountry("HR", ("HR",), street_grammar("hr")), (FIVE_DIGITS,)),
    # "1051 Budapest, Nádor utca 7."
    (
        PostalCountry(
            "HU", ("H", "HU"), street_grammar("hu"), has_street_behind=True, has_own_words=True
        ),
        (FOUR_DIGITS,),
    ),
    # "Via Giuseppe Garibaldi n. 42, 20121 Milano (MI)"; South Tyrol writes German.
    (
        PostalCountry(
            "IT",
            ("I", "IT"),
            combined(street_grammar("it"), _GERMAN, strangers=2),
            region=lazy_pattern(r"\s(?:\((?P<bracketed>[A-Z]{2})\)|(?P<plain>[A-Z]{2}))(?!\w)"),
        ),
        (FIVE_DIGITS,),
    ),
    # "Städtle 37, 9490 Vaduz"
    (PostalCountry("LI", ("FL", "LI"), _GERMAN), (FOUR_DIGITS,)),
    # "2, boulevard Royal, L-2449 Luxembourg"; its codes are also those of Austria and Switzerland,
    # whose streets look the same.
    (
        PostalCountry("LU", ("L", "LU"), _SWISS, takes_villages=False, without_code=_FRENCH_TOWNS),
        (FOUR_DIGITS,),
    ),
    # "Damrak 1-5, 1012 LG Amsterdam"
    (
        PostalCountry("NL", ("NL",), street_grammar("nl"), is_telling=True),
        (FOUR_DIGITS_AND_LETTERS,),
    ),
    # "Akershusstranda 20, 0150 Oslo"
    (PostalCountry("NO", ("N", "NO"), street_grammar("no"), has_own_words=True), (FOUR_DIGITS,)),
    # "ul. Marszałkowska 12/5, 00-624 Warszawa"
    (
        PostalCountry("PL", ("PL",), street_grammar("pl"), is_telling=True, has_rare_codes=True),
        (TWO_AND_THREE_DIGITS,),
    ),
    # "Rua Augusta, 100, 2.º Esq., 1100-053 Lisboa"
    (PostalCountry("PT", ("P", "PT"), street_grammar("pt")), (FOUR_AND_THREE_DIGITS, FOUR_DIGITS)),
    # "Storgatan 14, 114 55 Stockholm"
    (
        PostalCountry("SE", ("S", "SE"), street_grammar("sv"), has_own_words=True),
        (THREE_AND_TWO_DIGITS, FIVE_DIGITS),
    ),
    # "Slovenska cesta 5, 1000 Ljubljana"
    (
        PostalCountry("SI", ("SI", "SLO"), street_grammar("sl"), has_own_words=True),
        (FOUR_DIGITS,),
    ),
    # "Hlavná 12, 811 01 Bratislava"
    (
        PostalCountry("SK", ("SK",), street_grammar("sk"), has_rare_codes=True),
        (THREE_AND_TWO_DIGITS, FIVE_DIGITS),
    ),
)

# "12 bis, rue de la Paix, 75002 Paris". Behind the town may stand an arrondissement, or the mark of
# mail for large receivers.
_FRANCE = PostalCountry(
    "FR",
    ("F", "FR"),
    FRENCH,
    lazy_pattern(
        r"\s+(?:[0-9]{1,2}(?:er|ère|e|ème|eme|è)?(?!\w)|cedex(?:\s?[0-9]{1,2}(?!\w))?)",
        re.IGNORECASE,
    ),
    proof="cedex",
    without_code=_FRENCH_TOWNS,
)
# By the first digits of the code: countries of their own in the gazetteer, one post with France.
_OVERSEAS = {
    "971": ("GP", "BL", "MF"),
    "972": ("MQ",),
    "973": ("GF",),
    "974": ("RE",),
    "975": ("PM",),
    "976": ("YT",),
    "977": ("BL",),
    "978": ("MF",),
    "980": ("MC",),
    "986": ("WF",),
    "987": ("PF",),
    "988": ("NC",),
}
_COUNTRIES_OVERSEAS = {
    code: replace(_FRANCE, country=code, prefixes=(*_FRANCE.prefixes, code), is_telling=True)
    for codes in _OVERSEAS.values()
    for code in codes
}


def _read_french(sighting: Sighting) -> Finding | None:
    """The address around a postcode of France or of what is overseas."""
    overseas = _OVERSEAS.get(sighting.trigger[:3])
    if overseas is None:
        return continental.read(sighting, _FRANCE)
    found = [
        replace(finding, country=code)
        for code in overseas
        if (finding := continental.read(sighting, _COUNTRIES_OVERSEAS[code]))
    ]
    return min(found, key=lambda finding: finding.is_guess, default=None)


def create() -> tuple[AddressFormat, ...]:
    """The formats of these countries."""
    french = postal_format(_FRANCE)
    triggers = (Trigger(FIVE_DIGITS, _read_french), *french.triggers)
    return (
        *(postal_format(country, *patterns) for country, patterns in _POSTAL_COUNTRIES),
        replace(french, triggers=triggers, other_countries=frozenset(_COUNTRIES_OVERSEAS)),
    )
