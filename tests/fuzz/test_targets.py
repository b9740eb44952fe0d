"""Every target for a moment, what the engines found before, and the engines themselves."""

import random
import time

import pytest

from tests.fuzz.__main__ import failure_of
from tests.fuzz.growth import Repeated, inputs, is_too_fast, slow_input
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
def test_words_and_bytes_are_survived(target: Target) -> None:
    assert failure_of(target, 1, 60) is None


@pytest.mark.parametrize("name", ["addresses", "places"])
def test_words_and_bytes_are_survived_with_the_gazetteer(name: str, gazetteer: object) -> None:
    assert failure_of(BY_NAME[name], 1, 25) is None


def test_a_copy_that_loads_something_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.targets.defuse", lambda text: text)

    for page in (b"<iframe src=z>", b"<b onclick=x>", b"<a href=' javascript:x'>"):
        with pytest.raises(AssertionError):
            BY_NAME["copy"].run(page)


@pytest.mark.parametrize(("name", "begins", "piece", "ends"), SLOW)
def test_what_was_slow_before_takes_linear_time(
    name: str, begins: bytes, piece: bytes, ends: bytes
) -> None:
    assert slow_input(BY_NAME[name], Repeated(piece, begins, ends)) is None


def test_a_failure_is_found_and_made_small() -> None:
    def run(data: bytes) -> None:
        assert b"boom" not in data

    found = failure_of(Target("x", run, (b"boom", b"fizz")), 1, 100)

    assert found is not None
    assert "b'boom'" in found


def test_quadratic_time_is_found_and_linear_time_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.growth._LEAST_SECONDS", 0.004)

    def quadratic(data: bytes) -> None:
        spin(len(data) ** 2 * 3e-10)

    def linear(data: bytes) -> None:
        spin(len(data) * 1e-6)

    assert slow_input(Target("x", quadratic, (), grows_to=10_000), Repeated(b"ab")) is not None
    assert slow_input(Target("x", linear, (), grows_to=10_000), Repeated(b"ab")) is None
    assert is_too_fast((0.1, 0.4, 1.6))
    assert not is_too_fast((0.1, 0.2, 0.4))


def spin(seconds: float) -> None:
    """Use the processor for so long."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_inputs_depend_on_the_seed_alone() -> None:
    one, other = (inputs(BY_NAME["robots"], random.Random(3)) for _ in range(2))

    assert [next(one) for _ in range(20)] == [next(other) for _ in range(20)]
