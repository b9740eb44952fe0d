import pytest

from geoscout_places.geo.address.base import StreetEvidence
from geoscout_places.geo.address.english_streets import (
    is_doubtful_number,
    is_named_unit,
    is_number,
    is_unit,
    number_end,
    read_box,
    read_direction,
    read_pair,
    read_street,
    read_unnumbered,
)
from geoscout_places.geo.address.segments import Segment, segment_words


def _segment(text: str, start: int = 0) -> Segment:
    return Segment(start, start + len(text), text, "\n", "\n")


@pytest.mark.parametrize(
    ("text", "number", "name", "unit"),
    [
        ("8128 S. DR MARTIN LUTHER KING JR Drive", "8128", "S. DR MARTIN LUTHER KING JR Drive", ""),
        ("1325 W 7th St Ste G", "1325", "W 7th St", "Ste G"),
        ("3813 1/2 Some Road", "3813 1/2", "Some Road", ""),
        ("113½ E. Palace Ave.", "113½", "E. Palace Ave.", ""),
        ("32-15 Astoria Blvd", "32-15", "Astoria Blvd", ""),
        ("75-5776 Alii Dr.", "75-5776", "Alii Dr.", ""),
        ("12 St. James Place", "12", "St. James Place", ""),
        ("9912 S. Avenue H", "9912", "S. Avenue H", ""),
        ("1401 79th Street Causeway", "1401", "79th Street Causeway", ""),
        ("2000 Avenue of the Stars", "2000", "Avenue of the Stars", ""),
        ("3340 FM 1092", "3340", "FM 1092", ""),
        ("4500 N US-1", "4500", "N US-1", ""),
        ("1610 W. AZ 89A", "1610", "W. AZ 89A", ""),
        ("1000 Indiana Highway 212", "1000", "Indiana Highway 212", ""),
        ("10006 County Road MM", "10006", "County Road MM", ""),
        ("9275 NE 48th Ct Apt 105", "9275", "NE 48th Ct", "Apt 105"),
        ("W148 N9748 Tree Tops Dr", "W148 N9748", "Tree Tops Dr", ""),
        ("One Yonge Street", "One", "Yonge Street", ""),
        ("100-102 Elm St", "100-102", "Elm St", ""),
        ("732 William St. 2nd FL", "732", "William St.", "2nd FL"),
        ("Inc. 350 Fifth Avenue", "350", "Fifth Avenue", ""),
        ("Suite 900 123 Main St", "123", "Main St", ""),
        ("300 east randolph street", "300", "east randolph street", ""),
        ("2531 Lake Rd./Rte. 14", "2531", "Lake Rd./Rte. 14", ""),
    ],
)
def test_street_with_a_street_word_is_certain(text: str, number: str, name: str, unit: str) -> None:
    street = read_street(_segment(text))

    assert street is not None
    assert (street.number, street.name, street.unit) == (number, name, unit)
    assert street.evidence is StreetEvidence.TYPED


@pytest.mark.parametrize("text", ["300 W. 2nd", "135 South Main", "450 South 900 East"])
def test_direction_or_ordinal_makes_a_street_likely(text: str) -> None:
    street = read_street(_segment(text))

    assert street is not None
    assert street.evidence is StreetEvidence.LIKELY


@pytest.mark.parametrize(
    ("text", "evidence"),
    [("4130 Upson Hall", StreetEvidence.BUILDING), ("2909 PASEO GRANDE", StreetEvidence.TYPED),
     ("500 Unicorn", StreetEvidence.BARE)],
)  # fmt: skip
def test_name_without_a_street_word_is_believed_less(text: str, evidence: StreetEvidence) -> None:
    street = read_street(_segment(text))

    assert street is not None
    assert street.evidence is evidence


@pytest.mark.parametrize(
    "text",
    [
        "12 Reviews",
        "3 Beds",
        "1993 at a highway rest area",
        "about 300 people walked down the street",
        "Main St",
        "Suite 900",
        "12:30 Main St",
        "5 of them took a long walk down Main Street to see the new shops there",
    ],
)
def test_other_numbers_are_no_street(text: str) -> None:
    assert read_street(_segment(text)) is None


def test_few_words_behind_a_street_do_no_harm() -> None:
    street = read_street(_segment("1 Belmont St. Send to Phone"))

    assert street is not None
    assert (street.name, street.end) == ("Belmont St.", 13)


@pytest.mark.parametrize("text", ["Morton Way", "Highway 2", "Old Mill Road"])
def test_street_without_number_fills_its_segment(text: str) -> None:
    street = read_unnumbered(_segment(text))

    assert street is not None
    assert (street.number, street.name) == ("", text)


@pytest.mark.parametrize("text", ["Old Town", "MS 41", "the long way", "Way"])
def test_other_names_are_no_street_without_number(text: str) -> None:
    assert read_unnumbered(_segment(text)) is None


@pytest.mark.parametrize("text", ["P.O. Box 12", "PO Box 1866", "RR 2 Box 45", "C.P. 6128"])
def test_box_is_read(text: str) -> None:
    box = read_box(_segment(text))

    assert box is not None
    assert (box.name, box.evidence) == (text, StreetEvidence.BOX)


def test_comma_may_part_number_and_street() -> None:
    street = read_pair(_segment("12a"), _segment("Mill Lane", start=5))

    assert street is not None
    assert (street.number, street.name, street.start, street.end) == ("12a", "Mill Lane", 0, 14)


def test_quadrant_may_have_a_door_behind_it() -> None:
    assert read_direction(_segment("NW Suite 900")) == ("NW", "Suite 900")


def test_town_is_no_quadrant() -> None:
    assert read_direction(_segment("North Platte")) == ("", "")


@pytest.mark.parametrize("text", ["12 Main", "12a Main", "12-14 Main", "32-15 Main", "One Main"])
def test_house_number_is_known(text: str) -> None:
    assert is_number(segment_words(text), 0)


@pytest.mark.parametrize("text", ["12:30 pm", "$12 off", "1.5 miles", "12. Main", "one of them"])
def test_other_number_is_no_house_number(text: str) -> None:
    assert not is_number(segment_words(f"There {text}"), 1)


def test_number_of_a_suite_is_no_house_number() -> None:
    assert not is_number(segment_words("Suite 900 Main"), 1)


def test_number_behind_a_floor_is_a_house_number() -> None:
    assert is_number(segment_words("4th Floor 900 Main"), 2)


@pytest.mark.parametrize(("text", "end"), [("55 1/2 Oak", 2), ("35 - 37 Oak", 3), ("12 Oak St", 1)])
def test_fraction_and_range_belong_to_the_number(text: str, end: int) -> None:
    assert number_end(segment_words(text), 0) == end


def test_telephone_number_is_doubtful() -> None:
    assert is_doubtful_number(segment_words("555-1234")[0])
    assert not is_doubtful_number(segment_words("75-5776")[0])


@pytest.mark.parametrize(
    "text",
    [
        "Suite 5",
        "Ste. 700",
        "#160",
        "Apt 4B",
        "2nd floor",
        "Lower Level",
        "Unit C-D",
        "Bldg 10 Rm 4",
    ],
)
def test_door_is_known(text: str) -> None:
    assert is_unit(_segment(text))


@pytest.mark.parametrize("text", ["Old Town", "Front Street", "Unit of the Army", "Main"])
def test_name_is_no_door(text: str) -> None:
    assert not is_unit(_segment(text))


def test_letter_and_number_are_no_door_before_a_street() -> None:
    assert is_unit(_segment("B-2"))
    assert not is_named_unit(_segment("B-2"))


@pytest.mark.parametrize("text", ["Flat 2", "3rd Floor", "Suite 900", "#200 -"])
def test_door_before_a_street_is_known(text: str) -> None:
    assert is_named_unit(_segment(text))
