"""Small webs of every profile, made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web, profile_names
from geoscout_places.parse import parse_html

if TYPE_CHECKING:
    from geoscout_places.gazetteer import SqliteGazetteer


@pytest.fixture(scope="session")
def webs(gazetteer: SqliteGazetteer) -> dict[str, SyntheticWeb]:
    return {
        name: make_web(WebPlan(name, random_seed=1, pages=6000), gazetteer, parse_html)
        for name in profile_names()
    }


@pytest.fixture(scope="session")
def web(webs: dict[str, SyntheticWeb]) -> SyntheticWeb:
    """The one with everything in it."""
    return webs["web2025"]
