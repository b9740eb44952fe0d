from __future__ import annotations

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.synthetic.structure.linking import Tie, WeightedChoice
from geoscout_lab.worlds.synthetic.structure.pages import Role


def test_choice_stays_in_its_group_and_follows_the_weights() -> None:
    group_of = np.array([0, 1, 1, 0])
    choice = WeightedChoice.of(np.arange(4), group_of, np.array([1.0, 1.0, 3.0, 5.0]))

    drawn = choice.draw(np.ones(8000, int), np.zeros(8000, int), np.random.default_rng(1))

    assert set(drawn.tolist()) == {1, 2}
    assert (drawn == 2).mean() == pytest.approx(0.75, abs=0.02)


def test_empty_group_gives_what_was_said_otherwise() -> None:
    choice = WeightedChoice.of(np.array([0]), np.array([4]), np.array([1.0]))

    drawn = choice.draw(np.array([2, 4]), np.array([7, 7]), np.random.default_rng(1))

    assert drawn.tolist() == [7, 0]


def test_menu_is_on_every_page(web: SyntheticWeb) -> None:
    structure = web.structure
    pages = structure.pages
    page = int(np.flatnonzero(pages.role == Role.CONTENT)[0])

    ties = structure.graph.ties(page).tolist()

    assert ties.count(Tie.HOME) == 1
    assert ties.count(Tie.SECTION) == structure.sections[pages.host[page]]


def test_every_proper_page_is_linked_from_somewhere(web: SyntheticWeb) -> None:
    structure = web.structure
    linked = np.zeros(web.size, dtype=bool)
    linked[structure.graph.target] = True
    linked[structure.original[linked]] = True  # by a copy or a redirect
    proper = (structure.pages.role > Role.HOME) & (structure.pages.role < Role.DUPLICATE)

    assert linked[proper].all()
