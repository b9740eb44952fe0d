"""The command as a user types it."""

from __future__ import annotations

import json

import pytest

from geoscout.cli.main import main


def test_a_row_for_each_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scale", "--workers", "1,4", "--urls", "1M", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["workers"], row["urls"]) for row in rows] == [(1, 1_000_000), (4, 1_000_000)]
    one, four = (row["pages_per_second"] for row in rows)
    assert four == pytest.approx(4 * one, rel=0.1)


def test_the_table_names_what_gives_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scale", "--workers", "1", "--urls", "1G"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.endswith("limit")
    assert row.endswith("memory of the workers")


@pytest.mark.parametrize("wrong", [["--urls", "many"], ["--workers", "0"], ["--cores", "0"]])
def test_a_size_that_cannot_be(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scale", *wrong]) == 2
    assert capsys.readouterr().err.startswith("geoscout: ")
