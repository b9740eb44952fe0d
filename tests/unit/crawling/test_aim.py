"""A crawl that looks for entities in place of pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from geoscout.cli.commands.status import status_figures
from geoscout.cli.main import main
from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.run import prepare_crawl
from geoscout.settings import Settings
from geoscout_cluster.founding import found_crawl
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import SqliteGazetteer
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
def test_new_entities_are_counted_over_resumes(tmp_path: Path, settings: Settings) -> None:
    archive, folder = write_pages(tmp_path / "web.warc.gz"), tmp_path / "crawl"
    common = ["--home", settings.home, "--workers", "0"]
    asked = ["--region", "Austin, Texas", "--seeds", SEED, "--replay", str(archive)]
    asked += ["--aim", "entities", "--max-pages", "2", "--out", str(folder)]

    assert main(["crawl", *asked, *common]) == 0
    assert main(["resume", str(folder), "--max-pages", "10", *common]) == 0

    figures = status_figures(folder)
    assert figures["strategy"] == "hybrid:aim=entities"
    assert (figures["pages"], figures["new entities"]) == (4, 2)


def test_several_workers_are_refused(
    tmp_path: Path, settings: Settings, gazetteer: SqliteGazetteer
) -> None:
    archive = write_pages(tmp_path / "web.warc.gz")
    options = CrawlOptions(
        region=("Austin, Texas",), strategy="hybrid:aim=entities", replay=(str(archive),)
    )
    blueprint, beginning = prepare_crawl(options, [SEED], settings, gazetteer)

    with pytest.raises(UsageError, match="several workers cannot aim at entities"):
        found_crawl("postgresql://nowhere.invalid/crawl", blueprint, beginning, 4)
