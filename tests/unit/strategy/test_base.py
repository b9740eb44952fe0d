"""What holds for every strategy: its docs, the example of docs/extend/strategy.md, no files."""

import builtins
import io
import re
from dataclasses import fields

import pytest

from geoscout.strategy import (
    GROUP,
    Strategy,
    StrategyAim,
    abilities_of,
    create_strategy,
    strategy_names,
)
from geoscout.strategy.adaptive.strategy import AdaptiveOptions
from geoscout.strategy.distance import DistanceOptions
from geoscout.strategy.hybrid.models import read_prior
from geoscout.strategy.hybrid.signals import HybridOptions
from geoscout.strategy.hybrid.strategy import Hybrid
from geoscout.strategy.rank.formulas import RankOptions
from geoscout.strategy.rank.strategy import Rank
from geoscout_places.errors import UsageError
from geoscout_places.plugins import load_plugins
from tests.conftest import PROJECT
from tests.plugins import plugin_folder
from tests.unit.strategy.links import HERE, link, outcome, source

TEXT = (PROJECT / "docs" / "strategies.md").read_text()


@pytest.mark.parametrize("name", strategy_names())
def test_strategy_is_documented(name):
    assert f"`{name}`" in TEXT


@pytest.mark.parametrize("kind", [AdaptiveOptions, DistanceOptions, HybridOptions])
def test_options_are_documented_with_their_defaults(kind):
    rows = [f"| `{field.name}` | {_text(field.default)} |" for field in fields(kind)]

    assert [row for row in rows if row not in TEXT] == []


def _text(default: object) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return str(default)


PAGE = PROJECT / "docs" / "extend" / "strategy.md"


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A distribution on the path that holds the example and names it as the page says."""
    ((group, name),) = re.findall(r'entry-points."([\w.]+)"\]\n(\w+) = ', block("toml"))
    folder = plugin_folder(tmp_path / "plugins", monkeypatch)
    folder.add(group, name, block("python"))
    yield
    folder.forget()


def score(strategy: Strategy, *anchors: str) -> list[float]:
    links = [link(f"{HERE}{n}", anchor) for n, anchor in enumerate(anchors)]
    return [scored.score for scored in strategy.score(source(), links) if scored]


def test_example_prefers_its_word(installed):
    strategy = create_strategy("word:word=kontakt", StrategyAim())

    assert score(strategy, "Kontakt", "Neues") == [1.0, 0.0]


def test_example_learns_which_hosts_are_good(installed):
    strategy = create_strategy("word", StrategyAim())
    abilities_of(strategy).learn(outcome(HERE, relevant=True))

    assert score(strategy, "Contact us", "News") == [1.1, 0.1]


def test_example_refuses_options_it_has_not(installed):
    with pytest.raises(UsageError, match="'word' has no option 'speed'; it has: word"):
        create_strategy("word:speed=3", StrategyAim())


@pytest.fixture
def without_disk(monkeypatch):
    """Whoever opens a file fails."""

    def refuse(file: object, *_: object, **__: object) -> None:
        raise AssertionError(f"{file} was opened")

    load_plugins(GROUP)  # their modules are files, too
    read_prior.cache_clear()
    monkeypatch.setattr(io, "open", refuse)
    monkeypatch.setattr(builtins, "open", refuse)


@pytest.mark.usefixtures("without_disk")
def test_strategy_is_made_without_opening_a_file():
    made: list[Strategy] = [
        Hybrid(HybridOptions(registrations="registrations.tsv"), StrategyAim()),
        Rank(StrategyAim(), RankOptions(registrations="registrations.tsv")),
    ]

    assert len(made) == 2


@pytest.mark.parametrize("name", ["hybrid", "rank"])
def test_files_of_a_strategy_are_read_when_it_is_created(name, tmp_path):
    aim = StrategyAim(options={"registrations": str(tmp_path / "missing.tsv")})

    with pytest.raises(UsageError, match="missing"):
        create_strategy(name, aim)
