"""The members of a large JSON file one by one, in little memory.

GeoJSON has its objects in the list `features`, Overpass in `elements`; both are at the top of a
file of any size. `json.loads` would need several times the size of the file. The decoder of the
standard library can read one value from within a text, so that a window over the file is enough,
and no library for streams of JSON is needed.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from geoscout_places.errors import ImportFileError

_WINDOW = 1 << 20  # bytes read at a time
_LONGEST = 1 << 26  # characters of one value; the outline of a country has some millions
_MOST_DIGITS = 20
_BLANK = " \t\r\n\x1e\ufeff"  # also what begins a record of RFC 8142
_LISTS = ("features", "elements")


def json_members(stream: BinaryIO) -> Iterator[Any]:
    """The objects of the lists `features` and `elements`; of a file with many objects, each.

    Raises:
        ImportFileError: it is not JSON, or is cut short.
    """
    window = _Window(stream)
    while mark := window.peek():
        if mark == "[":
            yield from window.items()
        elif mark == "{":
            yield from _object_or_members(window)
        else:
            raise window.malformed("a list or an object was expected")
        window.skip(",")  # some programs write one after every line


def _object_or_members(window: _Window) -> Iterator[Any]:
    """An object; or in its place the members of its list, if it has one."""
    whole: dict[str, Any] = {}
    has_list = False
    for key in window.members():
        if key in _LISTS and window.peek() == "[":
            has_list = True
            yield from window.items()
        else:
            whole[key] = window.value()
    if not has_list:
        yield whole


def _whole_number(digits: str) -> int | float:
    """An id, or else a float, which may be infinite: longer ones overflow where they are used."""
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


class _Window:
    """A part of the text of a file that moves forward."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._text, self._at, self._is_whole = "", 0, False
        self._before = 0  # characters that have left the window
        self._parse = json.JSONDecoder(parse_int=_whole_number).raw_decode

    def peek(self) -> str:
        """The next character that is not blank; "" at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _BLANK:
                    return self._text[self._at]
                self._at += 1
            if not self._more():
                return ""

    def skip(self, mark: str) -> bool:
        """Go on behind a mark if it comes next."""
        if self.peek() != mark:
            return False
        self._at += 1
        return True

    def _expect(self, mark: str) -> None:
        if not self.skip(mark):
            raise self.malformed(f"{mark!r} was expected")

    def members(self) -> Iterator[str]:
        """The keys of the object that begins here; the caller reads each value."""
        self._expect("{")
        if self.skip("}"):
            return
        while True:
            key = self.value()
            self._expect(":")
            yield key if isinstance(key, str) else ""
            if not self.skip(","):
                self._expect("}")
                return

    def items(self) -> Iterator[Any]:
        """The items of the list that begins here."""
        self._expect("[")
        if self.skip("]"):
            return
        while True:
            yield self.value()
            if not self.skip(","):
                self._expect("]")
                return

    def value(self) -> Any:
        """The value that begins here."""
        self.peek()
        while True:
            try:
                found, end = self._parse(self._text, self._at)
            except (ValueError, RecursionError) as error:
                if len(self._text) - self._at > _LONGEST or not self._more():
                    raise self.malformed(str(error)) from error
                continue
            # What ends with the window may go on behind it: 12 of 1234.
            if end < len(self._text) or not self._more():
                self._at = end
                return found

    def _more(self) -> bool:
        """Read on, as much again as is waiting, so that a long value is not tried too often."""
        if self._is_whole:
            return False
        kept = self._text[self._at :]
        self._before += self._at
        read = self._stream.read(max(_WINDOW, len(kept)))
        self._is_whole = not read
        self._text, self._at = kept + self._decode(read, self._is_whole), 0
        return True

    def malformed(self, what: str) -> ImportFileError:
        place = self._before + self._at
        return ImportFileError(f"it is not JSON at character {place:,}, or is cut short: {what}")
