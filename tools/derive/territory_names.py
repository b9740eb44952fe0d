"""Further names of countries, made from CLDR: abbreviations, short forms, and German cases.

"EUA", "EE. UU.", "Statele Unite", "Vereinigten Staaten", "Niederlanden": the tables of countries
have each name as it stands at the beginning of a line. CLDR says of each name which language it is
in, so its abbreviations, and the cases of names of several words, can be made by the grammar of
that language. A name of several words in a language with many cases is kept as it is, with the
language: the geoparser compares the beginnings of its words.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tools.derive.features import KnownName
from tools.derive.pins import LOCALE_NAMES
from tools.derive.sources import Library, format_rows, header_of, record_rows, write_xz

from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.tables import AreaRow, read_table
from geoscout_places.language import shipped_languages

_OTHER_CODES = {"nb": "no"}
_SHORTEST = 3  # letters of an abbreviation; two are a word somewhere
_MANY_PEOPLE = 10_000_000  # the names of smaller lands begin with "Territory" and the like
_FEW = 2  # countries whose names begin with the same word: "States", but not "Republic"
_OF = re.compile(r" (?:ale|of|von|de|del|da|do|d[’']|van|av|af) ?")
_ABBREVIATION = re.compile(r"[^\W\d_](?:[.\s-]{0,2}[^\W\d_]){2,6}\.?")
_LEFT_OUT = re.compile(r"[(),–/]| - ")
_PHRASE = "p"  # flag of a name that the geoparser inflects by itself


def territories(library: Library) -> Iterator[tuple[str, str, str, str]]:
    """Language, country, variant and name of every country in CLDR, in our languages."""
    codes = {one.code for one in shipped_languages()}
    for path, text in library.read_ending(LOCALE_NAMES, "/territories.json"):
        locale = path.split("/")[-2]
        language = _OTHER_CODES.get(locale, locale)
        tree = json.loads(text)["main"][locale]["localeDisplayNames"]["territories"]
        for key, name in tree.items() if language in codes else ():
            country, _, variant = key.partition("-")
            if country.isalpha() and not _LEFT_OUT.search(name):
                yield language, country, variant, name


def abbreviations(name: str) -> Iterator[str]:
    """The ways to write an abbreviation.

    >>> list(abbreviations("EE. UU.")), list(abbreviations("UK")), list(abbreviations("Chine"))
    (['EE. UU.', 'EE.UU.', 'EEUU'], [], [])
    """
    letters = re.sub(r"[^\w]", "", name)
    if len(letters) >= _SHORTEST and letters.isupper() and _ABBREVIATION.fullmatch(name):
        yield from dict.fromkeys((name, name.replace(" ", ""), letters))


def german_cases(name: str) -> Iterator[str]:
    """A German name behind prepositions and articles, as far as it changes.

    >>> list(german_cases("Vereinigtes Königreich")), list(german_cases("Niederlande"))
    (['Vereinigten Königreich', 'Vereinigte Königreich', 'Vereinigten Königreichs', \
'Vereinigtem Königreich'], ['Niederlanden'])
    >>> list(german_cases("Vereinigte Arabische Emirate"))
    ['Vereinigten Arabischen Emiraten', 'Vereinigten Arabischen Emirate', \
'Vereinigter Arabischer Emirate']
    """
    *adjectives, noun = name.split(" ")
    adjective = re.compile(r"[A-ZÄÖÜ][a-zäöüß]+(?:es|e)")
    if not noun.isalpha() or not all(map(adjective.fullmatch, adjectives)):
        return
    stems = [re.sub("(?:es|e)$", "", word) for word in adjectives]

    def form(ending: str, last: str) -> str:
        return " ".join([*(stem + ending for stem in stems), last])

    if not adjectives:
        if noun.endswith(("lande", "inseln")) and not noun.endswith("n"):
            yield noun + "n"
    elif adjectives[0].endswith("es"):
        yield from (form("en", noun), form("e", noun), form("en", noun + "s"), form("em", noun))
    elif noun.endswith("e"):
        yield from (form("en", noun + "n"), form("en", noun), form("er", noun))
    else:
        yield from (form("en", noun), form("er", noun))


def short_forms(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names of a language that say what they are of, with the part before it.

    >>> names = ["Statele Unite ale Americii", "Republica X ale Y", "Republica A", "Republica B"]
    >>> list(short_forms(names))
    [('Statele Unite ale Americii', 'Statele Unite')]
    """
    firsts = Counter(name.split(" ")[0] for name in names)
    for name in names:
        head = _OF.split(name, maxsplit=1)[0]
        if head != name and " " in head and firsts[head.split(" ")[0]] <= _FEW:
            yield name, head


def name_rows(
    found: Sequence[tuple[str, str, str, str]], countries: Mapping[str, AreaRow]
) -> Iterator[KnownName]:
    """The rows of the table: those without a language are names like any other."""
    by_language: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for language, country, _, name in found:
        by_language[language].append((country, name))
    cased = {one.code for one in shipped_languages() if _has_cases(one.names)}
    for language, named in by_language.items():
        shorts = dict(short_forms([name for _, name in named]))
        for country, name in named:
            row = countries.get(country)
            if row is None:
                continue
            short = shorts.get(name, "") if int(row.population or 0) >= _MANY_PEOPLE else ""
            made = [*abbreviations(name), *([short] if short else ())]
            if language == "de":
                made += german_cases(name)
                made += german_cases(short) if short else ()
            for form in made:
                yield KnownName(int(row.id), "", form, "")
            for phrase in (name, short) if language in cased else ():
                if " " in phrase:
                    yield KnownName(int(row.id), language, phrase, _PHRASE)


def _has_cases(names: object) -> bool:
    return any(getattr(names, kind) for kind in ("case_swaps", "stem_swaps", "place_endings"))


def derive(library: Library, out: Path) -> None:
    """Write ``names.countries.tsv.xz``."""
    areas = list(read_table(out / "areas.tsv.xz", AreaRow))
    countries = {area.code: area for area in areas if area.kind == "country"}
    known = {
        (int(area.id), fold(name))
        for area in countries.values()
        for name in (area.name, *area.names.split("|"), *area.codes.split("|"))
    }
    rows = {
        (row.id, row.language, row.name): row
        for row in name_rows(list(territories(library)), countries)
        if row.language or (row.id, fold(row.name)) not in known
    }
    ordered = [rows[key] for key in sorted(rows)]
    table = format_rows(header_of(KnownName), record_rows(ordered))
    size = write_xz(out / "names.countries.tsv.xz", table)
    print(f"names.countries: {len(ordered):,} rows, {size:,} bytes", file=sys.stderr)
