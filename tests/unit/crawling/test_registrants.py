"""Which registrations a crawl may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from geoscout.crawling.registrants import check_registrations, read_table
from geoscout.errors import UsageError
from geoscout.registrations import RegistrationRecord, write_registrations
from geoscout.strategy.base import Aim, Strategy
from geoscout.strategy.breadth import Breadth
from geoscout.strategy.rank.strategy import create
from tests.unit.strategy.american_places import GAZETTEER

RANK = create(Aim(None, GAZETTEER))


@pytest.mark.parametrize(
    ("value", "strategy", "offline", "words"),
    [
        ("whois", Breadth(), False, "for hybrid, rank"),
        ("rdap", RANK, True, "offline"),
        ("sometimes", RANK, False, "is no file"),
    ],
)
def test_registrations_that_cannot_be_had_are_refused(
    value: str, strategy: Strategy, offline: bool, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        check_registrations(value, strategy, offline=offline, for_seeds=False)


def test_registries_may_be_asked_for_seeds_alone() -> None:
    check_registrations("both", Breadth(), offline=False, for_seeds=True)


def test_table_is_read_and_counts_offline(tmp_path: Path) -> None:
    file = tmp_path / "table.tsv"
    write_registrations(file, [RegistrationRecord("a.example", "Boston")])

    check_registrations(str(file), RANK, offline=True, for_seeds=False)

    assert read_table(str(file))["a.example"].city == "Boston"
    assert read_table("both") == read_table("off") == {}
