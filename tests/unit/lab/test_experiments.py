"""Every published experiment can be loaded, and files are named by the code they depend on."""

import pytest

from geoscout.settings import Settings
from geoscout_lab.ahlers2009.experiment import tables
from geoscout_lab.experiments import EXPERIMENTS, code_digest, load_experiment
from geoscout_lab.study.study import Study, read_budget
from geoscout_lab.worlds.archive_pages import archive_file
from geoscout_places.errors import UsageError


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_experiment_says_what_it_runs(name):
    experiment = load_experiment(name)

    assert experiment.name == name
    assert experiment.strategies
    assert read_budget(experiment.budget, 1000) > 0


def test_unknown_experiment_is_refused_with_those_there_are():
    with pytest.raises(UsageError, match="ahlers2009"):
        load_experiment("none2000")


def test_harvest_of_ahlers_and_boll_stands_beside_ours():
    unit = {"web": "1", "region": "Berlin", "budget": 100}
    runs = [
        {**unit, "strategy": "breadth", "harvest": 0.05},
        {
            **unit,
            "strategy": "adaptive:depth=3:counted=no",
            "harvest": 0.1,
            "harvest_counted": 0.07,
        },
        {**unit, "strategy": "oracle", "harvest": 0.2, "oracle": True},
    ]

    _, harvest, graph = tables(runs)

    assert not graph.rows
    assert harvest.rows[0] == ("breadth", "0.05", None, 0.04, "1.00", 1.0)
    assert harvest.rows[1] == ("adaptive:depth=3:counted=no", "0.100", 0.07, 0.12, "2.00", 3.0)


def test_harvest_by_seeds_stands_in_a_row_for_each_set():
    unit = {"region": "Berlin", "budget": 100, "strategy": "breadth"}
    webs = {"ahlers2009-1": 0.05, "ahlers2009:seeds=5-1": 0.04, "ahlers2009:seeds=5-2": 0.02}
    runs = [{**unit, "web": web, "harvest": harvest} for web, harvest in webs.items()]

    (table,) = tables(runs)

    assert [row[0] for row in table.rows] == ["as they are: 20 hosts of the region", "seeds=5"]
    assert table.rows[1][1] == "0.03 (0.02–0.04)"


def test_digest_is_that_of_its_parts_and_they_must_be_there():
    one, more = ("geoscout/strategy",), ("geoscout/strategy", "geoscout_places/model.py")

    assert code_digest(*one) == code_digest(*one) != code_digest(*more)
    with pytest.raises(FileNotFoundError):
        code_digest("evaluate")


def test_code_that_studies_and_archives_depend_on_is_there():
    assert Study((), ("breadth",), "100").code
    assert archive_file([], Settings()).name.startswith("archive-")
