from __future__ import annotations

from typing import Any

from geoscout_lab.experiments import Cell
from geoscout_lab.gao2006.checks import checks_tables
from geoscout_lab.gao2006.tables import PAPER, SIX

KEYS = ("geo_centrality", "overlap", "diversity", "communication")


def as_published(web: str = "1") -> list[dict[str, Any]]:
    """The paper's own numbers as if they were a run of ours."""
    runs = []
    for name in SIX:
        figures: dict[str, Any] = {"collaboration": name, "web": web, "random_seed": 0}
        figures |= {key: PAPER["single"][key][name] for key in KEYS}
        figures["geo_coverage"] = PAPER["geo_coverage"][name][6]
        figures["geo_focus_where_measured"] = PAPER["geo_focus"].get(name, [0.2])[-1]
        figures["unique_entities"] = PAPER["unique_entities"][name][-1]
        if name in PAPER["locality"]:
            figures["locality_linked"] = PAPER["locality"][name]["linked"]
            figures["locality_unlinked"] = PAPER["locality"][name]["unlinked"]
        runs.append(figures)
    return runs


def rows_of(runs: list[dict[str, Any]]) -> dict[Cell, tuple[Cell, ...]]:
    return {row[0]: row[1:] for table in checks_tables(runs) for row in table.rows}


def test_the_papers_own_numbers_pass_every_check() -> None:
    published, further = checks_tables(as_published())

    assert {row[1:] for row in (*published.rows, *further.rows)} == {("yes", 1, 1)}
    assert (len(published.rows), len(further.rows)) == (22, 10)
    assert published.note == "22 of 22 hold for the means over webs."


def test_webs_on_which_a_check_holds_are_counted() -> None:
    other = as_published("2")
    other[0]["geo_coverage"] = 0.5  # hash

    rows = rows_of([*as_published(), *other])

    assert rows["coverage: classifier > hash"] == ("no", 1, 2)
    assert rows["coverage: url > content"] == ("yes", 2, 2)


def test_ratio_is_that_of_the_means() -> None:
    """On the second web hash finds next to nothing, which makes its own ratio 725."""
    other = as_published("2")
    other[0]["geo_coverage"] = 0.0001

    rows = rows_of([*as_published(), *as_published("3"), *other])

    assert rows["coverage: url / hash between 4 and 12"] == ("no", 2, 3)  # 12.6
    other[0]["geo_coverage"] = 0.002
    rows = rows_of([*as_published(), *as_published("3"), *other])
    assert rows["coverage: url / hash between 4 and 12"] == ("yes", 2, 3)  # 11.3


def test_order_of_diversity_is_checked_pair_by_pair() -> None:
    runs = as_published()
    runs[1]["diversity"] = 0.06  # url, above the classifier

    rows = rows_of(runs)

    assert rows["diversity: classifier > url"] == ("no", 0, 1)
    assert rows["diversity: anchor > classifier"] == ("yes", 1, 1)


def test_what_was_not_run_is_not_checked() -> None:
    assert rows_of(as_published()[:1]) == {}
