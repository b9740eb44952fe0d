from typing import Any

import pytest

from geoscout_lab.gao2006.tables import SIX, cost_of_a_page, grade, tables

NODES = ["Cn0", "Cn1", "Cn2", "Cn3", "Cn4", "Cn5"]


def run(name: str, value: float = 0.1, **more: Any) -> dict[str, Any]:
    by_node = dict.fromkeys(NODES, value)
    figures: dict[str, Any] = {"collaboration": name, "web": "w", "random_seed": 0, "downloads": 9}
    for key in ("geo_coverage", "geo_focus", "unique_entities"):
        figures |= {key: value, f"{key}_by_node": by_node}
    figures["geo_coverage_without_general"] = value
    figures["geo_focus_where_measured"] = value
    for key in ("geo_centrality", "overlap", "diversity", "communication"):
        figures[key] = value
    return {**figures, **more}


def test_all_tables_of_the_paper_are_there():
    made = tables([run(name) for name in SIX])
    titles = " ".join(table.title for table in made)
    numbers = {str(row[0]).partition(" ")[0] for row in made[0].rows}

    assert numbers >= {"3", "4", "5", "6", "7", "8", "9"}
    assert all(f"(table {number})" in titles for number in (2, 3, 4, 5, 10, 11))
    assert "lemma 2" in titles


def test_theirs_stand_below_ours():
    (coverage,) = [t for t in tables([run("url", 0.5)]) if "table 3" in t.title]

    assert coverage.rows[0] == ("url", "ours", *[0.5] * 8)
    assert coverage.rows[1][:3] == ("url", "published", 0.0304)


def test_coverage_over_hash_is_a_ratio_of_means():
    runs = [run("hash", 0.1), run("hash", 0.3), run("url", 0.8), run("url", 0.8)]

    (ratios,) = [row for row in tables(runs)[0].rows if row[0] == "… over that of hash"]

    assert ratios[2] == "8.43/4.00 (2.67–8.00)"


def test_nodes_of_another_partition_are_not_compared_with_theirs():
    other = {"north": 0.5, "south": 0.5}
    figures = {f"{k}_by_node": other for k in ("geo_coverage", "geo_focus", "unique_entities")}

    found = tables([run("url", **figures)])

    by_node = [table for table in found if "ours" in str(table.rows)]
    assert len(by_node) == 3
    assert all("published" not in row for table in by_node for row in table.rows)


def test_means_are_over_webs():
    (overlap,) = [
        row for row in tables([run("url", 0.1), run("url", 0.3)])[0].rows if row[0] == "7 overlap"
    ]

    assert overlap[1] == "0/0.200 (0.100–0.300)"


def test_grades_follow_the_rule():
    more = grade({"a": 10.0, "b": 8.0, "c": 5.0, "d": 2.0}, more_is_better=True)
    less = grade({"a": 0.0, "b": 0.1, "c": 0.4}, more_is_better=False)

    assert more == {"a": "good", "b": "good", "c": "not bad", "d": "bad"}
    assert less == {"a": "good", "b": "not bad", "c": "bad"}


def test_locality_is_shown_with_its_lift():
    measured = run("url", locality_linked=0.4, locality_unlinked=0.02)

    (table,) = [t for t in tables([measured]) if "table 11" in t.title]

    assert table.rows[0][5] == pytest.approx(20)


def test_policies_are_compared_by_what_a_new_page_costs():
    one = run("url", overlap=0.0, communication=1.0)
    every = run("url:policy=B", overlap=0.5, communication=2.0)

    (table,) = [t for t in tables([one, every]) if "lemma 2" in t.title]

    assert cost_of_a_page([one]) == 4
    assert table.rows == (("url", 4.0, 10.0, 2.5),)
