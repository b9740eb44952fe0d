"""Opening hours become those of OpenStreetMap, or nothing."""

import pytest

from geoscout_directory.opening import hours_of_item, hours_of_lines
from geoscout_places.model import Item


def item(*properties: tuple[str, str | Item]) -> Item:
    return Item("json-ld", ("Restaurant",), properties)


def specification(days: tuple[str, ...], opens: str, closes: str, **more: str) -> Item:
    named = tuple(("dayOfWeek", day) for day in days)
    times = (("opens", opens), ("closes", closes), *more.items())
    return Item("json-ld", ("OpeningHoursSpecification",), (*named, *times))


def test_rules_of_schema_org_are_read():
    stated = item(
        ("openingHours", "Mo-Fr 09:00-12:00, 13:00-17:00"), ("openingHours", "Sa 9:00-12:00")
    )

    assert hours_of_item(stated) == "Mo-Fr 09:00-12:00,13:00-17:00; Sa 09:00-12:00"


def test_specifications_are_read():
    christmas = specification(("Monday",), "10:00", "12:00", validFrom="2026-12-24")
    weekdays = ("https://schema.org/Monday", "Tuesday", "http://schema.org/Wednesday")
    stated = item(
        ("openingHoursSpecification", specification(weekdays, "09:00:00", "17:00")),
        ("openingHoursSpecification", specification(("Sunday",), "00:00", "00:00")),
        ("openingHoursSpecification", christmas),
    )  # fmt: skip

    assert hours_of_item(stated) == "Mo-We 09:00-17:00; Su off"


def test_hours_that_are_read_half_are_not_given():
    assert hours_of_item(item(("openingHours", "Mo-Fr 09:00-17:00 except in May"))) == ""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Mo-Fr 9-17 Uhr"], "Mo-Fr 09:00-17:00"),
        (["Mo. - Fr. 8.00 - 12.00 Uhr und 13.00 - 18.00 Uhr, Sa 8-12 Uhr"],
         "Mo-Fr 08:00-12:00,13:00-18:00; Sa 08:00-12:00"),
        (["Monday", "9 am - 5:30 pm", "Tuesday", "closed"], "Mo 09:00-17:30; Tu off"),
        (["Täglich 10 bis 22 Uhr"], "Mo-Su 10:00-22:00"),
        (["Mon-Thurs 11-9, Fri-Sat 11-10pm"], "Mo-Th 11:00-21:00; Fr,Sa 11:00-22:00"),
        (["Fri & Sat 5pm-2am"], "Fr,Sa 17:00-02:00"),
        (["Do 10:00 - 20:00", "Sa geschlossen"], "Th 10:00-20:00; Sa off"),
        (["Lu 10:00 - 18:00", "Do 10:00 - 12:00"], "Mo 10:00-18:00; Su 10:00-12:00"),
        (["Mo-Su 08:00 - 00:00"], "Mo-Su 08:00-24:00"),
        (["Du lundi au jeudi : 8 h 30 à midi et de 13 h à 20 h 30"],
         "Mo-Th 08:30-12:00,13:00-20:30"),
        (["Tuesday", "9:00 am - 12:00 pm", "1:00 pm - 5:00 pm", "Phone 555-1234"],
         "Tu 09:00-12:00,13:00-17:00"),
        (["Mon 1:00-5:00", "Fri 8:30-4:00"], "Mo 13:00-17:00; Fr 08:30-16:00"),
        (["Hours of operation: Mon-Fri 9am-5pm"], "Mo-Fr 09:00-17:00"),
    ],
)  # fmt: skip
def test_lines_are_read(lines, expected):
    assert hours_of_lines(lines) == expected


@pytest.mark.parametrize(
    "line", ["We met at 5 to 6", "So ist das 12-14 mal", "Call 089 233-00", "Mo and Jo 12 songs"]
)
def test_other_lines_say_nothing(line):
    assert hours_of_lines([line]) == ""
