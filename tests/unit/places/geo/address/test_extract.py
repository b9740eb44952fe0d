"""What holds for the addresses of every country."""

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout_places.geo.address import extract_addresses, known_formats
from geoscout_places.geo.address.base import AddressFormat, Sighting, Trigger
from geoscout_places.model import Block, Part
from tests.unit.places.geo.address.worlds import small_world

WORLD = small_world()
PROSE = "There is nothing to see in this sentence, and it is there to make the text longer. "


def test_empty_text_has_no_addresses():
    assert extract_addresses("", WORLD) == []


def test_offsets_are_code_points_into_the_text():
    text = f"{PROSE}\n🏠 12 Main St, Springfield, IL 62701 – {PROSE}"

    address = extract_addresses(text, WORLD)[0]

    assert text[address.start : address.end] == address.text
    assert address.text == "12 Main St, Springfield, IL 62701"


def test_address_is_on_the_map_by_its_postcode():
    address = extract_addresses("12 Main St, Springfield, IL 62701", WORLD)[0]

    assert address.point == WORLD.postcodes("US", "62701")[0].point
    assert address.place is not None
    assert address.place.population == 114_000


def test_address_without_postcode_is_on_the_map_by_its_town():
    address = extract_addresses(f"{PROSE}\n12 Main St, Springfield, OR\n{PROSE}", WORLD)[0]

    assert address.place is not None
    assert address.point == address.place.point
    assert address.place.population == 62_000


def test_addresses_come_in_the_order_of_the_text():
    text = (
        "Am Markt 1\n80331 München\n12 Main St\nSpringfield, IL 62701\nHauptstr. 5, 82049 Pullach"
    )

    numbers = [address.house_number for address in extract_addresses(text, WORLD)]

    assert numbers == ["1", "12", "5"]


def test_address_that_stands_twice_is_found_twice():
    text = "12 Main St, Springfield, IL 62701\n" * 2

    assert len(extract_addresses(text, WORLD)) == 2


def test_other_countries_are_left_out_on_demand():
    text = "Am Markt 1\n80331 München\n12 Main St\nSpringfield, IL 62701"

    addresses = extract_addresses(text, WORLD, countries=["DE"])

    assert [address.country for address in addresses] == ["DE"]


def test_country_without_a_format_has_no_addresses():
    assert extract_addresses("12 Main St, Springfield, IL 62701", WORLD, countries=["XX"]) == []


def test_address_does_not_reach_over_the_border_of_two_parts_of_a_page():
    street, town = "12 Main St", "Springfield, IL 62701"
    text = f"{street}\n{town}\n{PROSE * 2}"
    blocks = [
        Block(0, len(street), Part.HEADER),
        Block(len(street) + 1, len(text), Part.MAIN),
    ]

    address = extract_addresses(text, WORLD, blocks=blocks)[0]

    assert address.text == town


def test_street_of_one_address_is_not_taken_for_the_next():
    text = f"12 Main St, Springfield, IL 62701\nNew York, NY 10036\n{PROSE}"

    first, second = extract_addresses(text, WORLD)

    assert (first.street, second.street) == ("Main St", "")


def test_doubtful_street_is_dropped_when_the_street_table_does_not_have_it():
    text = f"{PROSE * 2}\n500 Unicorn\nNew York, NY 10036"
    world = small_world(streets={"New York": ["Broadway"]})

    address = extract_addresses(text, world)[0]

    assert (address.house_number, address.street, address.text) == ("", "", "New York, NY 10036")


def test_doubtful_street_is_kept_when_the_street_table_has_it():
    text = f"{PROSE * 2}\n500 Unicorn\nNew York, NY 10036"
    world = small_world(streets={"New York": ["Unicorn"]})

    assert extract_addresses(text, world)[0].street == "Unicorn"


def test_line_that_is_nothing_but_a_street_is_an_address():
    address = extract_addresses("8128 S. King Drive", WORLD)[0]

    assert (address.house_number, address.street, address.city) == ("8128", "S. King Drive", "")


def test_street_alone_in_a_page_is_no_address():
    assert extract_addresses(f"{PROSE * 2}\n8128 S. King Drive\n{PROSE}", WORLD) == []


_PIECES = st.sampled_from(
    ["12 ", "Main St", ", ", "\n", "Springfield", "IL ", "62701", "80331 ", "München", "Str. 5",
     "SW1A", " 2AA", "PO Box ", "(", ")", "rue de ", "75001 ", "M5V 3L9", " - ", "½", "\u00a0"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(_PIECES | st.text(max_size=8), max_size=40).map("".join))
def test_any_text_is_survived_and_its_addresses_fit_together(text):
    addresses = extract_addresses(text, WORLD)

    assert all(text[a.start : a.end] == a.text for a in addresses)
    assert all(a.end <= b.start for a, b in pairwise(addresses))


@pytest.mark.parametrize(
    "text", ["\x00" * 1000, "\ud800 12345 \udfff", "٣٤٥٦٧ ١٢٣", "word " * 10_000]
)
def test_odd_text_has_no_addresses(text):
    assert extract_addresses(text, WORLD) == []


SIZE = 1_000_000
HOSTILE = [
    "1", ",", "1,", "1, ", "12345 ", "12345,", "12345-", "2019 A", "80331 München ", ", CA",
    "CA 90210, ", "12 Main St, ", "1 Aa Aa Aa ", "A1 1AA ", "M4W 3L4 ", "(12345 ", "str. 5, B",
    "1 rue a ", "1-1/1 ",
]  # fmt: skip


def _hostile_text(size: int) -> str:
    share = size // len(HOSTILE)
    return "\n".join(piece * (share // len(piece)) for piece in HOSTILE)


def _seconds(text: str, country: str) -> float:
    taken = []
    for _ in range(2):  # the collector of garbage comes in one of them at most
        start = time.process_time()
        extract_addresses(text, WORLD, countries=[country])
        taken.append(time.process_time() - start)
    return min(taken)


@pytest.mark.slow
@pytest.mark.parametrize("country", [format.country for format in known_formats()])
def test_megabyte_of_digits_and_commas_takes_linear_time(country):
    quarter = _seconds(_hostile_text(SIZE // 4), country)
    whole = _seconds(_hostile_text(SIZE), country)

    assert whole < 8 * quarter + 0.2  # 4 if linear, 16 if quadratic


def test_long_line_without_a_break_takes_no_longer_than_lines():
    line, lines = "Aa 12 Bb, " * 30_000, "Aa 12 Bb,\n" * 30_000

    assert _seconds(line, "US") < 10 * _seconds(lines, "US") + 0.2


def _format(country: str, pattern: str, seen: list[tuple[str, str]]) -> AddressFormat:
    def read(sighting: Sighting) -> None:
        seen.append((country, sighting.trigger))

    return AddressFormat(country, (Trigger(pattern, read),))


def test_every_trigger_that_begins_at_a_number_is_read_with_its_own_end():
    seen: list[tuple[str, str]] = []
    formats = [
        _format("AA", "([0-9])([0-9]{2}) (?P<letter>[A-Z])", seen),  # with groups of its own
        _format("BB", "[0-9]{5}", seen),
        _format("CC", "[0-9]{3} B", seen),
        _format("DD", ",\\sX", seen),
    ]

    extract_addresses("at 123 Bern, X\n98765\n", WORLD, formats=formats)

    assert seen == [("AA", "123 B"), ("CC", "123 B"), ("DD", ", X"), ("BB", "98765")]
