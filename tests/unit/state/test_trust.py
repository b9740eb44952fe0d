"""A folder that somebody sends decides nothing that is dangerous."""

import shutil
import tarfile
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.crawl_folder import mark_made_here
from geoscout.crawling.run import resume_crawl, start_crawl
from geoscout.settings import Settings
from geoscout.state.base import KEEPER, OWN_POSTGRES
from geoscout_cluster.postgres.own_state import new_server, running_server
from geoscout_places.errors import UsageError
from tests.conftest import PROJECT

SETTINGS = Settings(home=str(PROJECT / ".cache" / "home"), extras=False, contact="you@example.org")


@pytest.fixture
def folder(tmp_path, gazetteer):  # which builds the gazetteer
    """A crawl that may ask private addresses."""
    made = tmp_path / "made"
    start_crawl(
        made,
        seeds=["http://127.0.0.1:9/"],
        region="48.1,11.5,20",
        settings=SETTINGS,
        allow_private=True,
    ).close()
    return made


def unpacked(folder: Path, to: Path) -> Path:
    """The folder as somebody gets it who is sent an archive of it."""
    archive = to.with_suffix(".tar")
    with tarfile.open(archive, "w") as file:
        file.add(folder, arcname=to.name)
    with tarfile.open(archive) as file:
        file.extractall(to.parent, filter="tar")
    return to


def test_own_folder_goes_on_also_when_it_was_renamed(folder, tmp_path):
    resume_crawl(folder, settings=SETTINGS).close()
    renamed = folder.rename(tmp_path / "renamed")

    with resume_crawl(renamed, settings=SETTINGS) as crawl:
        assert crawl.options.allow_private


def test_folder_that_was_sent_does_not_switch_off_the_check_of_addresses(folder, tmp_path, capsys):
    sent = unpacked(folder, tmp_path / "sent")

    with pytest.raises(
        UsageError, match=r"may ask private addresses.*option `trust` of `geoscout check`"
    ):
        resume_crawl(sent, settings=SETTINGS)
    assert main(["check", "--trust", str(sent)]) == 0
    capsys.readouterr()
    resume_crawl(sent, settings=SETTINGS).close()


def test_database_that_was_sent_is_not_started(tmp_path):
    sent = tmp_path / "sent"
    (sent / "postgres").mkdir(parents=True)
    with pytest.raises(UsageError, match="can run programs"):
        new_server(sent)
    (sent / KEEPER).write_text(f"{OWN_POSTGRES}\n{sent}\n")
    mark_made_here(sent)
    copied = Path(shutil.copytree(sent, tmp_path / "copied"))

    with pytest.raises(UsageError, match="can run programs"):
        running_server(copied)
