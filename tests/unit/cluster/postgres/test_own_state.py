"""A crawl in a folder with a server of its own: all doors lead to it, and the folder can move."""

import asyncio
import shutil
import tempfile
from pathlib import Path

import pytest

from geoscout.state.base import (
    Beginning,
    backend_name,
    create_state,
    holds_crawl,
    index_folder,
    open_state,
    resume_state,
)
from geoscout_cluster.postgres.own_state import direct_address, leave_server
from geoscout_places.errors import UsageError
from geoscout_places.model import Request
from tests.unit.store.visits import visit

A = "http://a.example/"


@pytest.fixture
def folder():
    """One that the user `nobody` may enter: PostgreSQL does not run as root."""
    parent = Path(tempfile.mkdtemp(prefix="geoscout-own-"))
    parent.chmod(0o755)
    yield parent / "crawl"
    leave_server(parent / "crawl")
    shutil.rmtree(parent, ignore_errors=True)


async def _visit(folder: Path) -> None:
    state = resume_state(folder)
    request = state.frontier.next(0.0)
    assert request is not None
    state.frontier.done(request, 0.0, 0.0)
    state.writer.add(visit(A, b"bread"))
    await state.commit()
    state.close()


@pytest.mark.slow
def test_a_folder_leads_to_the_crawl_in_its_server(folder):
    begun = create_state(f"own-postgresql://{folder}", Beginning([Request(A, 1.0)]))
    begun.close()
    asyncio.run(_visit(folder))
    moved = folder.parent / "moved"
    leave_server(folder)
    folder.rename(moved)
    try:
        with open_state(moved) as crawl:
            bodies = [answer.body for _, answer in crawl.reader.responses([1])]
    finally:
        leave_server(moved)

    assert backend_name(moved) == "own-postgresql"
    assert (holds_crawl(moved), holds_crawl(folder)) == (True, False)
    assert bodies == [b"bread"]
    assert index_folder(moved, folder) == moved / "index"


def test_other_folders_have_no_server(tmp_path):
    with pytest.raises(UsageError, match="there is no crawl"):
        direct_address(str(tmp_path))
    create_state(tmp_path).close()
    with pytest.raises(UsageError, match="for a single process"):
        direct_address(str(tmp_path))
    with pytest.raises(UsageError, match="already contains a crawl"):
        create_state(f"own-postgresql://{tmp_path}")

    assert backend_name(tmp_path) == "sqlite"
    assert not (tmp_path / "postgres").exists()
