"""The geoparser for those who only want the geoparser: `from geoscout_places import Places`.

One `Places` may be asked by several threads; they wait for each other, because reading is work of
the processor and not of the network. More processors need more processes: `read_many`.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from threading import Lock
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import Home, gazetteer_in, open_gazetteer
from geoscout_places.geo.geoparser import Geoparser
from geoscout_places.model import Address, Candidate, Mention, Reading, ScopePlace
from geoscout_places.parse.document import PDF_MARK, PDF_TYPE, check_pdf
from geoscout_places.reading import Document, PageReader, reading_as_json

_CHUNK = 16  # documents that go to a process at once
_AHEAD = 3  # chunks for each process that are asked for before the first is taken

Given = str | bytes | Document


class Found(Struct, frozen=True):
    """What was found in a document. Offsets are code points into `text`."""

    text: str
    reading: Reading

    @property
    def mentions(self) -> tuple[Mention, ...]:
        """The place names, in the order of the text."""
        return self.reading.mentions

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The postal addresses; those that only the markup has come without offsets."""
        return self.reading.addresses

    @property
    def scope(self) -> tuple[ScopePlace, ...]:
        """The places that the document is about, the main one first."""
        return self.reading.scope

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain data, in the form of `geoscout-places geoparse --json`."""
        return reading_as_json(self.reading)

    def as_geojson(self) -> dict[str, Any]:
        """What has a point as a FeatureCollection; `what` says which list it is of."""
        rows = self.as_dict()
        return {
            "type": "FeatureCollection",
            "features": [
                {
                    "type": "Feature",
                    "geometry": {"type": "Point", "coordinates": [row.pop("lon"), row.pop("lat")]},
                    "properties": {"what": what, **row},
                }
                for what, rows_of in (("toponym", "toponyms"), ("address", "addresses"))
                for row in rows[rows_of]
                if row["lat"] is not None
            ],
        }


class Places:
    """Reads places in any text or page. Loading takes a moment; keep it."""

    def __init__(self, gazetteer: Gazetteer | None = None, *, home: str = "") -> None:
        """`home` is the folder of the compiled gazetteer, which the first use of all makes."""
        self.gazetteer: Gazetteer = gazetteer or open_gazetteer(Home(home) if home else None)
        self._geoparser = Geoparser(self.gazetteer)
        self._reader = PageReader(self._geoparser)
        self._lock = Lock()

    def read(self, document: Given, *, url: str = "", html: bool = False) -> Found:
        """Find the places of a text, or of a page: bytes, or a string with `html`.

        Any input is survived. `url` is that of the page; its country is a clue.

        Raises:
            UsageError: it is a PDF, and the extra that reads it is not installed.
        """
        given = as_document(document, url, html=html)
        with self._lock:
            found = self._reader.read(given)
        return Found(found.page.text, found.reading)

    def read_many(
        self, documents: Iterable[Given], *, html: bool = False, processes: int = 1
    ) -> Iterator[Found]:
        """The same for many, one by one and in their order; no more are held than are worked on.

        With several processes it belongs below `if __name__ == "__main__":`, as every pool does.
        """
        file = getattr(self.gazetteer, "file", None)  # one of tests or users may have none
        if processes <= 1 or file is None:
            yield from (self.read(document, html=html) for document in documents)
            return
        given = (as_document(document, "", html=html) for document in documents)
        context = get_context("spawn")  # a fork of a process with threads may hang
        with ProcessPoolExecutor(processes, context, _load, (file,)) as pool:
            asked: deque[Future[list[Found]]] = deque()
            while chunk := list(islice(given, _CHUNK)):
                asked.append(pool.submit(_read_chunk, chunk))
                if len(asked) > _AHEAD * processes:
                    yield from asked.popleft().result()
            for future in asked:
                yield from future.result()

    def resolve(
        self, text: str, spans: Sequence[tuple[int, int]], *, url: str = "", least: float = 0.0
    ) -> list[Mention]:
        """Which place each given span of a text means.

        `place` is None where no table has the name, or the confidence is less than `least`.
        """
        with self._lock:
            found = self._geoparser.resolve(text, spans, url)
        return [replace(m, place=None) if m.confidence < least else m for m in found]

    def find(self, name: str, country: str = "") -> Sequence[Candidate]:
        """The places that a name may mean ("Lisbon", "Lisbon, NH"), the likeliest first.

        Raises:
            UnknownPlaceError: there is none; it carries the nearest spellings.
        """
        return self.gazetteer.find(name, country)


def as_document(given: Given, url: str = "", *, html: bool = False) -> Document:
    """What somebody handed in, with its type.

    Raises:
        UsageError: it is a PDF, and the extra that reads it is not installed.
    """
    if isinstance(given, Document):
        return given
    if isinstance(given, str):
        if not html:
            return Document(url, given)
        given = given.encode("utf-8", "replace")
        return Document(url, given, "text/html; charset=utf-8")
    if given.startswith(PDF_MARK):
        check_pdf()
        return Document(url, given, PDF_TYPE)
    return Document(url, given, "text/html")


def document_of_line(given: Mapping[str, Any]) -> Document:
    """What a line of JSON lines hands in: {"id", "text"} or {"id", "html", "url"}.

    Raises:
        TypeError: it has neither.
    """
    url = str(given.get("url") or "")
    for field in ("html", "text"):
        if isinstance(given.get(field), str):
            return as_document(given[field], url, html=field == "html")
    raise TypeError("neither text nor html is there")


_of_process: list[Places] = []


def _load(file: Path) -> None:
    from geoscout_places.background import end_with_parent  # noqa: PLC0415 - it needs asyncio

    end_with_parent()
    _of_process.append(Places(gazetteer_in(file)))


def _read_chunk(chunk: Sequence[Document]) -> list[Found]:
    return [_of_process[0].read(document) for document in chunk]
