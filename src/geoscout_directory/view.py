"""A directory as a table for people, and its update with a bar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from geoscout.cli.show.search_view import printable
from geoscout.cli.show.terminal import indexing, print_table
from geoscout.settings import Settings
from geoscout.store.records import date_text
from geoscout_directory.contacts import shown_phone
from geoscout_directory.formats import change_text
from geoscout_directory.listing.finding import ListedEntry, Listing
from geoscout_directory.listing.keeping import update_listing
from geoscout_directory.records import DirectoryEntry, MapStatus, address_line
from geoscout_directory.updating import DirectoryUpdate
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Precision

_SHOWN_FROM = 1000  # changes; fewer are followed before a bar is drawn
_WIDEST = 44  # characters of a cell


def print_entries(
    entries: Iterable[ListedEntry], count: int, listing: Listing, *, explain: bool
) -> None:
    """Print the first of `count` entries, how many there are, and from how many pages."""
    shown = list(entries)
    if explain:
        for listed in shown:
            print("\n".join(_explained(listed, listing)) + "\n")
    else:
        columns = ("name", "address", "telephone", "category", "website", "pages>")
        of_map = ("map", "object") if any(listed.entry.map for listed in shown) else ()
        print_table("", (*columns, *of_map), [_row(listed.entry) for listed in shown])
    more = f", the first {len(shown):,} shown" if len(shown) < count else ""
    state = listing.state()
    made_of = f" (of {state.entries:,}, from {state.pages:,} pages)" if state else ""
    print(f"{count:,} {'entry' if count == 1 else 'entries'}{more}{made_of}")


def _row(entry: DirectoryEntry) -> tuple[str, ...]:
    phone = shown_phone(entry.phones[0]) if entry.phones else ""
    category = entry.categories[0].partition("=")[2] if entry.categories else ""
    website = entry.website.partition("://")[2].rstrip("/")
    pages = str(len({said.url for said in entry.said}))
    cells = (entry.name, address_line(entry), phone, category, website)
    return (*(_cut(printable(cell)) for cell in cells), pages, *_map_cells(entry))


def _map_cells(entry: DirectoryEntry) -> tuple[str, ...]:
    match = entry.map
    if match is None:
        return ()
    fields = ", ".join(change.field for change in match.changes)
    return (f"{match.status}: {fields}" if fields else str(match.status), printable(match.osm_id))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _explained(listed: ListedEntry, listing: Listing) -> Iterator[str]:
    entry = listed.entry
    yield printable(f"{entry.name}  [{listed.id}]")
    facts = (
        address_line(entry),
        ", ".join(map(shown_phone, entry.phones)),
        ", ".join(entry.mails),
        entry.hours,
        ", ".join(entry.categories),
        entry.website,
    )
    yield from (f"  {printable(fact)}" for fact in facts if fact)
    for said in entry.said:
        own = ", its own site" if said.is_own else ""
        yield printable(f"  said by {said.url} ({said.evidence}{own}): {said.name}")
    for reason in entry.reasons:
        yield printable(f"  merged {reason.one} and {reason.other}: {reason.why}")
    for found in entry.contradictions:
        values = "; ".join(f"{value} ({url})" for value, url in found.values)
        yield printable(f"  pages disagree on {found.field}: {values}")
    yield f"  first seen {_day(listed.first_seen)}, last seen {_day(listed.last_seen)}"
    story = listing.story(listed.id)
    for change in story.history if story else ():
        what = f"{change.field}: {change.before} → {change.after}" if change.field else change.what
        yield printable(f"  {_day(change.at)} {what}")
    yield from map(printable, _explained_map(entry))


def _day(at: float) -> str:
    return date_text(at)[:10]


def _explained_map(entry: DirectoryEntry) -> Iterator[str]:
    match = entry.map
    if match is None:
        return
    if match.osm_id:
        yield f"  in the map as {match.osm_id}: {match.why} (sum {match.score:g})"
    else:
        yield "  not in the map"
    for change in match.changes:
        yield f"  the map differs in {change_text(change)}"
    if match.lacks:
        yield f"  the map lacks {', '.join(match.lacks)}"
    if match.located_by:
        yield f"  its point is that of {match.located_by}"


def joined_summary(entries: Sequence[DirectoryEntry], exact_before: int) -> str:
    """How many entries the map has, and how many have an exact point by it."""
    counts = Counter(entry.map.status for entry in entries if entry.map)
    told = ", ".join(f"{counts[status]:,} {status}" for status in MapStatus)
    exact = sum(entry.precision is Precision.HOUSE for entry in entries)
    return f"{told}; {exact:,} have the point of a house, {exact_before:,} before"


def update_directory(
    where: Path | str, gazetteer: Gazetteer, settings: Settings, *, persons: bool | None = None
) -> DirectoryUpdate:
    """Bring the directory of a crawl up to date, and show how far it is where there is much.

    `persons` None keeps names of people if the directory has them.
    """
    with ExitStack() as stack:
        bars: list[Callable[[int, int], None]] = []

        def progress(done: int, total: int) -> None:
            if total < _SHOWN_FROM:
                return
            if not bars:
                bars.append(stack.enter_context(indexing()))
            bars[0](done, total)

        return update_listing(
            where, gazetteer, settings=settings, persons=persons, progress=progress
        )
