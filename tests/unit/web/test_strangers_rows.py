"""A crawl of somebody else can hold anything in any row; no request is a server error for it."""

import shutil
import sqlite3
from contextlib import closing, suppress
from itertools import cycle, islice
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from geoscout.crawl_folder import mark_made_here
from geoscout.web.app import create_app, endpoints
from geoscout.web.site import open_site
from geoscout_directory.updating import update_listing
from geoscout_places.geo import Geoparser
from tests.unit.web.world import make_crawl

VALUES = (
    -1, 2**63 - 1, -(2**63), 1e308, float("inf"), "", "9" * 400, None, b"", b"\xff\x00",
    b"\x81\xc4", "\x1b[2J\x00\u2028\u202e", "x" * 200_000, "[1e999]",
)  # fmt: skip
SENT = {
    "q": "pizza near Lisbon", "text": "Lisbon", "name": "Lisbon", "bbox": "-10,30,10,50",
    "zoom": "4", "url": "http://pizzaria.example/",
}  # fmt: skip
_ENDLESS = "/api/events"


@pytest.fixture(scope="module")
def made(tmp_path_factory, gazetteer, settings):
    folder = tmp_path_factory.mktemp("made") / "crawl"
    make_crawl(folder, Geoparser(gazetteer))
    update_listing(folder, gazetteer, settings=settings)
    return folder


def questions() -> list[tuple[str, dict[str, str]]]:
    """Every address that is read, with what it needs."""
    found = []
    for endpoint in endpoints():
        path, query = endpoint.path, {}
        for one in endpoint.parameters:
            if one.where == "path":
                path = path.replace(f"{{{one.name}}}", SENT.get(one.name, "1"))
            elif one.is_required or one.name == "q":
                query[one.name] = SENT.get(one.name, "1")
        if endpoint.method == "GET" and not path.startswith(_ENDLESS):
            found.append((path, query))
    return found


def spoilt(file: Path, shift: int) -> None:
    """Let the last row of each table hold hostile values."""
    values = islice(cycle(VALUES), shift, None)
    with closing(sqlite3.connect(file)) as database, database:
        query = (
            "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c"
            " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND NOT c.pk"
        )
        for (table, column), value in zip(database.execute(query).fetchall(), values, strict=False):
            key = database.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchone()[0]
            last = f'"{key}" = (SELECT max("{key}") FROM "{table}")'
            with suppress(sqlite3.IntegrityError):  # a column that may not be empty
                database.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE {last}', (value,))


@pytest.mark.slow
@pytest.mark.parametrize("shift", range(0, len(VALUES), 3))
def test_no_row_of_somebody_else_is_a_server_error(shift, made, tmp_path, gazetteer, settings):
    sent = shutil.copytree(made, tmp_path / "sent")
    mark_made_here(sent)  # as if its maker were trusted
    for name in ("crawl.sqlite", "directory/listing.sqlite"):
        spoilt(sent / name, shift)
    app = create_app(open_site([sent], gazetteer, settings))
    with TestClient(app, "http://localhost", raise_server_exceptions=False) as client:
        found = {path: client.get(path, params=query) for path, query in questions()}

    assert [path for path, answer in found.items() if answer.status_code == 500] == []
    refused = [answer.json()["detail"] for answer in found.values() if answer.status_code == 410]
    assert any("holds what geoscout does not write" in detail for detail in refused)
