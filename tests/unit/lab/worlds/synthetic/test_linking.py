from __future__ import annotations

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic.linking import Edges, Tie, WeightedChoice, compress, distinct
from geoscout_lab.worlds.synthetic.pages import Role


def test_choice_stays_in_its_group_and_follows_the_weights():
    group_of = np.array([0, 1, 1, 0])
    choice = WeightedChoice.of(np.arange(4), group_of, np.array([1.0, 1.0, 3.0, 5.0]))

    drawn = choice.draw(np.ones(8000, int), np.zeros(8000, int), np.random.default_rng(1))

    assert set(drawn.tolist()) == {1, 2}
    assert (drawn == 2).mean() == pytest.approx(0.75, abs=0.02)


def test_empty_group_gives_what_was_said_otherwise():
    choice = WeightedChoice.of(np.array([0]), np.array([4]), np.array([1.0]))

    drawn = choice.draw(np.array([2, 4]), np.array([7, 7]), np.random.default_rng(1))

    assert drawn.tolist() == [7, 0]


def test_menu_is_on_every_page(web):
    structure = web.structure
    pages = structure.pages
    page = int(np.flatnonzero(pages.role == Role.CONTENT)[0])

    ties = structure.graph.ties(page).tolist()

    assert ties.count(Tie.HOME) == 1
    assert ties.count(Tie.SECTION) == structure.sections[pages.host[page]]


def test_every_proper_page_is_linked_from_somewhere(web):
    structure = web.structure
    linked = np.zeros(web.size, dtype=bool)
    linked[structure.graph.target] = True
    linked[structure.original[linked]] = True  # by a copy or a redirect
    proper = (structure.pages.role > Role.HOME) & (structure.pages.role < Role.DUPLICATE)

    assert linked[proper].all()


def _edges(*rows: tuple[int, int, Tie]) -> Edges:
    source, target, tie = zip(*rows, strict=True)
    return Edges(np.array(source), np.array(target), np.array(tie, dtype=np.int8))


def test_target_is_kept_once_where_it_stands_first_and_never_the_page_itself():
    rows = ((0, 5, Tie.SIBLING), (0, 5, Tie.SECTION), (0, 2, Tie.CHILD), (0, 0, Tie.HOME))

    edges = distinct(_edges(*rows))

    assert edges.target.tolist() == [5, 2]
    assert edges.tie.tolist() == [Tie.SECTION, Tie.CHILD]


def test_compressed_rows_are_those_of_their_pages():
    graph = compress(distinct(_edges((2, 0, Tie.HOME), (0, 1, Tie.TEXT), (0, 2, Tie.HOME))), 3)

    assert [graph.targets(page).tolist() for page in range(3)] == [[2, 1], [], [0]]
    assert graph.ties(0).tolist() == [Tie.HOME, Tie.TEXT]


@pytest.mark.parametrize(
    ("role", "share"),
    [
        (Role.DUPLICATE, 0.22),
        (Role.REDIRECT, 0.08),
        (Role.DEAD, 0.12),
        (Role.SOFT_ERROR, 0.02),
    ],
)
def test_noise_comes_in_its_shares(web, role, share):
    structure = web.structure

    assert (structure.pages.role == role).mean() == pytest.approx(share, abs=0.005)
    assert structure.blocked.mean() == pytest.approx(0.03, abs=0.005)
    assert web.size == pytest.approx(6000, abs=5)


def test_redirect_has_one_target(web):
    moved = np.flatnonzero(web.structure.pages.role == Role.REDIRECT)[:200].tolist()

    assert {web.status(page) for page in moved} == {301}
    assert {len(web.targets(page)) for page in moved} == {1}


def test_copy_says_and_links_what_its_original_does(web):
    structure = web.structure
    copies = np.flatnonzero(structure.pages.role == Role.DUPLICATE)[:200].tolist()
    answering = [page for page in copies if web.status(int(structure.original[page])) == 200]

    for page in answering:
        original = int(structure.original[page])
        assert web.targets(page) == web.targets(original)
        assert web.is_relevant(page) == web.is_relevant(original)
        assert web.url(page) != web.url(original)


def test_dead_and_silent_pages_are_not_relevant(web):
    assert not web.structure.relevant[web.structure.status != 200].any()
