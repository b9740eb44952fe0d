"""Derives every table: ``python -m tools.derive [--cache FOLDER] [--out FOLDER]``."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from tools.derive.areas import AreaRows, AreaSources
from tools.derive.boundaries import derive as derive_boundaries
from tools.derive.british import british
from tools.derive.countries import (
    Area,
    Country,
    CountryRows,
    make_countries,
    read_continents,
    read_country_records,
    read_demonyms,
)
from tools.derive.features import derive as derive_features
from tools.derive.frequent_words import derive as derive_frequent_words
from tools.derive.institutions import derive as derive_institutions
from tools.derive.landmarks import Landmark, read_landmarks
from tools.derive.names import fold, read_common_words
from tools.derive.pins import ADMIN_NAMES, WORDNET
from tools.derive.places import Place, read_places
from tools.derive.postal_names import SCHEMES, match_by_name
from tools.derive.postcodes import Postcode, Regions, american, canadian, german, swiss
from tools.derive.quarters import derive as derive_quarters
from tools.derive.sources import Library, SourceError, format_rows, header_of, record_rows, write_xz
from tools.derive.territory_names import derive as derive_territory_names
from tools.derive.units import Centres, read_admin_ids, read_subdivisions, read_units
from tools.derive.usps import (
    StateIndex,
    ZipCode,
    add_aliases,
    find_aliases,
    make_post_towns,
    read_zip_codes,
)
from tools.derive.word_frequencies import derive as derive_word_frequencies
from tools.derive.wordnet import derive as derive_wordnet
from tools.derive.words import derive as derive_words

DEFAULT_CACHE = Path(".cache/sources")
DEFAULT_OUT = Path("src/geoscout_places/gazetteer/data")

# Text of this many bytes stays below 1.4 MB when compressed.
_PART_BYTES = 4_000_000
# Names of US cities from this population on are not aliases of other cities.
_LARGE_CITY = 100_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the derivation; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.derive", description=__doc__)
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        derive(Library(options.cache), options.out)
    except SourceError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def derive(library: Library, out: Path) -> None:
    """Reads all sources and writes all tables, telling their sizes on standard error."""
    for old in (*out.glob("places.*.tsv.xz"), *out.glob("postcodes*.tsv.xz")):
        old.unlink()
    zip_codes = read_zip_codes(library)
    places = _with_usps(library, read_places(library), zip_codes)
    _write_places(library, places, out)
    areas = derive_areas(library, places)
    _write(out / "areas.tsv.xz", Area, areas)
    _write(out / "countries.tsv.xz", Country, make_countries(read_country_records(library)))
    _write(out / "landmarks.tsv.xz", Landmark, read_landmarks(library, places))
    derive_institutions(library, places, out)
    derive_territory_names(library, out)
    derive_features(out)
    derive_quarters(out)
    demonyms = format_rows(["demonym", "area"], read_demonyms(library, areas))
    (out / "demonyms.tsv").write_bytes(demonyms)
    _write(out / "postcodes.us.tsv.xz", Postcode, list(american(zip_codes)))
    _write(out / "postcodes.world.tsv.xz", Postcode, derive_postcodes(library, places, areas))
    derive_wordnet(library.path(WORDNET), out)
    derive_words(library.folder, out)
    derive_frequent_words(library, out)
    derive_word_frequencies(library, out)
    derive_boundaries(library.folder, out)


def derive_areas(library: Library, places: list[Place]) -> list[Area]:
    """Continents, countries, regions, districts and informal areas, in this order."""
    units = read_units(library)
    countries = read_country_records(library)
    sources = AreaSources(
        taken={place.id for place in places},
        ids=read_admin_ids(library),
        units=units,
        centres=Centres(places),
        subdivisions=read_subdivisions(library),
    )
    rows = AreaRows(sources)
    inside = rows.make_regions(library, countries)
    inside += rows.make_districts(library)
    inside += rows.make_informal(inside)
    return [
        *read_continents(library, units),
        *CountryRows(library, units, places).make(countries, inside),
        *inside,
    ]


def derive_postcodes(library: Library, places: list[Place], areas: list[Area]) -> list[Postcode]:
    """The codes of all countries but the US, sorted by country and code."""
    regions = Regions(areas)
    rows = [*canadian(library, regions), *swiss(library), *british(library, places)]
    for scheme in SCHEMES:
        matched = match_by_name(library, scheme, places, regions)
        rows += german(library, matched) if scheme.country == "DE" else matched
    return sorted(rows, key=lambda row: (row.country, row.code))


def _with_usps(library: Library, places: list[Place], zip_codes: list[ZipCode]) -> list[Place]:
    american_places = [place for place in places if place.country == "US"]
    counties = {
        (record["code"].split(".")[1], fold(record["name"])): record["code"].split(".")[2]
        for record in library.read_json(ADMIN_NAMES, "admin2.json")
        if record["code"].startswith("US.")
    }
    towns = make_post_towns(zip_codes, StateIndex(american_places), counties)
    index = StateIndex([*american_places, *towns])
    large = (place for place in american_places if place.population >= _LARGE_CITY)
    known = {fold(name) for place in large for name in (place.name, *place.names)}
    states = {fold(record["name"]) for record in library.read_json(ADMIN_NAMES, "admin1.json")}
    words = known | states | read_common_words(library)
    aliases = find_aliases(zip_codes, index, words)
    everything = add_aliases([*places, *towns], aliases)
    return sorted(everything, key=lambda place: (place.country, place.id))


def _write_places(library: Library, places: list[Place], out: Path) -> None:
    continents = {
        code: record["continentcode"].lower()
        for code, record in read_country_records(library).items()
    }
    ordered = sorted(places, key=lambda place: (continents[place.country], place.country, place.id))
    for continent, group in groupby(ordered, key=lambda place: continents[place.country]):
        for number, part in enumerate(cut(list(group), _PART_BYTES), start=1):
            _write(out / f"places.{continent}{number}.tsv.xz", Place, part)


def cut(records: Sequence[Place], most_bytes: int) -> Iterator[list[Place]]:
    """Cuts rows into parts of equal weight, each below a number of bytes as text."""
    sizes = [len("\t".join(row).encode()) + 1 for row in record_rows(records)]
    total = sum(sizes)
    part_size = total / -(-total // most_bytes)
    part: list[Place] = []
    written, end = 0, part_size
    for record, size in zip(records, sizes, strict=True):
        if written >= end:
            yield part
            part, end = [], end + part_size
        part.append(record)
        written += size
    yield part


def _write(path: Path, record_type: type, records: Sequence[object]) -> None:
    size = write_xz(path, format_rows(header_of(record_type), record_rows(records)))
    print(f"{path.name}: {len(records):,} rows, {size:,} bytes", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
