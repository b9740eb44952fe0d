"""Where the WARC files lie in a WACZ file, which is a ZIP file that keeps them as they are.

So their records can be read in place, without unpacking anything.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import NamedTuple

from geoscout_places.errors import UsageError

ZIP_MAGIC = b"PK\x03\x04"
_ENDINGS = (".warc", ".warc.gz")
_LOCAL_HEADER = 30  # bytes before the name; its length and that of what follows are the last four


class Span(NamedTuple):
    """Bytes of a file."""

    start: int
    stop: int


def archives_in(path: Path) -> list[Span]:
    """The WARC files in a WACZ file, in its order.

    Raises:
        UsageError: it is not a ZIP file, has no archive, or keeps one compressed.
    """
    import zipfile  # noqa: PLC0415 - every crawl imports this module, and few open such files

    try:
        with zipfile.ZipFile(path) as zipped, path.open("rb") as file:
            members = [m for m in zipped.infolist() if m.filename.endswith(_ENDINGS)]
            spans = []
            for member in members:
                if member.compress_type != zipfile.ZIP_STORED:
                    raise UsageError(
                        f"{member.filename} in {path} is compressed once more; unpack it with unzip"
                    )
                file.seek(member.header_offset + _LOCAL_HEADER - 4)
                name, extra = struct.unpack("<HH", file.read(4))
                start = member.header_offset + _LOCAL_HEADER + name + extra
                spans.append(Span(start, start + member.compress_size))
    except (zipfile.BadZipFile, struct.error, OSError) as error:
        raise UsageError(f"{path} is not a WARC or WACZ file: {error}") from error
    if not spans:
        raise UsageError(f"{path} has no WARC files in it")
    return spans
