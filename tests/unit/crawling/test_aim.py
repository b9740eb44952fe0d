"""A crawl that looks for entities in place of pages."""

from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.crawling.status import read_status
from geoscout.state.base import open_state
from tests.unit.lab.archives import write_archive

SEED = "http://guide.example/"


def write_pages(file: Path) -> Path:
    """A guide with two lists that name the same inn, and a page that repeats it."""
    inn = "<h2>Corner Inn</h2><p>12 Main Street, Austin, TX 78701<br>Phone 512-765-4321"
    bakery = "<h2>Blue Door Bakery</h2><p>34 Main Street, Austin, TX 78701"
    links = "".join(f"<p><a href=/{name}>{name}</a>" for name in ("one", "two", "again"))
    return write_archive(
        file,
        {
            SEED: f"<title>Guide to Austin, Texas</title>{links}",
            f"{SEED}one": f"<title>Inns of Austin</title>{inn}",
            f"{SEED}two": f"<title>Places in Austin</title>{inn}{bakery}",
            f"{SEED}again": f"<title>The inn again</title><p>It is well known.{inn}",
        },
    )


@pytest.mark.usefixtures("gazetteer")
@pytest.mark.parametrize("is_shared", [False, True])
def test_new_entities_are_counted_over_resumes(tmp_path, settings, request, is_shared):
    """By one process in a folder, and by workers in PostgreSQL."""
    archive, where = write_pages(tmp_path / "web.warc.gz"), str(tmp_path / "crawl")
    place = ["--out", where]
    if is_shared:
        where = request.getfixturevalue("postgres_address")
        place = ["--on", where, "--archive", str(tmp_path / "pages"), "--partitions", "2"]
    common = ["--home", settings.home, "--set", "workers=0"]
    asked = ["--region", "Austin, Texas", "--seeds", SEED, "--replay", str(archive)]
    asked += ["--set", "aim=entities", "--max-pages", "2", *place]

    assert main(["crawl", *asked, *common]) == 0
    assert main(["resume", where, "--max-pages", "10", *common]) == 0

    with open_state(where) as crawl:
        status = read_status(crawl)
    assert status.strategy == "hybrid:aim=entities"
    assert (status.totals.pages, status.new_entities[-1][1]) == (4, 2)
