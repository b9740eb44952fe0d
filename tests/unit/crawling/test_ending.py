"""How a run ended is kept, and told to people."""

from __future__ import annotations

import pytest

from geoscout.crawling.ending import (
    End,
    ending_of,
    pack_ending,
    state_text,
    unpack_ending,
)


@pytest.mark.parametrize(
    ("machine", "is_stopped", "is_full", "end"),
    [
        ("", False, False, End.NOTHING_LEFT),
        ("", True, False, End.USER),
        ("", True, True, End.LIMIT),
        ("no room", True, False, End.MACHINE),
    ],
)
def test_ending_is_kept(machine: str, is_stopped: bool, is_full: bool, end: End) -> None:
    ending = ending_of(machine=machine, is_stopped=is_stopped, is_full=is_full)

    assert ending.end is end
    assert ending.detail == machine
    assert unpack_ending(pack_ending(ending)) == ending


@pytest.mark.parametrize("note", [None, "", "{}", "gibberish", '{"end": "eaten", "at": 1}'])
def test_note_of_no_ending_is_none(note: str | None) -> None:
    assert unpack_ending(note) is None


def test_state_is_told() -> None:
    full = ending_of(machine="no room", is_stopped=False, is_full=False)

    assert state_text(full, is_running=True, has_visits=True) == "running"
    assert state_text(full, is_running=False, has_visits=True).endswith(": no room")
    assert state_text(None, is_running=False, has_visits=True) == "interrupted"
    assert state_text(None, is_running=False, has_visits=False) == "not begun"
