"""An answer as a list for people."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from geoscout.entries import EntryHits
from geoscout.search.base import WORDS_ONLY, Answer, Facet, Hit, Interpretation, Snippet
from geoscout.search.grouping import LEVELS

_BOLD, _UNDERLINED, _PLAIN = "\x1b[1m", "\x1b[4m", "\x1b[0m"
_ALTERNATIVES_SHOWN = 3
_FACETS_SHOWN = 5
_SIMILAR_SHOWN = 3


def print_answer(answer: Answer, entries: EntryHits | None = None) -> None:
    """Print the interpretation, entries of the directory, the hits and where the pages lie."""
    for line in _interpretation_lines(answer.interpretation):
        print(line)
    for line in _entry_lines(entries) if entries else ():
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


def printable(text: str) -> str:
    """A page's text without what could steer a terminal."""
    return "".join(c if c.isprintable() else " " for c in text)
