"""Small webs of every profile, made once."""

from __future__ import annotations

import pytest

from geoscout_lab.worlds.synthetic import WebPlan, make_web, profile_names
from geoscout_places.parse import parse_html


@pytest.fixture(scope="session")
def webs(gazetteer):
    return {
        name: make_web(WebPlan(name, random_seed=1, pages=6000), gazetteer, parse_html)
        for name in profile_names()
    }


@pytest.fixture(scope="session")
def web(webs):
    """The one with everything in it."""
    return webs["web2025"]
