from __future__ import annotations

from pathlib import Path

from geoscout.store import Store
from geoscout.web.dashboard.running import is_running


def test_a_crawl_is_running_while_its_store_is_open(tmp_path: Path) -> None:
    store = Store(tmp_path)
    while_open = is_running(tmp_path)
    store.close()

    assert (while_open, is_running(tmp_path)) == (True, False)


def test_a_folder_nobody_wrote_to_is_not_running(tmp_path: Path) -> None:
    assert is_running(tmp_path) is False


def test_asking_does_not_keep_a_crawl_from_starting(tmp_path: Path) -> None:
    Store(tmp_path).close()
    is_running(tmp_path)

    Store(tmp_path).close()
