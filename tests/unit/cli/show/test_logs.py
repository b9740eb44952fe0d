"""The log of the commands: one line for each event, in text or JSON."""

import asyncio
import json
import logging
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from geoscout.cli.show import live, terminal
from geoscout.cli.show.logs import show_log, tell
from geoscout.settings import Settings
from geoscout_places.errors import UsageError

EVENT = {"url": "https://a.example/", "status": 503}


@pytest.fixture(autouse=True)
def as_before():
    log = logging.getLogger("geoscout")
    before = list(log.handlers), log.level
    yield
    log.handlers, log.level = before[0], before[1]
    log.setLevel(before[1])


def write(settings: Settings) -> None:
    show_log(settings)
    logging.getLogger("geoscout.crawl").info("failed", extra=EVENT)
    logging.getLogger("geoscout.crawl").debug("too much")


def test_text_has_time_level_logger_and_fields(capsys):
    write(Settings())

    shown = capsys.readouterr().err
    line = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO geoscout\.crawl: failed (.*)\n"
    match = re.fullmatch(line, shown)
    assert match is not None
    assert match[1] == "url=https://a.example/ status=503"


def test_json_is_an_object_a_line(capsys):
    write(replace(Settings(), log_format="json"))
    tell("the end")

    first, second = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert first.pop("time").endswith("Z")
    assert first == {"level": "info", "logger": "geoscout.crawl", "message": "failed", **EVENT}
    assert (second["message"], second["level"]) == ("the end", "info")


def test_level_decides_what_is_shown(capsys):
    write(replace(Settings(), log_level="warning"))
    tell("not this")
    tell("this", logging.ERROR)

    assert capsys.readouterr().err == "geoscout: this\n"


def test_field_with_line_ends_stays_on_its_line(capsys):
    show_log()

    logging.getLogger("geoscout.x").warning("a\nb", extra={"detail": 'one "two"\nthree'})

    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert shown.endswith('a b detail="one \\"two\\"\\nthree"\n')


@pytest.mark.parametrize("form", ["text", "json"])
def test_nothing_in_a_line_steers_a_terminal_or_ends_it(form, capsys):
    odd = "".join(
        map(chr, [*range(1, 32), *range(127, 160), 0x61C, 0x2028, 0x2029, 0x202E, 0xE0041])
    )
    show_log(replace(Settings(), log_format=form))

    logging.getLogger("geoscout.x").warning("a%sü", odd, extra={"detail": odd})
    tell(f"b{odd}ü")

    shown = capsys.readouterr().err
    assert shown.count("\n") == len(shown.splitlines()) == 2
    assert not set(shown) & set(odd) - {"\n"}
    if form == "json":
        assert json.loads(shown.splitlines()[0])["detail"] == odd


@pytest.mark.parametrize("wrong", [{"log_level": "loud"}, {"log_format": "xml"}])
def test_unknown_level_or_format_is_refused(wrong):
    with pytest.raises(UsageError, match="is one of"):
        show_log(replace(Settings(), **wrong))


def test_build_without_a_terminal_is_told(capsys, monkeypatch):
    monkeypatch.setattr(terminal, "_LINE_SECONDS", 0.01)
    show_log()

    with terminal.building() as progress:
        progress("places", 0.1)
        told = ""
        while "step=places share=0.1" not in told:
            told += capsys.readouterr().err

    assert "building the gazetteer, which is done once" in told


def test_work_without_a_terminal_is_told_every_few_seconds(capsys, monkeypatch):
    show_log()

    with terminal.counting("checking", "responses") as progress:
        progress(1, 2)
        before = capsys.readouterr().err
        monkeypatch.setattr(terminal, "_LINE_SECONDS", 0.0)
        progress(1, 2)

    assert before == ""
    assert 'checking done="1 of 2 responses" share=0.5' in capsys.readouterr().err


def test_runs_without_a_terminal_are_told_from_the_first(capsys):
    show_log()

    with terminal.counting("runs", at_once=True) as progress:
        progress(0, 15)

    assert 'runs done="0 of 15" share=0.0' in capsys.readouterr().err


def test_log_is_quiet_while_nothing_changes(caplog):
    asked: list[int] = []

    def facts() -> dict[str, object]:
        asked.append(1 if len(asked) < 60 else 2)
        return {"responses": asked[-1], "memory_megabytes": len(asked)}

    async def follow() -> None:
        with live.told(facts, 0.001):
            while len(asked) < 70:
                await asyncio.sleep(0.001)

    with caplog.at_level(logging.INFO, "geoscout.cli.show.live"):
        asyncio.run(follow())

    told = [record.__dict__["responses"] for record in caplog.records]
    assert 2 <= told.count(1) <= 7
    assert told[-1] == 2


def test_library_does_not_configure_logging():
    code = (
        "import logging, geoscout.crawl, geoscout.crawling.run, geoscout.search\n"
        "loggers = [logging.getLogger(), *logging.Logger.manager.loggerDict.values()]\n"
        "ours = [one for one in loggers if isinstance(one, logging.Logger)]\n"
        "ours = [one for one in ours if one.name.startswith(('geoscout', 'root'))]\n"
        "print([one.name for one in ours if one.handlers or one.level not in (0, 30)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"
