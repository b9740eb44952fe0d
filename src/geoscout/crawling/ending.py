"""How the last run of a crawl ended, as it is kept with the crawl and told to people."""

from __future__ import annotations

import time
from enum import StrEnum

import msgspec
from msgspec import Struct

ENDING = "ending"  # the name of the note


class End(StrEnum):
    """Why a run ended."""

    NOTHING_LEFT = "nothing left"
    LIMIT = "limit reached"
    USER = "stopped by you"
    BARREN = "barren"  # no relevant page for long
    MACHINE = "stopped for want of room"  # of disk or memory


class Ending(Struct, frozen=True):
    """How and when a run ended."""

    end: End
    at: float  # seconds since the epoch, UTC
    detail: str = ""  # for people


def ending_of(*, machine: str, barren: str = "", is_stopped: bool, is_full: bool) -> Ending:
    """The ending of a run that ends now.

    `machine` says what the machine lacks, `barren` why it was given up, `is_full` that the crawl
    has all the pages it was asked for.
    """
    for end, reason in ((End.MACHINE, machine), (End.BARREN, barren)):
        if reason:
            return Ending(end, time.time(), reason)
    end = End.LIMIT if is_full else End.USER if is_stopped else End.NOTHING_LEFT
    return Ending(end, time.time())


def pack_ending(ending: Ending) -> str:
    """The ending as a note."""
    return msgspec.json.encode(ending).decode()


def unpack_ending(note: str | None) -> Ending | None:
    """The ending of a note; None for a run that has not ended, or was interrupted."""
    try:
        return msgspec.json.decode(note, type=Ending) if note else None
    except msgspec.MsgspecError:  # another version's; that it ended is not worth an error
        return None


def state_text(ending: Ending | None, *, is_running: bool, has_visits: bool) -> str:
    """What a crawl is doing, or how it ended, in a few words.

    >>> state_text(Ending(End.LIMIT, 0.0), is_running=False, has_visits=True)
    'limit reached'
    """
    if is_running:
        return "running"
    if ending is None:
        return "interrupted" if has_visits else "not begun"
    return f"{ending.end}: {ending.detail}" if ending.detail else str(ending.end)
