"""A page a person can look at: the text with its places highlighted, and a small map.

One self-contained file without any script. Everything that comes from the page is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from geoscout.cli.show.worldmap import draw_map
from geoscout_places.gazetteer import Gazetteer
from geoscout_places.model import Address, Mention, MentionKind, Page, Reading

Mark = tuple[int, int, str, str]  # start, end, class, what to say when pointed at

STYLE = """
:root { color-scheme: light dark; --place: #cfe8ff; --demonym: #e8e0ff; --address: #ffe3b0; }
@media (prefers-color-scheme: dark) {
  :root { --place: #164a74; --demonym: #43307a; --address: #6b4a0c; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1.5rem; max-width: 75rem; }
main { display: grid; grid-template-columns: minmax(0, 3fr) minmax(18rem, 2fr); gap: 2rem; }
@media (max-width: 50rem) { main { grid-template-columns: minmax(0, 1fr); } }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0; }
mark { color: inherit; border-radius: 3px; padding: 0 2px; background: var(--place); }
mark.demonym { background: var(--demonym); } mark.address { background: var(--address); }
svg { width: 100%; height: auto; background: #dcebf5; border-radius: 6px; }
svg .land { fill: #f4f1e8; stroke: #b7b09c; stroke-width: .6; vector-effect: non-scaling-stroke; }
svg .place { fill: #0b62a8; } svg .address { fill: #c46a00; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
td { padding: .15rem .5rem .15rem 0; vertical-align: top; } h2 { font-size: 1.05rem; }
"""


def render(page: Page, reading: Reading, gazetteer: Gazetteer) -> str:
    """The whole HTML document."""
    title = escape(page.title or page.url or "geoscout geoparse")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n<main><pre>"
        f"{_highlighted(page.text, _marks(reading, gazetteer))}</pre>\n"
        f"<div>{draw_map(reading, gazetteer)}\n{_about(reading, gazetteer)}</div></main>"
        "</body></html>"
    )


def _marks(reading: Reading, gazetteer: Gazetteer) -> list[Mark]:
    """Addresses win over the mentions inside them."""
    addresses = [_address_mark(a) for a in reading.addresses if a.end]
    mentions = [_mention_mark(m, gazetteer) for m in reading.mentions]
    return sorted(addresses) + sorted(mentions)


def _address_mark(address: Address) -> Mark:
    parts = (address.street, address.house_number, address.postcode, address.city, address.country)
    return address.start, address.end, "address", ", ".join(part for part in parts if part)


def _mention_mark(mention: Mention, gazetteer: Gazetteer) -> Mark:
    label = gazetteer.label(mention.place) if mention.place else "not resolved"
    kind = "demonym" if mention.kind == MentionKind.DEMONYM else "place"
    return mention.start, mention.end, kind, f"{label} ({mention.confidence:.0%})"


def _highlighted(text: str, marks: Iterable[Mark]) -> str:
    return "".join(_pieces(text, sorted(_apart(marks))))


def _apart(marks: Iterable[Mark]) -> Iterator[Mark]:
    """The marks without those that overlap an earlier one of the list."""
    taken: list[tuple[int, int]] = []
    for mark in marks:
        if not any(mark[0] < end and start < mark[1] for start, end in taken):
            taken.append(mark[:2])
            yield mark


def _pieces(text: str, marks: Iterable[Mark]) -> Iterator[str]:
    position = 0
    for start, end, kind, note in marks:
        yield escape(text[position:start])
        yield f'<mark class="{kind}" title="{escape(note)}">{escape(text[start:end])}</mark>'
        position = end
    yield escape(text[position:])


def _about(reading: Reading, gazetteer: Gazetteer) -> str:
    rows = "".join(
        f"<tr><td>{escape(gazetteer.label(s.place))}</td><td>{s.score:.0%}</td></tr>"
        for s in reading.scope
    )
    found = "".join(f"<tr><td>{escape(_address_mark(a)[3])}</td></tr>" for a in reading.addresses)
    return (
        f"<h2>About</h2><table>{rows or '<tr><td>no place</td></tr>'}</table>"
        f"<h2>Addresses</h2><table>{found or '<tr><td>none</td></tr>'}</table>"
    )
