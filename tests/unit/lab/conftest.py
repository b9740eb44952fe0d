"""A small archive, and a home folder that tests may write to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.homes import home_with_gazetteer
from tests.unit.lab.archives import PAGES, write_archive

if TYPE_CHECKING:
    from pathlib import Path

    from geoscout.settings import Settings


@pytest.fixture
def own_settings(tmp_path: Path, settings: Settings, gazetteer: object) -> Settings:
    """Settings with a home of their own that has the built gazetteer."""
    home = home_with_gazetteer(tmp_path / "home", settings)
    return replace(settings, home=str(home))


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return write_archive(tmp_path / "pages.warc.gz", PAGES)
