"""The three projects that are published hold together what the one in the clone holds."""

import re
import tomllib
from collections import Counter
from typing import Any

import pytest

import geoscout
from tests.conftest import PROJECT

PACKAGES = {
    "geoscout-places": {"geoscout_places"},
    "geoscout": {"geoscout", "geoscout_cluster", "geoscout_directory"},
    "geoscout-lab": {"geoscout_lab"},
}
IN_CLONE: dict[str, Any] = tomllib.loads((PROJECT / "pyproject.toml").read_text())
PUBLISHED: dict[str, dict[str, Any]] = {
    name: tomllib.loads((PROJECT / "packaging" / name / "pyproject.toml").read_text())
    for name in PACKAGES
}


def own(requirements: list[str]) -> list[str]:
    return [one for one in requirements if one.startswith("geoscout")]


def others(requirements: list[str]) -> list[str]:
    return [one for one in requirements if not one.startswith("geoscout")]


def test_each_package_is_in_one_project():
    found = {
        name: {path.removeprefix("src/") for path in table["packages"]}
        for name, project in PUBLISHED.items()
        for table in [project["tool"]["hatch"]["build"]["targets"]["wheel"]]
    }

    assert found == PACKAGES
    assert set().union(*PACKAGES.values()) == {
        path.name for path in (PROJECT / "src").iterdir() if (path / "__init__.py").exists()
    }


def test_projects_need_what_the_clone_needs_and_each_other_in_one_version():
    needed = {name: project["project"]["dependencies"] for name, project in PUBLISHED.items()}
    version = geoscout.__version__

    assert {project["project"]["version"] for project in PUBLISHED.values()} == {version}
    assert own(needed["geoscout-places"]) == []
    assert own(needed["geoscout"]) == [f"geoscout-places=={version}"]
    assert own(needed["geoscout-lab"]) == [f"geoscout=={version}"]
    assert others(needed["geoscout-lab"]) == IN_CLONE["project"]["optional-dependencies"]["lab"]
    together = others(needed["geoscout-places"]) + others(needed["geoscout"])
    assert sorted(together) == sorted(IN_CLONE["project"]["dependencies"])


def test_every_extra_and_entry_point_of_the_clone_is_published():
    extras: dict[str, list[str]] = {}
    points: Counter[tuple[str, str, str]] = Counter()
    for project in PUBLISHED.values():
        for extra, wanted in project["project"].get("optional-dependencies", {}).items():
            extras[extra] = others(wanted) or extras.get(extra, [])
        points.update(points_of(project))

    wanted = IN_CLONE["project"]["optional-dependencies"]
    kept = {name: others(wanted[name]) for name in wanted if name not in ("dev", "lab")}
    assert {name: extras[name] for name in kept} == kept
    assert "lab" in PUBLISHED["geoscout"]["project"]["optional-dependencies"]
    assert points == Counter(points_of(IN_CLONE))


def points_of(project: dict[str, Any]) -> list[tuple[str, str, str]]:
    groups = project["project"].get("entry-points", {})
    return [(group, *one) for group, points in groups.items() for one in points.items()]


@pytest.mark.parametrize("name", PACKAGES)
def test_an_entry_point_is_published_with_its_package(name):
    targets = {target.partition(".")[0] for _, _, target in points_of(PUBLISHED[name])}

    assert targets <= PACKAGES[name]


def test_places_need_no_server_no_index_and_no_event_loop():
    wanted = PUBLISHED["geoscout-places"]["project"]["dependencies"]
    names = {re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in wanted}

    assert len(names) <= 12
    assert not names & {"aiohttp", "fastapi", "starlette", "tantivy", "uvicorn", "uvloop", "h3"}
