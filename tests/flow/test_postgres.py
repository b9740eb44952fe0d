"""Every command on a crawl in PostgreSQL gives what it gives on a folder; kills included."""

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from geoscout.cli.main import main
from geoscout.state.base import open_state
from geoscout.web.site import open_site
from geoscout_cluster.postgres.database import connect
from tests.conftest import PROJECT
from tests.unit.lab.archives import write_archive

PAGES = 200
ADDRESS = "<address>Lange Straße {}<br>26122 Oldenburg</address>"
SEED = "http://a.example/"
WITHOUT_TIME = (
    "archive", "seconds", "fetched_at", "visited_at", "speed", "running", "minutes", "ended",
)  # fmt: skip


def page(number: int) -> str:
    links = "".join(f'<a href="/{child}">Page {child}</a> ' for child in children(number))
    where = ADDRESS.format(number) if number % 3 == 0 else "<p>Ein Tag in Bremen"
    return f"<title>Page {number}</title><p>Bread from bakery {number}. {where} {links}"


def children(number: int) -> list[int]:
    return [child for child in (3 * number + 1, 3 * number + 2, 3 * number + 3) if child < PAGES]


def url(number: int) -> str:
    return SEED if number == 0 else f"{SEED}{number}"


@pytest.fixture
def archive(tmp_path, at_home):
    """A site of a few hundred pages."""
    return write_archive(tmp_path / "pages.warc.gz", {url(n): page(n) for n in range(PAGES)})


@dataclass
class Twins:
    """One crawl in a folder and the same in PostgreSQL."""

    folder: str
    address: str
    capsys: pytest.CaptureFixture[str]

    def told(self, command: str, *more: str) -> list[str]:
        """What a command prints about each."""
        printed = []
        for where in (self.folder, self.address):
            assert main([command, where, *more]) == 0
            printed.append(self.capsys.readouterr().out)
        return printed


@pytest.fixture
def twins(archive, tmp_path, postgres_address, capsys):
    """Both stopped half-way and resumed."""
    folder = str(tmp_path / "folder")
    database, _, name = postgres_address.rpartition("/")
    kept = ["--on", database, "--name", name, "--archive", str(tmp_path / "segments")]
    begin = ["crawl", "--region", "Oldenburg", "--seeds", SEED, "--replay", str(archive), "--json"]
    for more in (["--out", folder], kept):
        assert main([*begin, "--strategy", "breadth", "--max-pages", "100", *more]) == 0
    for where in (folder, postgres_address):
        assert main(["resume", where, "--max-pages", "1000", "--json"]) == 0
    capsys.readouterr()
    return Twins(folder, postgres_address, capsys)


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: of for key, of in value.items() if not key.startswith(WITHOUT_TIME)}
        return {key: without_times(of) for key, of in kept.items()}
    return value


def lines(text: str) -> list[Any]:
    return [without_times(json.loads(line)) for line in text.splitlines()]


def test_every_command_says_the_same_of_a_folder_and_of_postgresql(twins, settings, gazetteer):
    statuses = [without_times(json.loads(text)) for text in twins.told("status", "--json")]
    visits = [lines(text) for text in twins.told("export", "--what", "visits", "--format", "jsonl")]
    exports = [
        [lines(text) for text in twins.told("export", "--what", what, "--format", "jsonl")]
        for what in ("pages", "addresses", "links")
    ]
    for text in twins.told("index", "--json"):
        assert json.loads(text)["pages"] == PAGES
    found = [json.loads(text)["hits"] for text in twins.told("search", "bakery 42", "--json")]
    explained = twins.told("explain", url(150))
    site = open_site([twins.address], gazetteer, settings)

    assert statuses[0]["pages"] == PAGES
    assert statuses[0] == statuses[1]
    assert [visit["n"] for visit in visits[1]] == list(range(1, PAGES + 1))
    assert visits[0] == visits[1]
    assert [pair[0] == pair[1] for pair in exports] == [True] * 3
    assert [hit["url"] for hit in found[0]] == [hit["url"] for hit in found[1]]
    assert found[1][0]["url"] == url(42)
    assert explained[0] == explained[1]
    assert next(iter(site.crawls.values())).engine().reader.page_count == PAGES


def test_a_crawl_that_was_killed_goes_on_where_it_was_committed(
    archive, tmp_path, postgres_address, capsys
):
    command = [sys.executable, "-m", "tests.flow.crawl_until_killed", postgres_address]
    ended = subprocess.run([*command, str(archive), "150"], cwd=PROJECT, check=False)
    with open_state(postgres_address) as view:
        before = [visit.url for visit in view.reader.visits()]
    status = main(["resume", postgres_address, "--json"])
    with open_state(postgres_address) as view:
        after = [visit.url for visit in view.reader.visits()]
        bodies = dict(view.reader.responses(range(1, PAGES + 1)))

    assert (ended.returncode, status) == (-signal.SIGKILL, 0)
    assert 0 < len(before) < PAGES
    assert after[: len(before)] == before
    assert sorted(after) == sorted(url(number) for number in range(PAGES))
    assert {answer.url: answer.body.decode() for answer in bodies.values()} == {
        url(number): page(number) for number in range(PAGES)
    }


def test_a_crawl_elsewhere_needs_no_folder_here(
    archive, tmp_path, postgres_address, gazetteer,
    capsys
):  # fmt: skip
    begin = ["crawl", "--region", "Oldenburg", "--seeds", SEED, "--replay", str(archive)]
    refused = [
        main([*begin, "--out", str(tmp_path / "x"), "--archive", "y"]),
        main([*begin, "--on", "postgresql://127.0.0.1:1/data", "--name", "x"]),
        main([*begin, "--on", "postgresql://127.0.0.1:1/data"]),
    ]
    said = capsys.readouterr().err

    assert refused == [2, 1, 2]
    assert "--name and --archive are for crawls in a database" in said
    assert "postgresql://127.0.0.1:1/data/x does not answer" in said
    assert "should be postgresql://host:port/database/name-of-the-crawl" in said


def test_a_password_is_neither_kept_nor_shown(archive, tmp_path, postgres_address, capsys):
    """The server trusts this machine, so any password will do."""
    secret = "hush-hush"
    secretly = postgres_address.replace("postgres@", f"postgres:{secret}@")
    begin = ["--region", "Oldenburg", "--seeds", SEED, "--replay", str(archive), "--max-pages", "9"]
    place = ["--on", secretly, "--archive", str(tmp_path / "segments")]
    main(["crawl", *begin, *place, "--strategy", "adaptive"])
    main(["crawl", *begin, *place])  # there is one already
    main(["crawl", *begin, "--out", str(tmp_path / "x"), "--set", f"model={secretly}"])
    main(["crawl", *begin, "--out", str(tmp_path / "y"), "--set", f"model={secretly}",
          "--strategy", "adaptive"])  # fmt: skip
    main(["status", secretly + "-more"])
    main(["index", secretly])
    shown = capsys.readouterr()
    with connect(postgres_address) as connection:
        notes = connection.execute("SELECT name, value FROM note").fetchall()
        owners = connection.execute("SELECT owner FROM partition").fetchall()
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]

    assert "already contains a crawl" in shown.err
    assert secret not in shown.out + shown.err + repr(notes) + repr(owners)
    assert not any(secret.encode() in data for data in written)
    assert len(notes) >= 3
    assert len(written) > 3
