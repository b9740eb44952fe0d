"""Addresses from independent sources (`tests/cases/addresses*.jsonl`), and whether they are found.

    python -m benchmarks.address_cases [--missed]

Prints a table: how many of each country are found with house number, postcode and town, and
nothing else next to them. --missed lists the others. Each text stands in a page of a few
sentences, so that it is never a lone line.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address import extract_addresses, known_formats
from geoscout_places.model import Address

CASES = Path(__file__).parent.parent / "tests" / "cases"
OTHERS = "others"
_BEFORE = "These pages tell what we do and where we are, and how you can reach us best.\n" * 2
_AFTER = "\nThank you for reading as far as this.\n"


class AddressCase(NamedTuple):
    """A text with one address in it, and the parts of that."""

    country: str
    half: str  # "dev" or "test": see tests/cases/README.md
    layout: str  # line, lines, text, foot, prefix or door: see there
    text: str
    number: str
    postcode: str
    town: str


def read_cases() -> list[AddressCase]:
    """All cases, in the order of the files."""
    texts = [path.read_text("utf-8") for path in sorted(CASES.glob("addresses*.jsonl"))]
    return [AddressCase._make(json.loads(line)) for text in texts for line in text.splitlines()]


def group_of(case: AddressCase) -> str:
    """The country, or "others" for all that have no format of their own."""
    return case.country if case.country in _own_countries() else OTHERS


@cache
def _own_countries() -> frozenset[str]:
    return frozenset(format.country for format in known_formats())


def is_found(case: AddressCase, gazetteer: Gazetteer) -> bool:
    """Whether the address is found with these parts, and no other one."""
    found = extract_addresses(_BEFORE + case.text + _AFTER, gazetteer)
    return len(found) == 1 and _fits(found[0], case)


def _fits(address: Address, case: AddressCase) -> bool:
    return (
        address.country == case.country
        and _plain(address.house_number) == _plain(case.number)
        and _plain(address.postcode) == _plain(case.postcode)
        and fold(address.city).startswith(fold(case.town))
    )


def _plain(text: str) -> str:
    return "".join(text.lower().split())


def print_table(gazetteer: Gazetteer, *, lists_missed: bool) -> None:
    """The share that is found, by country and half, and what is missed if asked for."""
    all_cases, found = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for case in read_cases():
        key = (group_of(case), case.half)
        all_cases[key] += 1
        if is_found(case, gazetteer):
            found[key] += 1
        elif lists_missed:
            print(f"missed {case.country} {case.half} {case.text!r}")
    print("country     dev          test")
    for group in sorted({group for group, _ in all_cases}):
        halves = [(found[group, half], all_cases[group, half]) for half in ("dev", "test")]
        shares = "   ".join(f"{some:3}/{many:<3}{some / many:6.2f}" for some, many in halves)
        print(f"{group:<10}{shares}")
    print(f"all       {found.total()} of {all_cases.total()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--missed", action="store_true", help="list the addresses not found")
    arguments = parser.parse_args()
    print_table(open_gazetteer(), lists_missed=arguments.missed)


if __name__ == "__main__":
    main()
