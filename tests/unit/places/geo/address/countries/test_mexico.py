"""Addresses of Mexico as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "Av. Insurgentes Sur 1234, Col. Del Valle, C.P. 03100, Ciudad de México",
        Expected(
            number="1234",
            street="Av. Insurgentes Sur",
            city="Ciudad de México",
            postcode="03100",
        ),
    ),
    (
        "Calle 60 #401, Centro, 97000 Mérida, Yuc.",
        Expected(number="401", street="Calle 60", city="Mérida", region="Yuc", postcode="97000"),
    ),
    (
        "Juan Zuazua 1100 Sur, Centro\n64000 Monterrey, N.L.",
        Expected(
            number="1100", street="Juan Zuazua", city="Monterrey", region="N.L", postcode="64000"
        ),
    ),
    (
        "Av. Vallarta #1300\nGuadalajara, Jalisco, México C.P. 44100",
        Expected(
            number="1300",
            street="Av. Vallarta",
            city="Guadalajara",
            region="Jalisco",
            postcode="44100",
        ),
    ),
    (
        "José María Rico No. 212\nColonia Actipan\nMéxico, D.F. C.P. 03100",
        Expected(
            number="212", street="José María Rico", city="México", region="D.F", postcode="03100"
        ),
    ),
    (
        "6 Poniente 905 Colonia Centro, Puebla, Puebla, C.P. 72000",
        Expected(number="905", street="6 Poniente", city="Puebla", postcode="72000"),
    ),
    (
        "5 de Mayo No. 75, Centro Histórico, C.P. 76000 Querétaro, Qro.",
        Expected(number="75", street="5 de Mayo", city="Querétaro", region="Qro", postcode="76000"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_parts_of_an_address_are_read(
    text: str, expected: Expected, gazetteer: SqliteGazetteer
) -> None:
    check(text, "MX", expected, gazetteer)
