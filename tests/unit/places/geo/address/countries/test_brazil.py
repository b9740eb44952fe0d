"""Addresses of Brazil as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "Av. Paulista, 1578 - Bela Vista, São Paulo - SP, 01310-200",
        Expected(
            number="1578",
            street="Av. Paulista",
            city="São Paulo",
            region="SP",
            postcode="01310-200",
        ),
    ),
    (
        "Rua Augusta, 1000\nSão Paulo - SP, 01304-001",
        Expected(
            number="1000",
            street="Rua Augusta",
            city="São Paulo",
            region="SP",
            postcode="01304-001",
        ),
    ),
    (
        "Rua Cora Coralina, 330, Campinas - São Paulo, Brasil, CEP 13083-896",
        Expected(number="330", street="Rua Cora Coralina", city="Campinas", postcode="13083-896"),
    ),
    (
        "Av. Albert Einstein, 1300, sala 25\nCEP: 13083-852\nCampinas, SP",
        Expected(
            number="1300",
            street="Av. Albert Einstein",
            city="Campinas",
            region="SP",
            postcode="13083-852",
        ),
    ),
    (
        "Rua Siqueira Campos, nº 1.171, Centro, Porto Alegre - RS, CEP 90.010-001",
        Expected(
            number="1.171",
            street="Rua Siqueira Campos",
            city="Porto Alegre",
            region="RS",
            postcode="90.010-001",
        ),
    ),
    (
        "R. dos Arcos, 24 - a 50 - Centro, Rio de Janeiro - RJ, 20230-060",
        Expected(
            number="24",
            street="R. dos Arcos",
            city="Rio de Janeiro",
            region="RJ",
            postcode="20230-060",
        ),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_parts_of_an_address_are_read(
    text: str, expected: Expected, gazetteer: SqliteGazetteer
) -> None:
    check(text, "BR", expected, gazetteer)
