"""Links with what a reader sees around them.

While the page is walked a link is only noted, with two marks on the tape; its words are cut out
when the text is complete. The windows before and after it end at the borders of its block.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from geoscout_places.model import Block, Link, Part
from geoscout_places.parse.blocks import CLOSE, OPEN
from geoscout_places.parse.elements import ElementAttributes
from geoscout_places.urls import resolve
from geoscout_places.windows import after, before

# No honest page has more; a hostile one must not fill the memory.
MOST_LINKS = 20_000
# What is kept of a path, so that made-up elements with endless names do not fill the memory either.
DEEPEST_PATH = 40  # elements
LONGEST_NAME = 40  # characters


class Note:
    """A link seen on the walk; where its anchor stands is filled in by the reader of the tape."""

    __slots__ = ("alternative", "attributes", "end", "first_serial", "last_serial", "part",
                 "reference", "start", "tag_path", "unseen")  # fmt: skip

    def __init__(self, reference: str, attributes: ElementAttributes, part: Part) -> None:
        self.reference = reference
        self.attributes = attributes
        self.part = part
        self.tag_path = ""
        self.start = self.end = 0  # offsets into the text
        self.first_serial = self.last_serial = -1  # of the blocks where it begins and ends
        self.unseen = ""  # its text, where that is hidden
        self.alternative = ""  # of its images


class LinkRecorder:
    """Notes the links of one page."""

    __slots__ = ("_mark", "current", "notes")

    def __init__(self, mark: Callable[[str], object]) -> None:
        """`mark`: puts a mark on the tape."""
        self._mark = mark
        self.notes: list[Note] = []
        self.current: Note | None = None

    def open(
        self, reference: str, attributes: ElementAttributes, path: Sequence[str], part: Part
    ) -> None:
        """Begin a link; the text that follows is its anchor.

        `path`: names of the elements it stands in, its own last.
        """
        if self.current is not None:
            self.close()
        if len(self.notes) >= MOST_LINKS:
            return
        self.current = note = Note(reference, attributes, part)
        note.tag_path = "/".join(path if len(path) <= DEEPEST_PATH else path[-DEEPEST_PATH:])
        self.notes.append(note)
        self._mark(OPEN)

    def close(self) -> None:
        """End the open link, if any."""
        if self.current is not None:
            self.current = None
            self._mark(CLOSE)


def links_of(
    notes: Sequence[Note], text: str, block_of: Mapping[int, Block], resolver: ReferenceResolver
) -> tuple[Link, ...]:
    """The noted links, in the order of the page, without those that lead nowhere.

    `block_of` finds a block by its serial.
    """
    links = []
    for note in notes:
        url = resolver.resolve(note.reference)
        if url:
            links.append(_link(note, url, text, block_of))
    return tuple(links)


def _link(note: Note, url: str, text: str, block_of: Mapping[int, Block]) -> Link:
    start, end, attributes = note.start, note.end, note.attributes
    first, last = block_of.get(note.first_serial), block_of.get(note.last_serial)
    words_before = before(text, first.start, start) if first and first.start < start else ""
    words_after = after(text, end, last.end) if last and last.end > end else ""
    anchor = text[start:end].strip().replace("\n", " ") or _collapse(note.unseen)
    rel = attributes.get("rel")
    return Link(
        url,
        anchor,
        title=attributes.get("title") or "",
        rel=tuple(rel.lower().split()) if rel else (),
        alt=_collapse(note.alternative),
        before=_collapse(words_before),
        after=_collapse(words_after),
        tag_path=note.tag_path,
        part=first.part if first else note.part,
        start=min(start, len(text)),
        end=min(end, len(text)),
    )


def _collapse(text: str) -> str:
    return " ".join(text.split()) if text else ""


_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_EDGES = "".join(map(chr, range(0x21)))
_BREAKS = re.compile(r"[\t\n\r]")
_LONGEST_REFERENCE = 8192  # characters; longer ones are data, and no server takes them


class ReferenceResolver:
    """Resolves references against one base URL, as far as links need it.

    `urls.resolve` takes 5 µs a link, as much as all the rest of a link costs. Most references are
    absolute or start at the root and are told by their first characters; the others go that way.
    Bringing URLs into one form is the business of the frontier, not of the parser.
    """

    __slots__ = ("_above", "_base", "_page", "directory", "host_start")

    def __init__(self, base: str) -> None:
        self._base = base
        self._above: dict[int, str] = {}  # directories by the number of levels up
        self._page = re.split(r"[?#]", base, maxsplit=1)[0]
        scheme, slashes, rest = self._page.partition("://")
        host, _, path = rest.partition("/")
        self.host_start = f"{scheme}{slashes}{host}" if slashes else ""
        self.directory = f"{self.host_start}/{path.rpartition('/')[0]}".rstrip("/") + "/"

    def resolve(self, reference: str) -> str:
        """The absolute http(s) URL meant; "" when it is of another scheme, or the page itself."""
        if " " in reference or not reference.isprintable():
            reference = _BREAKS.sub("", reference.strip(_EDGES)).replace(" ", "%20")
        if not reference or reference[0] == "#" or len(reference) > _LONGEST_REFERENCE:
            return ""
        if reference.startswith(("https://", "http://")):
            return reference if "/." not in reference else self._join(reference)
        if ":" in reference and _SCHEME.match(reference):
            # "http:page.html" is odd but has a meaning; "mailto:" leads to no page.
            return self._join(reference) if reference[:4].lower() == "http" else ""
        return self._relative(reference.replace("\\", "/"))

    def _relative(self, reference: str) -> str:
        if not self.host_start or reference.endswith("/.."):
            return self._join(reference)
        if "./" in reference:
            return self._dotted(reference)
        if reference[0] == "/":
            if reference.startswith("//"):
                return f"{self.host_start.partition('/')[0]}{reference}"
            return self.host_start + reference
        if reference[0] == "?":
            return self._page + reference
        return self.directory + reference

    def _dotted(self, reference: str) -> str:
        """Resolve "./" and "../" in front; dots further in take the long way."""
        rest = reference.removeprefix("./")
        levels = 0
        while rest.startswith("../"):
            rest = rest[3:]
            levels += 1
        if not rest or "./" in rest or rest[0] in "/?#":
            return self._join(reference)
        directory = self._above.get(levels)
        if directory is None:
            directory = self._above[levels] = self._directory_above(levels)
        return directory + rest

    def _directory_above(self, levels: int) -> str:
        kept = self.directory[len(self.host_start) + 1 :].split("/")[:-1]
        above = kept[: max(0, len(kept) - levels)]
        return "/".join((self.host_start, *above, ""))

    def _join(self, reference: str) -> str:
        return resolve(reference, self._base) or ""


def resolver_for(url: str, base: str) -> ReferenceResolver:
    """The resolver of a page that names that base for its references; "" for none."""
    own = ReferenceResolver(url)
    return ReferenceResolver(own.resolve(base) or url) if base else own
