"""The campaign's own tests, and the short part of it that `make test` runs, on loopback."""

import random
import struct
from pathlib import Path

import pytest

from tests.fakeweb import Hit, Site
from tests.faults.__main__ import chosen
from tests.faults.arena import NAMESPACE, Arena, BrokenPromiseError, Scenario, check
from tests.faults.campaign import BROKEN, HELD, NOT_RUN, Campaign, Result, table, write_summary
from tests.faults.network import FAILURE, SILENCE, NameServer, address_of
from tests.faults.politeness import check_polite
from tests.faults.service import cells_that_run

SHORT = ("breaking_off", "charsets", "formulas_in_csv")


def made_up(run: object, seconds: float = 1, needs: tuple[str, ...] = ()) -> Scenario:
    return Scenario("x", "f", "It holds", "Looks.", run=run, seconds=seconds, needs=needs)  # type: ignore[arg-type]  # any function


def result_of(scenario: Scenario, minutes: float = 1) -> Result:
    (result,) = Campaign(1, minutes).run([scenario])
    return result


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_promise_is_kept_on_loopback(name: str, gazetteer: object) -> None:
    (result,) = Campaign(1, 5).run(chosen(name))

    assert result.verdict == HELD, result.seen


def test_every_scenario_says_what_it_does() -> None:
    every = chosen("")

    assert len(every) > 30
    assert [s.name for s in every if not s.does.endswith(".") or not s.promise] == []
    assert len({s.name for s in every}) == len(every)


def test_verdicts_come_from_what_a_scenario_raises() -> None:
    def broken(arena: Arena) -> str:
        check(not arena.folder.exists(), "the folder is there")
        return ""

    def failing(arena: Arena) -> str:
        raise ValueError("a mistake of ours")

    assert result_of(made_up(lambda _: "fine")).verdict == HELD
    assert result_of(made_up(broken)).seen == "the folder is there"
    assert result_of(made_up(failing)).verdict == BROKEN
    assert result_of(made_up(lambda _: "", needs=(NAMESPACE,))).verdict == NOT_RUN
    assert result_of(made_up(lambda _: "", seconds=600)).verdict == NOT_RUN


def test_the_same_seed_gives_the_same_course() -> None:
    def by_chance(arena: Arena) -> str:
        return str(arena.chance.random())

    assert result_of(made_up(by_chance)).seen == result_of(made_up(by_chance)).seen


def test_the_table_counts_verdicts() -> None:
    text = table(
        [Result(made_up(None), BROKEN, "a | b", 1.0), Result(made_up(None), HELD, "", 1.0)]
    )

    assert "| It holds | Looks. | BROKEN | a / b |" in text
    assert text.endswith("1 held, 1 BROKEN, 0 not run; 0.0 minutes of a processor")


def test_a_page_says_of_each_promise_what_held(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- campaign -->\nold\n<!-- end -->\nafter\n")

    write_summary(page, "Now.", [Result(made_up(None), v, "", 1.0) for v in (HELD, BROKEN)])

    assert page.read_text().splitlines()[2:6] == [
        "Now.", "", "| promise | scenarios | result |", "|---|---|---|"
    ]  # fmt: skip
    assert page.read_text().splitlines()[6:] == [
        "| It holds | `x`, `x` | BROKEN |",
        "<!-- end -->",
        "after",
    ]


def question(name: str, kind: int) -> bytes:
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    return b"\x12\x34" + struct.pack(">HHHHH", 0x100, 1, 0, 0, 0) + labels + b"\0" + struct.pack(
        ">HH", kind, 1
    )  # fmt: skip


def test_the_name_server_answers_as_it_is_told() -> None:
    names = NameServer()
    names.expect({"a.test": [("1.2.3.4",), ("::1",)], "*.farm.test": SILENCE, "b.test": FAILURE})

    assert (names.answer(question("a.test", 1)) or b"")[-4:] == bytes([1, 2, 3, 4])
    assert (names.answer(question("a.test", 28)) or b"").endswith(bytes(15) + b"\1")
    assert names.answer(question("x.farm.test", 1)) is None
    assert (names.answer(question("b.test", 1)) or b"")[3] & 15 == 2
    assert address_of("c.test").startswith("11.")


def hit(start: float, end: float) -> Hit:
    return Hit("a.test", "11.0.0.1", "/", start, end, status=200)


def test_a_short_pause_and_an_overlap_are_seen() -> None:
    assert check_polite([hit(0, 1), hit(2, 3)], 1.0) == 1.0
    with pytest.raises(BrokenPromiseError, match="a gap of"):
        check_polite([hit(0, 1), hit(1.5, 3)], 1.0)
    with pytest.raises(BrokenPromiseError, match="at a time"):
        check_polite([hit(0, 1), hit(0.5, 3)], 0.0)


def test_cells_that_a_spreadsheet_would_run_are_seen(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text('n,title\n1,"a;=HYPERLINK(1)"\n2,-1.5\n3,\'=1\n', encoding="utf-8")

    assert cells_that_run(file) == ["=HYPERLINK(1)"]


def test_arenas_without_a_network_of_their_own_use_a_hosts_file(tmp_path: Path) -> None:
    arena = Arena(tmp_path, random.Random(1))
    with arena.web({"a.test": Site()}):
        assert (tmp_path / "hosts").read_text().split() == ["127.0.0.1", "a.test"]
