"""What the tests of extras share: a place to install stand-ins of the packages in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from geoscout_places.gazetteer.imports.areas import AreaCodes
from tests.unit.places.gazetteer.extras.packages import FAKE_LIBRARIES
from tests.unit.places.gazetteer.imports.samples import AREAS


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path of modules, empty but for the libraries."""
    folder = tmp_path / "site"
    folder.mkdir()
    for name, code in FAKE_LIBRARIES.items():
        (folder / f"{name}.py").write_text(code)
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(folder)
    yield folder
    for name in FAKE_LIBRARIES:
        sys.modules.pop(name, None)


@pytest.fixture
def areas(tmp_path: Path) -> AreaCodes:
    table = tmp_path / "areas.tsv"
    table.write_text(AREAS, encoding="utf-8")
    return AreaCodes(table)
