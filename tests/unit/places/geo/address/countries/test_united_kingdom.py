"""Addresses of the United Kingdom as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "10 Downing Street, London, SW1A 2AA",
        Expected(number="10", street="Downing Street", city="London", postcode="SW1A 2AA"),
    ),
    (
        "Flat 2, 14 Baker Street\nMarylebone\nLondon\nW1U 3BU",
        Expected(number="14", street="Baker Street", city="London", postcode="W1U 3BU"),
    ),
    (
        "University of Oxford, Wellington Square, Oxford OX1 2JD, UK",
        Expected(street="Wellington Square", city="Oxford", postcode="OX1 2JD"),
    ),
    (
        "The Old Rectory, Church Lane, Little Snoring, Fakenham, Norfolk NR21 0HZ",
        Expected(street="Church Lane", city="Fakenham", region="Norfolk", postcode="NR21 0HZ"),
    ),
    (
        "Unit 5, Riverside Business Park, Station Road, Kendal, Cumbria, LA9 6BT",
        Expected(street="Station Road", city="Kendal", region="Cumbria", postcode="LA9 6BT"),
    ),
    (
        "221B Baker Street, London NW1 6XE",
        Expected(number="221B", street="Baker Street", city="London", postcode="NW1 6XE"),
    ),
    (
        "Registered office: 1 Churchill Place, London E14 5HP.",
        Expected(number="1", street="Churchill Place", city="London", postcode="E14 5HP"),
    ),
    (
        "71-75 Shelton Street\nCovent Garden\nLondon\nWC2H 9JQ\nUnited Kingdom",
        Expected(number="71-75", street="Shelton Street", city="London", postcode="WC2H 9JQ"),
    ),
    (
        "12 High Street, Guildford, Surrey, GU1 3AA",
        Expected(
            number="12", street="High Street", city="Guildford", region="Surrey", postcode="GU1 3AA"
        ),
    ),
    (
        "15 Castle Street, Belfast, Northern Ireland BT1 1GB",
        Expected(number="15", street="Castle Street", city="Belfast", postcode="BT1 1GB"),
    ),
    (
        "48 Byres Road\nGlasgow G12 8QX",
        Expected(number="48", street="Byres Road", city="Glasgow", postcode="G12 8QX"),
    ),
    (
        "125 Princes St, Edinburgh EH2 4AD",
        Expected(number="125", street="Princes St", city="Edinburgh", postcode="EH2 4AD"),
    ),
    (
        "3rd Floor, 86-90 Paul Street, London, England, EC2A 4NE",
        Expected(number="86-90", street="Paul Street", city="London", postcode="EC2A 4NE"),
    ),
    (
        "Rose Cottage, 7 The Green, Chipping Campden, Glos. GL55 6DN",
        Expected(number="7", street="The Green", city="Chipping Campden", postcode="GL55 6DN"),
    ),
    ("PO Box 123, Leeds LS1 1AA", Expected(street="PO Box 123", city="Leeds", postcode="LS1 1AA")),
    (
        "160 Piccadilly, London W1J 9EB",
        Expected(number="160", street="Piccadilly", city="London", postcode="W1J 9EB"),
    ),
    (
        "Blenheim Palace, Woodstock, Oxfordshire, OX20 1PP",
        Expected(city="Woodstock", region="Oxfordshire", postcode="OX20 1PP"),
    ),
    (
        "12a, Mill Lane, Cambridge. CB2 1RX",
        Expected(number="12a", street="Mill Lane", city="Cambridge", postcode="CB2 1RX"),
    ),
    (
        "Address:\n7 Savoy Court\nStrand\nLondon\nGreater London\nWC2R 0EX",
        Expected(
            number="7",
            street="Savoy Court",
            city="London",
            region="Greater London",
            postcode="WC2R 0EX",
        ),
    ),
    (
        "The Manor House, High Street, Stoke Poges, Slough, Berkshire SL2 4PA",
        Expected(street="High Street", city="Slough", region="Berkshire", postcode="SL2 4PA"),
    ),
    (
        "Company No. 01234567. Registered in England at 25 Old Broad Street, London EC2N 1HN. VAT",
        Expected(number="25", street="Old Broad Street", city="London", postcode="EC2N 1HN"),
    ),
    (
        "St Mary's Hospital, Praed St, Paddington, London W2 1NY",
        Expected(street="Praed St", city="London", postcode="W2 1NY"),
    ),
    (
        "2 St. Mary's Road\nLondon SE15 2DW",
        Expected(number="2", street="St. Mary's Road", city="London", postcode="SE15 2DW"),
    ),
    (
        "Tel 01223 333300 | Trinity Lane, Cambridge, CB2 1TN",
        Expected(street="Trinity Lane", city="Cambridge", postcode="CB2 1TN"),
    ),
    (
        "10-12 Queen Street, Cardiff, CF10 2AF, Wales",
        Expected(number="10-12", street="Queen Street", city="Cardiff", postcode="CF10 2AF"),
    ),
    (
        "Ground Floor, 5 New Street Square, London EC4A 3TW",
        Expected(number="5", street="New Street Square", city="London", postcode="EC4A 3TW"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_address_is_read(text: str, expected: Expected, gazetteer: SqliteGazetteer) -> None:
    check(text, "GB", expected, gazetteer)
