"""What the tests of imports share: a table of a few countries and regions."""

from __future__ import annotations

from pathlib import Path

import pytest

from geoscout_places.gazetteer.imports.areas import AreaCodes
from tests.unit.places.gazetteer.imports.samples import AREAS


@pytest.fixture
def areas(tmp_path: Path) -> AreaCodes:
    table = tmp_path / "areas.tsv"
    table.write_text(AREAS, encoding="utf-8")
    return AreaCodes(table)
