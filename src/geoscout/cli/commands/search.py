"""Search the pages of a crawl: words, a place, or words in or near a place.

Builds the search index first, or brings it up to date.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import to_builtins

from geoscout.cli.command import Command, add_option
from geoscout.cli.show.terminal import gazetteer_for, indexing, print_json, printable
from geoscout.index.base import Evidence
from geoscout.search.base import WORDS_ONLY, Answer, Facet, Hit, Interpretation, Question, Snippet
from geoscout.search.target import FilterTexts, read_filters
from geoscout.settings import Settings
from geoscout_places.errors import DamagedDataError, DamagedIndexError, UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Point

if TYPE_CHECKING:
    from geoscout.entries import EntryHits
    from geoscout.search.updating import IndexUpdate

EXAMPLE = (
    '  geoscout search crawl "pizza restaurant in Lisbon"\n'
    '  geoscout search crawl "pizza near 100 Milam Street, Houston, TX"\n'
    '  geoscout search crawl "museum near 53.14,8.21" --json\n'
    '  geoscout search crawl museum --within "Lower Saxony" --explain\n'
    '  geoscout search crawl "museum in Oldenburg" --format geojson --out museums.geojson'
)
_HITS, _MOST_HITS = 10, 10_000  # by default, and that anybody can use
_FILTERS = tuple(field.name for field in fields(FilterTexts))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument("query", nargs="+", metavar="QUERY", help='such as "pizza in Lisbon"')
    parser.add_argument(
        "--near",
        metavar="WHERE",
        help="where you are: latitude,longitude[,radius_km] or a place; a radius is a limit",
    )
    parser.add_argument(
        "--within",
        default="",
        metavar="REGION",
        help="only pages in a place, a box (west,south,east,north), a circle or a GeoJSON file",
    )
    parser.add_argument(
        "--place", type=int, metavar="ID", help="id of the place you mean; 0 for words only"
    )
    add_filters(parser)
    parser.add_argument(
        "--limit", type=int, help=f"most hits (default: {_HITS}, or {_MOST_HITS:,} with --format)"
    )
    add_option(parser, "offset", int, "hits to skip (default: 0)", default=0)
    models = ("bm25", "cosine")
    about = "how texts are scored: bm25 (default) or cosine"
    add_option(parser, "model", models, about, default="bm25")
    parser.add_argument("--explain", action="store_true", help="show how each score was computed")
    about = "no: look for pages only, not in the directory"
    add_option(parser, "entries", bool, about, default=True)
    parser.add_argument(
        "--no-update", action="store_true", help="search without updating the index"
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--json",
        action="store_true",
        help="print one JSON document: `reading` (of the query), `total`, `hits`, `facets`",
    )
    output.add_argument(
        "--format", metavar="NAME", help="write the hits as rows: geojson, csv, jsonl or parquet"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="file for --format (default: standard output)"
    )


def add_filters(parser: argparse.ArgumentParser) -> None:
    filters = parser.add_argument_group("only pages that")
    filters.add_argument("--language", default="", metavar="CODE", help="are in a language: de")
    filters.add_argument(
        "--host", default="", help="are of a host, or of one below it: museum.example"
    )
    about = "only pages that tell where they belong by an address, the name of a place, or markup"
    add_option(filters, "evidence", tuple(Evidence), about, default="")
    for name, when in (
        ("since", "were fetched on this day or later"),
        ("before", "were fetched before this day"),
        ("dated_since", "say that they are of this day or later"),
        ("dated_before", "say that they are older than this day"),
    ):
        add_option(filters, name, str, f"only pages that {when}: 2026-01-31", default="")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.cli.commands.export import write_export  # noqa: PLC0415
    from geoscout.search.presenting import answer_as_json, hits_source  # noqa: PLC0415

    if arguments.out and not arguments.format:
        raise UsageError("--out needs --format, such as geojson")
    gazetteer = gazetteer_for(settings)
    question = read_question(arguments, gazetteer)
    try:
        answer = _answer(arguments, question, gazetteer, settings)
    except DamagedIndexError as error:
        if arguments.no_update:
            raise
        print(f"{error}; that is done now", file=sys.stderr)
        from geoscout.search.updating import erase_index  # noqa: PLC0415

        erase_index(arguments.folder, settings)
        answer = _answer(arguments, question, gazetteer, settings)
    hits = _entries(arguments, question, answer, gazetteer, settings)
    if arguments.json:
        told = answer_as_json(answer, gazetteer)
        entries = [entry.as_row() for entry in hits.entries]
        found = {"entries": entries, "entries_total": hits.total, "entries_notes": hits.notes}
        print_json({**told, "facts": hits.facts, **found})
    elif arguments.format:
        source = hits_source(answer, gazetteer, question.offset)
        write_export(source, arguments.format, arguments.out)
        if answer.has_more:
            print(f"geoscout: the first {len(answer.hits):,} of more hits", file=sys.stderr)
    else:
        print_answer(answer, hits)
    return 0


def _entries(
    arguments: argparse.Namespace,
    question: Question,
    answer: Answer,
    gazetteer: Gazetteer,
    settings: Settings,
) -> EntryHits:
    from geoscout.entries import EntryHits, directory  # noqa: PLC0415 - Tantivy and numpy

    if not arguments.entries or arguments.format:
        return EntryHits()
    try:
        with closing(directory().open(arguments.folder, gazetteer, settings)) as entries:
            if not arguments.no_update:
                entries.update_if_quick()
            return entries.find(question, answer.interpretation)
    except (DamagedDataError, OSError) as error:  # pages can be found without it
        print(f"geoscout: the directory is left out: {error}", file=sys.stderr)
        return EntryHits()


def _answer(
    arguments: argparse.Namespace, question: Question, gazetteer: Gazetteer, settings: Settings
) -> Answer:
    from geoscout.search import open_engine  # noqa: PLC0415

    if not arguments.no_update:
        update(arguments.folder, gazetteer, settings)
    return open_engine(arguments.folder, gazetteer, settings).answer(question)


def read_question(arguments: argparse.Namespace, gazetteer: Gazetteer) -> Question:
    limit = arguments.limit
    if limit is None:
        limit = _MOST_HITS if arguments.format else _HITS
    if not 1 <= limit <= _MOST_HITS or arguments.offset < 0:
        raise UsageError(f"--limit is from 1 to {_MOST_HITS}, --offset not below 0")
    near, radius_km = _read_near(arguments.near, gazetteer) if arguments.near else (None, None)
    return Question(
        text=" ".join(arguments.query),
        near=near,
        radius_km=radius_km,
        within=_read_file(arguments.within),
        place_id=arguments.place,
        limit=limit,
        offset=arguments.offset,
        model=arguments.model,
        explain=arguments.explain,
        filters=read_filters(FilterTexts(**{name: getattr(arguments, name) for name in _FILTERS})),
    )


def _read_near(text: str, gazetteer: Gazetteer) -> tuple[Point, float | None]:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        return gazetteer.find(text)[0].place.point, None
    match numbers:
        case [latitude, longitude] if _is_possible(latitude, longitude):
            return Point(latitude, longitude), None
        case [latitude, longitude, radius] if _is_possible(latitude, longitude) and radius > 0:
            return Point(latitude, longitude), radius
    raise UsageError(f"--near {text} is neither latitude,longitude[,radius_km] nor a place")


def _is_possible(latitude: float, longitude: float) -> bool:
    return abs(latitude) <= 90 and abs(longitude) <= 180


def _read_file(within: str) -> str:
    """The content of a GeoJSON file; any other text as it is."""
    if not within.endswith((".json", ".geojson")):
        return within
    try:
        return Path(within).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot read {within}: {error.strerror}") from error


BROWSE = """Browse the places that the pages of a crawl belong to, from the continents down.

Prints what is above a place, and what lies right in it with the number of pages of each.
"""
BROWSE_EXAMPLE = "  geoscout browse crawl\n  geoscout browse crawl Portugal"


def add_browse_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument(
        "place", nargs="?", default="", metavar="PLACE", help="such as Portugal; continents without"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run_browse(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.search import open_engine  # noqa: PLC0415 - tantivy
    from geoscout.search.presenting import branch_json  # noqa: PLC0415
    from geoscout.search.related import branch_at  # noqa: PLC0415

    gazetteer = gazetteer_for(settings)
    found = gazetteer.find(arguments.place) if arguments.place else ()
    update(arguments.folder, gazetteer, settings)
    index = open_engine(arguments.folder, gazetteer, settings).reader
    # Of several places of the name the one with the most pages is meant: there is an index.
    here = max((c.place for c in found), key=lambda place: index.pages_at(place.id), default=None)
    branch = branch_at(index, gazetteer, here)
    if arguments.json:
        print_json(to_builtins(branch_json(branch, gazetteer)))
        return 0
    path = [place.name for place, _ in branch.above] + ([here.name] if here else [])
    print(f"{' › '.join(path) or 'everywhere'}  {branch.pages:,} pages")
    for place, pages in branch.children:
        print(f"  {pages:>8,}  {place.name} ({place.kind})")
    return 0


INDEX_EXAMPLE = "  geoscout index oldenburg\n  geoscout index oldenburg --rebuild"


INDEX = """Build the search index of a crawl and its directory, or bring them up to date.

`geoscout search` does this on its own. The index of a folder is in DIR/index; you can
delete it without loss. The directory is what `geoscout directory` lists.
"""


def add_index_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument(
        "--rebuild", action="store_true", help="delete the index and build it again"
    )
    about = "no: leave the directory as it is"
    add_option(parser, "directory", bool, about, default=True)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run_index(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.entries import directory  # noqa: PLC0415
    from geoscout.search.updating import erase_index, open_index  # noqa: PLC0415 - Tantivy

    gazetteer = gazetteer_for(settings)
    if arguments.rebuild:
        erase_index(arguments.folder, settings)
    followed = update(arguments.folder, gazetteer, settings)
    pages = open_index(arguments.folder, settings).page_count
    entries = None
    if arguments.directory:
        entries = directory().update(arguments.folder, gazetteer, settings)
    if arguments.json:
        facts = {"pages": pages, "added": followed.added, "removed": followed.removed}
        print_json({**facts, "busy": followed.busy, "entries": entries})
    elif followed.busy:
        print(f"another process is updating the index, which has {pages:,} pages so far")
    else:
        print(
            f"{pages:,} pages: {followed.added:,} added or changed, {followed.removed:,} left out"
        )
    if entries is not None and not arguments.json:
        print(f"{entries:,} entries in the directory")
    return 0


def update(where: Path | str, gazetteer: Gazetteer, settings: Settings) -> IndexUpdate:
    """Bring the index of a crawl up to date, and show how far it is where there is much to do."""
    from geoscout.search.updating import follow_crawl  # noqa: PLC0415 - Tantivy

    with indexing() as progress:
        return follow_crawl(where, gazetteer, settings=settings, progress=progress)


_BOLD, _UNDERLINED, _PLAIN = "\x1b[1m", "\x1b[4m", "\x1b[0m"
_ALTERNATIVES_SHOWN = 3
_FACETS_SHOWN = 5
_SIMILAR_SHOWN = 3


def print_answer(answer: Answer, entries: EntryHits | None = None) -> None:
    """Print the interpretation, entries of the directory, the hits and where the pages lie."""
    for line in _interpretation_lines(answer.interpretation):
        print(line)
    for line in (*_fact_lines(entries), *_entry_lines(entries)) if entries else ():
        print(line)
    about = "" if answer.total_is_exact else "about "
    print(f"{about}{answer.total:,} {'page' if answer.total == 1 else 'pages'}")
    for offer in answer.offers:
        more = " --place 0" if offer.place_id == WORDS_ONLY else ""
        more += "" if offer.keeps_filters else " without the filters"
        print(f"  try: {printable(offer.text)}{more} ({offer.pages:,} pages)")
    for number, hit in enumerate(answer.hits, 1):
        print("\n" + "\n".join(_hit_lines(number, hit)))
    if lines := list(_facet_lines(answer.facets)):
        print("\n" + "\n".join(lines))


def _interpretation_lines(interpretation: Interpretation) -> Iterator[str]:
    words = " ".join(interpretation.words) or "everything"
    yield (
        f"{words} {interpretation.relation} {interpretation.label}".rstrip()
        if interpretation.relation
        else words
    )
    others = [other for other in interpretation.alternatives if other.place is not None]
    if others:
        shown = "; ".join(
            f"{other.label} (--place {other.place.id}, {other.pages:,} pages)"
            for other in others[:_ALTERNATIVES_SHOWN]
            if other.place is not None
        )
        yield f"not: {shown}"
    yield from interpretation.notes
    if interpretation.asks_here and interpretation.point is None:
        yield "  try: --near LATITUDE,LONGITUDE or --near PLACE"


def _fact_lines(found: EntryHits) -> Iterator[str]:
    for fact in found.facts:
        state = {True: " (open)", False: " (closed)", None: ""}[fact["open"]]
        where = f"{fact['name']}, {fact['address']}" if fact["address"] else fact["name"]
        yield printable(f"  {fact['kind']} of {where}: {fact['value']}{state}")
        yield printable(f"    {fact['url']}, {(fact['fetched_at'] or '')[:10]}")
    yield from map(printable, found.notes)
    if found.facts or found.notes:
        yield ""


def _entry_lines(found: EntryHits) -> Iterator[str]:
    for entry in found.entries:
        name, told = entry.as_lines()
        yield f"  • {printable(name)}"
        if told:
            yield f"    {printable(told)}"
    if found.total > len(found.entries):
        yield f"    and {found.total - len(found.entries):,} other entries: geoscout directory"
    if found.entries:
        yield ""


def _hit_lines(number: int, hit: Hit) -> Iterator[str]:
    places = "; ".join(place.label for place in hit.places[:2])
    yield f"{number:>3}. {printable(hit.title)}"
    yield f"     {printable(hit.url)}"
    yield f"     {hit.score:.3f}  {places}".rstrip()
    if hit.snippet.text.strip():
        yield f"     {_marked(hit.snippet)}"
    if hit.explanation is not None:
        why = hit.explanation
        yield (
            f"     text {why.text:.3f} (weight {1 - why.place_weight:.2f}),"
            f" place {why.place:.3f} (weight {why.place_weight:.2f}), fit {why.fit:.2f}:"
            f" {why.reason}"
        )
        if why.kind:
            yield f"     about {why.kind} (GeoWordNet)"
    if hit.similar:
        urls = printable(", ".join(hit.similar[:_SIMILAR_SHOWN]))
        yield f"     and {len(hit.similar)} nearly the same: {urls}"
    if hit.more_of_host:
        more = f"and {hit.more_of_host} more of this host further down"
        yield f"     {more} (--host {printable(hit.host)} for them alone)"


def _facet_lines(facets: tuple[Facet, ...]) -> Iterator[str]:
    from geoscout.search.grouping import LEVELS  # noqa: PLC0415 - numpy

    for level in LEVELS:
        counted = [facet for facet in facets if facet.place.kind is level][:_FACETS_SHOWN]
        if counted:
            shown = ", ".join(f"{facet.place.name} {facet.pages:,}" for facet in counted)
            yield f"{level:>9}: {shown}"


def _marked(snippet: Snippet) -> str:
    """The snippet with its marks as a terminal shows them; plain where there is none."""
    if not sys.stdout.isatty():
        return printable(snippet.text)
    pieces, at = [], 0
    for mark in snippet.highlights:
        style = _BOLD if mark.kind == "word" else _UNDERLINED
        pieces += [printable(snippet.text[at : mark.start]), style]
        pieces += [printable(snippet.text[mark.start : mark.end]), _PLAIN]
        at = mark.end
    return "".join([*pieces, printable(snippet.text[at:])])


COMMANDS = {
    "search": Command(__doc__ or "", EXAMPLE, add_arguments, run),
    "browse": Command(BROWSE, BROWSE_EXAMPLE, add_browse_arguments, run_browse),
    "index": Command(INDEX, INDEX_EXAMPLE, add_index_arguments, run_index),
}
