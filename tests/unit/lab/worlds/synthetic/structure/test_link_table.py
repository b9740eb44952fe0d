from __future__ import annotations

import numpy as np

from geoscout_lab.worlds.synthetic.structure.linking import Edges, Tie, compress, distinct


def _edges(*rows: tuple[int, int, Tie]) -> Edges:
    source, target, tie = zip(*rows, strict=True)
    return Edges(np.array(source), np.array(target), np.array(tie, dtype=np.int8))


def test_target_is_kept_once_where_it_stands_first() -> None:
    edges = distinct(_edges((0, 5, Tie.SIBLING), (0, 5, Tie.SECTION), (0, 2, Tie.CHILD)))

    assert edges.target.tolist() == [5, 2]
    assert edges.tie.tolist() == [Tie.SECTION, Tie.CHILD]


def test_page_does_not_link_to_itself() -> None:
    assert distinct(_edges((3, 3, Tie.HOME), (3, 1, Tie.HOME))).target.tolist() == [1]


def test_compressed_rows_are_those_of_their_pages() -> None:
    graph = compress(distinct(_edges((2, 0, Tie.HOME), (0, 1, Tie.TEXT), (0, 2, Tie.HOME))), 3)

    assert [graph.targets(page).tolist() for page in range(3)] == [[2, 1], [], [0]]
    assert graph.ties(0).tolist() == [Tie.HOME, Tie.TEXT]
