"""Documented or not done: every strategy of ours and every option of these."""

from __future__ import annotations

from dataclasses import fields

import pytest

from geoscout.strategy import strategy_names
from geoscout.strategy.adaptive.strategy import AdaptiveOptions
from geoscout.strategy.distance import DistanceOptions
from geoscout.strategy.hybrid.signals import HybridOptions
from tests.conftest import PROJECT

TEXT = (PROJECT / "docs" / "strategies.md").read_text()


@pytest.mark.parametrize("name", strategy_names())
def test_strategy_is_documented(name: str) -> None:
    assert f"`{name}`" in TEXT


@pytest.mark.parametrize("kind", [AdaptiveOptions, DistanceOptions, HybridOptions])
def test_options_are_documented_with_their_defaults(kind: type) -> None:
    rows = [f"| `{field.name}` | {_text(field.default)} |" for field in fields(kind)]

    assert [row for row in rows if row not in TEXT] == []


def _text(default: object) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return str(default)
