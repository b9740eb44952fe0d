"""The example of docs/extend/strategy.md, installed as a user would and run by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from geoscout.strategy import Strategy, StrategyAim, abilities_of, create_strategy, strategy_names
from geoscout_places.errors import UsageError
from tests.conftest import PROJECT
from tests.plugins import plugin_folder
from tests.unit.strategy.links import HERE, link, outcome, source

PAGE = PROJECT / "docs" / "extend" / "strategy.md"


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A distribution on the path that holds the example and names it as the page says."""
    ((group, name),) = re.findall(r'entry-points."([\w.]+)"\]\n(\w+) = ', block("toml"))
    folder = plugin_folder(tmp_path / "plugins", monkeypatch)
    folder.add(group, name, block("python"))
    yield
    folder.forget()


def score(strategy: Strategy, *anchors: str) -> list[float]:
    links = [link(f"{HERE}{n}", anchor) for n, anchor in enumerate(anchors)]
    return [scored.score for scored in strategy.score(source(), links) if scored]


def test_example_is_found_by_its_entry_point(installed: None) -> None:
    assert "word" in strategy_names()


def test_example_prefers_its_word(installed: None) -> None:
    strategy = create_strategy("word:word=kontakt", StrategyAim())

    assert score(strategy, "Kontakt", "Neues") == [1.0, 0.0]


def test_example_learns_which_hosts_are_good(installed: None) -> None:
    strategy = create_strategy("word", StrategyAim())
    abilities_of(strategy).learn(outcome(HERE, relevant=True))

    assert score(strategy, "Contact us", "News") == [1.1, 0.1]


def test_example_refuses_options_it_has_not(installed: None) -> None:
    with pytest.raises(UsageError, match="'word' has no option 'speed'; it has: word"):
        create_strategy("word:speed=3", StrategyAim())


def test_example_is_about_thirty_lines_long() -> None:
    lines = [line for line in block("python").splitlines() if line.strip()]

    assert len(lines) <= 30
