"""Addresses of Japan as people write them, in Latin script and in Japanese."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "1-2-3 Shibuya, Shibuya-ku, Tokyo 150-0002, Japan",
        Expected(number="1-2-3", street="Shibuya", city="Tokyo", postcode="150-0002"),
    ),
    (
        "5-1-5 Kashiwanoha, Kashiwa, Chiba 277-8564, Japan",
        Expected(number="5-1-5", street="Kashiwanoha", city="Kashiwa", postcode="277-8564"),
    ),
    (
        "19-19, Chayamachi, Kita-ku, Osaka 530-0013",
        Expected(number="19-19", street="Chayamachi", city="Osaka", postcode="530-0013"),
    ),
    (
        "Yoshida Honmachi, Sakyo-ku, Kyoto 606-8501",
        Expected(street="Yoshida Honmachi", city="Kyoto", postcode="606-8501"),
    ),
    (
        "〒150-0031\n16-13 Sakuragaoka-cho, Shibuya-ku, Tokyo",
        Expected(number="16-13", street="Sakuragaoka-cho", city="Tokyo", postcode="150-0031"),
    ),
    (
        "〒150-0002 東京都渋谷区渋谷２丁目２１−１",
        Expected(
            number="２丁目２１−１",
            street="渋谷",
            city="渋谷区",
            region="東京都",
            postcode="150-0002",
        ),
    ),
    (
        "〒810-0001\n福岡県福岡市中央区天神2丁目2番12号",
        Expected(
            number="2丁目2番12号",
            street="中央区天神",
            city="福岡市",
            region="福岡県",
            postcode="810-0001",
        ),
    ),
    (
        "〒060-0001 北海道札幌市中央区北1条西1-1",
        Expected(
            number="1-1",
            street="中央区北1条西",
            city="札幌市",
            region="北海道",
            postcode="060-0001",
        ),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_parts_of_an_address_are_read(
    text: str, expected: Expected, gazetteer: SqliteGazetteer
) -> None:
    check(text, "JP", expected, gazetteer)
