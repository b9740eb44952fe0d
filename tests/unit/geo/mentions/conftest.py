"""The knowledge of the real gazetteer, loaded once."""

from __future__ import annotations

import pytest

from geoscout.gazetteer import SqliteGazetteer
from geoscout.geo.mentions import NameKnowledge


@pytest.fixture(scope="session")
def knowledge(gazetteer: SqliteGazetteer) -> NameKnowledge:
    return NameKnowledge.load(gazetteer)
