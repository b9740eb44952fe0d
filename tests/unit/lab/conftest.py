"""A small archive, and a home folder that tests may write to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.homes import home_with_gazetteer
from tests.unit.lab.archives import PAGES, write_archive


@pytest.fixture
def own_settings(tmp_path, settings, gazetteer):
    """Settings with a home of their own that has the built gazetteer."""
    home = home_with_gazetteer(tmp_path / "home", settings)
    return replace(settings, home=str(home))


@pytest.fixture
def archive(tmp_path):
    return write_archive(tmp_path / "pages.warc.gz", PAGES)
