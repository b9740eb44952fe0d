"""A strategy is made without a disk: what it needs from files is read by `create` and handed in."""

from __future__ import annotations

import builtins
import io
from pathlib import Path

import pytest

from geoscout.strategy import GROUP, Strategy, StrategyAim, create_strategy
from geoscout.strategy.hybrid.models import read_prior
from geoscout.strategy.hybrid.signals import HybridOptions
from geoscout.strategy.hybrid.strategy import Hybrid
from geoscout.strategy.rank.formulas import RankOptions
from geoscout.strategy.rank.strategy import Rank
from geoscout_places.errors import UsageError
from geoscout_places.plugins import load_plugins


@pytest.fixture
def without_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens a file fails."""

    def refuse(file: object, *_: object, **__: object) -> None:
        raise AssertionError(f"{file} was opened")

    load_plugins(GROUP)  # their modules are files, too
    read_prior.cache_clear()
    monkeypatch.setattr(io, "open", refuse)
    monkeypatch.setattr(builtins, "open", refuse)


@pytest.mark.usefixtures("without_disk")
def test_strategy_is_made_without_opening_a_file() -> None:
    made: list[Strategy] = [
        Hybrid(HybridOptions(registrations="registrations.tsv"), StrategyAim()),
        Rank(StrategyAim(), RankOptions(registrations="registrations.tsv")),
    ]

    assert len(made) == 2


@pytest.mark.parametrize("name", ["hybrid", "rank"])
def test_files_of_a_strategy_are_read_when_it_is_created(name: str, tmp_path: Path) -> None:
    aim = StrategyAim(options={"registrations": str(tmp_path / "missing.tsv")})

    with pytest.raises(UsageError, match="missing"):
        create_strategy(name, aim)
