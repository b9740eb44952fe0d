"""The knowledge of the real gazetteer, loaded once."""

import pytest

from geoscout_places.geo.mentions import NameKnowledge


@pytest.fixture(scope="session")
def knowledge(gazetteer):
    return NameKnowledge.load(gazetteer)
