"""Records as bytes, for other processes and for files.

The bytes are MessagePack and are decoded into one declared type, so they can hold nothing else.
Pickle would also do, but it runs whatever code the bytes name; see docs/why/records.md.
"""

from typing import Any, Generic, TypeVar

from msgspec import DecodeError
from msgspec.msgpack import Decoder, Encoder

from geoscout_places.errors import DamagedDataError

Record = TypeVar("Record")


def record_of(kind: type[Record], source: object, **other: Any) -> Record:
    """A record with the attributes of another that have the names of its fields.

    `other` gives what is called, rounded or written otherwise.
    """
    fields: tuple[str, ...] = kind.__struct_fields__  # type: ignore[attr-defined]
    same = {name: getattr(source, name) for name in fields if name not in other}
    return kind(**same, **other)


class Codec(Generic[Record]):
    """Encodes and decodes records of one type; make one for a type and keep it."""

    def __init__(self, kind: type[Record]) -> None:
        self._kind = kind
        self._encoder = Encoder()
        self._decoder = Decoder(kind)

    def encode(self, record: Record) -> bytes:
        """The record with everything it holds.

        Raises:
            UnicodeEncodeError: a text has half a surrogate pair.
        """
        return self._encoder.encode(record)

    def decode(self, packed: bytes) -> Record:
        """The record that was encoded.

        Raises:
            DamagedDataError: the bytes do not hold a record of this type.
        """
        try:
            return self._decoder.decode(packed)
        except (DecodeError, UnicodeDecodeError) as error:
            raise DamagedDataError(f"these bytes are not a {self._kind}: {error}") from error
