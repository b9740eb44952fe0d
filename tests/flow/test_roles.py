"""The users of deploy/roles.sql can do their work, and nothing more."""

from contextlib import closing

import psycopg
import pytest

from geoscout.cli.main import main
from geoscout_cluster.postgres.database import connect, read_address
from geoscout_cluster.postgres.server import LocalServer
from tests.conftest import PROJECT
from tests.postgres import running_server
from tests.unit.cluster.small_crawl import Small
from tests.unit.cluster.small_web import URLS

pytestmark = pytest.mark.slow

WORKER, READER = "geoscout_worker", "geoscout_reader"
REFUSED = "this user lacks a right in the database"


@pytest.fixture(scope="module")
def server():
    """One of its own: users are there for all databases of a server."""
    with running_server() as running:
        script = (PROJECT / "deploy/roles.sql").read_bytes()
        with psycopg.connect(base(running, "postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE crawls")
        with psycopg.connect(base(running, "crawls"), autocommit=True) as connection:
            connection.execute(script)
            connection.execute(script)  # again does no harm
        yield running


def base(server: LocalServer, database: str) -> str:
    return read_address(server.address(database, "x")).database


def as_user(server: LocalServer, name: str, user: str = "geoscout") -> str:
    return server.address("crawls", name).replace("postgres@", f"{user}@")


@pytest.fixture
def small(server, tmp_path, at_home, gazetteer, request):
    """A crawl that the first user has begun."""
    name = f"t{abs(hash(request.node.name)) % 10**8}"
    made = Small(as_user(server, name), tmp_path, at_home, gazetteer)
    made.begin()
    return made


def told(small: Small, user: str, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command says that ends with status 2."""
    where = small.where.replace("geoscout@", f"{user}@")
    given = [where if word == "WHERE" else word for word in words]
    capsys.readouterr()
    status = main([given[0], "--home", small.settings.home, *given[1:]])
    said = capsys.readouterr().err.splitlines()
    assert status == 2, said
    return said[-1]


def test_a_worker_works_and_a_reader_looks(small, capsys, tmp_path):
    owner = small.where
    reader = owner.replace("geoscout@", f"{READER}@")
    home = ["--home", small.settings.home]
    small.where = owner.replace("geoscout@", f"{WORKER}@")
    small.work()

    assert small.urls() == dict.fromkeys(URLS, 1)
    assert main(["status", reader, *home]) == 0
    assert main(["cluster", "status", "--on", reader]) == 0
    out = str(tmp_path / "pages.csv")
    assert main(["export", reader, "--format", "csv", "--out", out, *home]) == 0
    assert main(["search", reader, "site", *home]) == 0
    assert "Site" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("user", "statement"),
    [
        (WORKER, "CREATE TABLE more (n int)"),
        (WORKER, "DROP TABLE visit"),
        (WORKER, "TRUNCATE visit"),
        (READER, "UPDATE partition SET owner = 'me'"),
        (READER, "INSERT INTO note VALUES ('a', 'b')"),
        (READER, "CREATE TABLE public.more (n int)"),
    ],
)
def test_they_can_do_nothing_else(small, user, statement):
    with (
        closing(connect(small.where.replace("geoscout@", f"{user}@"))) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(statement.encode())


def test_a_reader_that_is_told_to_work_says_why_not(small, capsys):
    assert REFUSED in told(small, READER, capsys, "cluster", "work", "--on", "WHERE")
    assert REFUSED in told(small, READER, capsys, "cluster", "stop", "--on", "WHERE")


def test_a_worker_that_is_told_to_begin_a_crawl_says_why_not(small, capsys, tmp_path):
    words = ["--region", "Lisbon", "--seeds", "http://example.org/", "--allow-private"]
    place = ["--name", "other", "--archive", str(tmp_path / "other")]
    on = small.where.rpartition("/")[0].replace("geoscout@", f"{WORKER}@")

    said = told(small, WORKER, capsys, "crawl", "--on", on, *place, *words, "--no-work")

    assert REFUSED in said
