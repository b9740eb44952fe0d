from __future__ import annotations

import pytest

from geoscout.batch.archives import named_archives
from geoscout_places.errors import UsageError


@pytest.fixture
def folder(tmp_path):
    for name in ("b.warc.gz", "a.warc", "c.warc.wet.gz", "notes.txt"):
        (tmp_path / name).touch()
    return tmp_path


def names(*given: object) -> list[str]:
    return [path.name for path in named_archives(map(str, given))]


def test_folder_gives_its_archives_by_name(folder):
    assert names(folder) == ["a.warc", "b.warc.gz", "c.warc.wet.gz"]


def test_pattern_and_list_give_what_they_name(folder):
    listed = folder / "list.txt"
    listed.write_text(f"# ours\n{folder / 'b.warc.gz'}\n\n{folder}/*.wet.gz\n")

    assert names(f"@{listed}") == ["b.warc.gz", "c.warc.wet.gz"]


def test_archive_that_is_named_twice_is_taken_once(folder):
    assert names(folder / "a.warc", folder) == ["a.warc", "b.warc.gz", "c.warc.wet.gz"]


@pytest.mark.parametrize("missing", ["none.warc", "*.arc", "@none.txt", "empty"])
def test_name_that_leads_nowhere_is_an_error(folder, missing, monkeypatch):
    (folder / "empty").mkdir()
    monkeypatch.chdir(folder)

    with pytest.raises(UsageError, match=r"no archive at|cannot read the list"):
        names(missing)


def test_two_archives_whose_results_would_have_one_name_are_an_error(folder):
    (folder / "a.warc.gz").touch()

    with pytest.raises(UsageError, match="one name"):
        names(folder)
