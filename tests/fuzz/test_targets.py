"""Every target for a moment, what the engines found before, and the engines themselves."""

import pytest

from tests.fuzz.__main__ import failure_of
from tests.fuzz.growth import Repeated, slow_input
from tests.fuzz.targets import TARGETS, Target

BY_NAME = {target.name: target for target in TARGETS}
_SCRIPT = b"<script type=application/ld+json>"
# Target, beginning, what is repeated, and end of inputs that once took the square of the time.
SLOW = [
    ("structured", b"", _SCRIPT + b"/*", b""),
    ("structured", _SCRIPT, b'\\"', b"\\"),
    ("structured", _SCRIPT + b"x", b" ", b"x"),
    ("structured", _SCRIPT + b"-->", b" ", b"x"),
    ("browser", b"<script>", b"<", b""),
    ("browser", b"", b"<script ", b""),
    ("browser", b"<script></script>", b"<!--", b""),
]
QUICK = [target for target in TARGETS if target.name not in ("addresses", "places", "query")]


@pytest.mark.parametrize("target", QUICK, ids=lambda target: target.name)
def test_words_and_bytes_are_survived(target):
    assert failure_of(target, 1, 60) is None


@pytest.mark.parametrize("name", ["addresses", "places"])
def test_words_and_bytes_are_survived_with_the_gazetteer(name, gazetteer):
    assert failure_of(BY_NAME[name], 1, 25) is None


def test_a_copy_that_loads_something_would_be_seen(monkeypatch):
    monkeypatch.setattr("tests.fuzz.targets.defuse", lambda text: text)

    for page in (b"<iframe src=z>", b"<b onclick=x>", b"<a href=' javascript:x'>"):
        with pytest.raises(AssertionError):
            BY_NAME["copy"].run(page)


@pytest.mark.parametrize(("name", "begins", "piece", "ends"), SLOW)
def test_what_was_slow_before_takes_linear_time(name, begins, piece, ends):
    assert slow_input(BY_NAME[name], Repeated(piece, begins, ends)) is None


def test_a_failure_is_found_and_made_small():
    def run(data: bytes) -> None:
        assert b"boom" not in data

    found = failure_of(Target("x", run, (b"boom", b"fizz")), 1, 100)

    assert found is not None
    assert "b'boom'" in found
