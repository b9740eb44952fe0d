from __future__ import annotations

from typing import Any

from geoscout.lab.gao2006.checks import PUBLISHED_CLASSIFIER, checks_table
from geoscout.lab.gao2006.tables import PAPER, SIX

KEYS = ("geo_centrality", "overlap", "communication")


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


def test_the_papers_own_numbers_pass_every_check() -> None:
    rows = checks_table(as_published()).rows

    assert [row for row in rows if row[1] != row[2]] == []
    assert len(rows) == 22


def test_webs_on_which_a_check_holds_are_counted() -> None:
    other = as_published("2")
    other[0]["geo_coverage"] = 0.5  # hash

    rows = {row[0]: row[1:] for row in checks_table([*as_published(), *other]).rows}

    assert rows["coverage: classifier > hash"] == (1, 2)
    assert rows["coverage: url > content"] == (2, 2)


def test_the_published_classifier_is_stood_in_for() -> None:
    runs = as_published()
    wrong = {**runs[4], "collaboration": PUBLISHED_CLASSIFIER, "overlap": 0.0}

    rows = {row[0]: row[1:] for row in checks_table([*runs, wrong]).rows}

    assert rows["overlap: classifier > content"] == (0, 1)


def test_what_was_not_run_is_not_checked() -> None:
    assert checks_table(as_published()[:1]).rows == ()
