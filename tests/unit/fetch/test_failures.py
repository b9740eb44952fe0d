from __future__ import annotations

import re

from geoscout.fetch.retries import KINDS, NO_CONNECTION, failure
from geoscout_places.errors import NeverAgainError, TryLaterError
from tests.conftest import PROJECT
from tests.fakeweb.menagerie import BAD
from tests.unit.fetch.http.test_translate import TRANSLATED


def test_branch_of_an_error_follows_from_its_kind() -> None:
    for kind, meaning in KINDS.items():
        branch = TryLaterError if meaning.again else NeverAgainError
        assert type(failure(kind)) is branch


def test_seconds_to_wait_are_kept() -> None:
    error = failure("robots-unreachable", "x", 30.0)

    assert isinstance(error, TryLaterError)
    assert error.retry_after == 30.0


def test_every_kind_is_raised_somewhere_and_no_other() -> None:
    sources = (PROJECT / "src").rglob("*.py")
    text = "\n".join(source.read_text() for source in sources)
    raised = set(re.findall(r"(?:failure|Error)\(\s*\"([a-z-]+)\"", text))
    translated = {kind for _, kind in TRANSLATED}

    counted = {"unread: time", "unread: memory"}  # not raised: the response is kept
    assert raised | translated | counted | {"bomb", "too-large"} == set(KINDS)


def test_menagerie_shows_only_known_kinds() -> None:
    assert {kind for _, kind in BAD.values()} <= set(KINDS)
    assert set(KINDS) >= NO_CONNECTION


def test_every_kind_is_documented_as_it_is() -> None:
    text = (PROJECT / "docs/why/http.md").read_text()
    for name, kind in KINDS.items():
        again, host = "yes" if kind.again else "no", "fail alike" if kind.host else "may succeed"
        assert f"| `{name}` | {kind.meaning} | {again} | {host} |" in text
