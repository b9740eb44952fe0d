"""A small archive, and a home folder that tests may write to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from geoscout.gazetteer.home import compiled_file
from geoscout.settings import Settings
from tests.unit.lab.archives import PAGES, write_archive


@pytest.fixture
def own_settings(tmp_path: Path, settings: Settings, gazetteer: object) -> Settings:
    """Settings with a home of their own that has the built gazetteer."""
    own = replace(settings, home=str(tmp_path / "home"))
    compiled_file(own).parent.mkdir()
    compiled_file(own).symlink_to(compiled_file(settings))
    return own


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return write_archive(tmp_path / "pages.warc.gz", PAGES)
