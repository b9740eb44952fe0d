"""What a citation says agrees with the package."""

import tomllib

import yaml

from geoscout import __version__
from tests.conftest import PROJECT


def test_the_citation_has_version_and_licence_of_the_package():
    citation = yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert str(citation["version"]) == __version__
    assert citation["license"] == project["license"]
    assert citation["title"] == project["name"]
