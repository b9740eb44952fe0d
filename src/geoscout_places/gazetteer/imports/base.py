"""What the import formats have in common: one Protocol, and the records they exchange.

A format says which files it recognises and turns the lines of a file into rows of one of
geoscout's own tables. It counts nothing, writes nothing and shows no progress: `run` does that
once for all of them. One format fills one table, so that one rename makes an import visible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import BinaryIO, ClassVar, NamedTuple, Protocol, TypeVar

from geoscout_places.gazetteer.imports.areas import AreaCodes

ImportRow = tuple[str, ...]  # the cells of one line, in the order of its table's columns
ImportRecord = TypeVar("ImportRecord")


class MalformedLineError(ValueError):
    """A line does not have the shape its format prescribes; the message says what is wrong."""


class Outcome(NamedTuple):
    """What became of one line of the user's file."""

    line: int
    rows: Sequence[ImportRow]  # none when the line is sound but not wanted
    reason: str = ""  # why the line is malformed; "" when it is not


@dataclass(frozen=True, slots=True)
class Rejection:
    """A malformed line of the user's file."""

    line: int  # the first line is 1
    reason: str
    member: str = ""  # which file of an archive or folder; "" where there is only one

    def __str__(self) -> str:
        where = f"{self.member}, line" if self.member else "line"
        return f"{where} {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How an import went."""

    format: str
    rows: int  # rows written
    rejected: int  # malformed lines
    first_rejections: tuple[Rejection, ...]
    tables: tuple[str, ...]  # files written, below the imports folder
    left_out: int = 0  # sound lines that are not wanted, such as links among alternate names


@dataclass(frozen=True, slots=True)
class Sample:
    """The look of a file: its name and how it starts."""

    name: str
    head: bytes

    @property
    def lines(self) -> list[list[str]]:
        """The first complete lines, cut at tabs."""
        text = self.head.decode("utf-8-sig", errors="replace")
        return [line.split("\t") for line in text.splitlines()[:20]]


OpenBeside = Callable[[str], AbstractContextManager[BinaryIO | None]]


@dataclass(frozen=True, slots=True)
class ImportTask:
    """What a format may need to know besides the bytes it reads."""

    member: str  # path inside the archive or folder, such as "us/ca/berkeley.csv"
    areas: AreaCodes
    file: str = ""  # name of the file, archive or not, that the member is in
    option: str = ""  # what the user wrote after the format's name and a colon
    # Opens the file next to it with another suffix, such as ".shp"; None where there is none.
    open_beside: OpenBeside = lambda _suffix: nullcontext()


class Importer(Protocol):
    """One format of files that users have."""

    name: ClassVar[str]
    table: ClassVar[str]
    expects: ClassVar[str]  # what a sound file looks like, for the user whose file is not

    def recognises(self, sample: Sample) -> bool:
        """Whether a file of this look is of this format."""
        ...

    def read(self, stream: BinaryIO, task: ImportTask) -> Iterator[Outcome]:
        """The outcome of each line, in order.

        Raises:
            UsageError: the option makes no sense, or the whole file cannot be what it should be.
        """
        ...


def parse_each(
    records: Iterable[tuple[int, ImportRecord | MalformedLineError]],
    parse: Callable[[ImportRecord], Sequence[ImportRow]],
) -> Iterator[Outcome]:
    """Parse numbered records; one that could not even be cut out or decoded is an error already."""
    for line, record in records:
        if isinstance(record, MalformedLineError):
            yield Outcome(line, (), str(record))
            continue
        try:
            rows = parse(record)
        except MalformedLineError as error:
            yield Outcome(line, (), str(error))
        else:
            yield Outcome(line, rows)
