"""What the geoparser found, as JSON, as tables, and as a page to look at."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import cos, radians
from typing import Any

from geoscout.crawling.site_memory import SiteMemory
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Gazetteer, Region
from geoscout_places.gazetteer.areas.boundaries import country_boundaries
from geoscout_places.gazetteer.areas.shapes import Polygon, Ring
from geoscout_places.geo import Geoparser
from geoscout_places.geo.relevance import is_inside
from geoscout_places.library import as_document, document_of_line
from geoscout_places.model import Address, Mention, MentionKind, Page, Point, Reading, SiteNotes
from geoscout_places.parse.document import PDF_MARK
from geoscout_places.reading import Document, PageReader, PageReading, reading_as_json
from geoscout_places.terminal import print_json, print_reading


@dataclass(frozen=True, slots=True)
class ReadText:
    document: Document
    found: PageReading


class TextReader:
    """Parses documents and puts their readings into outward form."""

    def __init__(
        self, gazetteer: Gazetteer, region: Sequence[str] = (), *, strict_streets: bool = False
    ) -> None:
        self._gazetteer = gazetteer
        self._reader = PageReader(Geoparser(gazetteer, strict_streets=strict_streets))
        self._region = Region.parse(region, gazetteer) if region else None
        self._sites = SiteMemory()
        self._notes: deque[SiteNotes] = deque()  # of the documents that were learned from

    def document(self, content: bytes, url: str = "", *, html: bool) -> ReadText:
        """Parse and read one document."""
        document = as_document(
            content if html or content.startswith(PDF_MARK) else content.decode("utf-8", "replace"),
            url,
        )
        return ReadText(document, self._reader.read(document))

    def read_line(self, given: Mapping[str, Any]) -> dict[str, object]:
        """The reading of one line of JSON lines, with what was learned of its site.

        Where lines were learned from, all of them must be read, in the same order.
        """
        document = document_of_line(given)
        own = self._notes.popleft() if self._notes else None
        found = self._reader.read(document, self._sites.recall(document.url, without=own))
        return {"id": given.get("id"), **self.as_json(ReadText(document, found))}

    def learn_line(self, given: Mapping[str, Any]) -> None:
        """Learn of its site from one line of JSON lines."""
        document = document_of_line(given)
        notes = self._reader.notes(self._reader.read(document))
        self._sites.learn(document.url, notes)
        self._notes.append(notes)

    def as_json(self, read: ReadText) -> dict[str, object]:
        """The document's places; offsets are code points into its text."""
        reading = read.found.reading
        found = reading_as_json(reading)
        if self._region is not None:
            for row, mention in zip(found["toponyms"], reading.mentions, strict=True):
                row["inside"] = bool(mention.place and self._region.contains_place(mention.place))
            for row, address in zip(found["addresses"], reading.addresses, strict=True):
                row["inside"] = is_inside(address, self._region)
        if isinstance(read.document.body, bytes):  # who sent a text has it
            found["text"] = read.found.page.text
        return found

    def show(self, read: ReadText, shape: str) -> None:
        """Print the document in one of the forms of `--format`."""
        if shape == "json":
            print_json(self.as_json(read))
        elif shape == "html":
            print(render(read.found.page, read.found.reading, self._gazetteer))
        elif shape == "table":
            print_reading(read.found.reading, self._gazetteer)
        else:
            raise UsageError(f"no format is called {shape!r}")


WIDTH, HEIGHT = 480.0, 300.0
_MARGIN = 0.25  # of the extent of the points, on each side
_SMALLEST = 2.0  # degrees: a single town is shown with its surroundings
Frame = tuple[float, float, float, float]  # west, south, east, north

Dot = tuple[Point, str, str]  # where, class, label


def draw_map(reading: Reading, gazetteer: Gazetteer) -> str:
    """The places of a reading on the land around them; "" when there are none."""
    dots = list(_dots(reading, gazetteer))
    if not dots:
        return ""
    frame = _frame([point for point, _, _ in dots])
    land = "".join(_outline(shape, frame) for shape in country_boundaries().values())
    circles = "".join(
        f'<circle class="{kind}" cx="{_x(p.longitude, frame):.1f}" cy="{_y(p.latitude, frame):.1f}"'
        f' r="4.5"><title>{escape(label)}</title></circle>'
        for p, kind, label in dots
    )
    return (
        f'<svg viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" aria-label="map of the places">'
        f"{land}{circles}</svg>"
    )


def _dots(reading: Reading, gazetteer: Gazetteer) -> Iterator[Dot]:
    seen = set()
    for mention in reading.mentions:
        if mention.place and mention.place.id not in seen:
            seen.add(mention.place.id)
            yield mention.place.point, "place", gazetteer.label(mention.place)
    for address in reading.addresses:
        if address.point:
            yield address.point, "address", f"{address.street} {address.house_number}"


def _frame(points: Iterable[Point]) -> Frame:
    """A frame around the points with the shape of a map page."""
    listed = list(points)
    latitudes = [p.latitude for p in listed]
    longitudes = [p.longitude for p in listed]
    latitude = (min(latitudes) + max(latitudes)) / 2
    longitude = (min(longitudes) + max(longitudes)) / 2
    # A degree of longitude is shorter than one of latitude, the more so the farther north.
    widening = WIDTH / HEIGHT / max(cos(radians(latitude)), 0.2)
    spread = max(max(latitudes) - min(latitudes), (max(longitudes) - min(longitudes)) / widening)
    half = max(spread * (0.5 + _MARGIN), _SMALLEST)
    return (
        longitude - widening * half,
        latitude - half,
        longitude + widening * half,
        latitude + half,
    )


def _x(longitude: float, frame: Frame) -> float:
    return (longitude - frame[0]) / (frame[2] - frame[0]) * WIDTH


def _y(latitude: float, frame: Frame) -> float:
    return (frame[3] - latitude) / (frame[3] - frame[1]) * HEIGHT


def _outline(shape: Polygon, frame: Frame) -> str:
    """The rings that reach into the frame; some countries go beyond 180 degrees."""
    rings = "".join(
        "M" + " ".join(f"{_x(x + turn, frame):.1f},{_y(y, frame):.1f}" for x, y in ring) + "Z"
        for ring in shape.rings
        for turn in (-360, 0, 360)
        if _reaches(ring, turn, frame)
    )
    return f'<path class="land" d="{rings}"/>' if rings else ""


def _reaches(ring: Ring, turn: float, frame: Frame) -> bool:
    west, south, east, north = frame
    longitudes, latitudes = [x for x, _ in ring], [y for _, y in ring]
    return (
        max(longitudes) + turn >= west
        and min(longitudes) + turn <= east
        and max(latitudes) >= south
        and min(latitudes) <= north
    )


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
