import pytest
from msgspec.structs import replace

from geoscout.batch.folder import BatchFolder, FileReport, named_archives
from geoscout.batch.rows import batch_options
from geoscout_places.errors import UsageError
from geoscout_places.model import RelevanceRule


@pytest.fixture
def options(settings):
    return batch_options(
        settings, format="jsonl", region=("Oldenburg",), relevance=RelevanceRule.ABOUT
    )


@pytest.fixture
def folder(tmp_path):
    return BatchFolder(tmp_path / "out", "jsonl")


def test_folder_of_other_options_is_refused_and_says_which(folder, options):
    with folder.opened(options):
        pass

    with (
        pytest.raises(UsageError, match=r"made with region .*Oldenburg.* not .*Bremen"),
        folder.opened(replace(options, region=("Bremen",))),
    ):
        pass


def test_folder_is_for_one_process_at_a_time(folder, options):
    other = BatchFolder(folder.path, "jsonl")

    with (
        folder.opened(options),
        pytest.raises(UsageError, match="another process"),
        other.opened(options),
    ):
        pass


def test_left_over_drafts_are_removed(folder, options, tmp_path):
    with folder.opened(options):
        draft = folder.draft(tmp_path / "a.warc")
        draft.write_bytes(b"half")

    with folder.opened(options):
        assert not draft.exists()


def test_archive_is_done_while_its_size_and_its_rows_are_there(folder, options, tmp_path):
    archive = tmp_path / "a.warc"
    archive.write_bytes(b"12345")
    report = FileReport(file=str(archive), bytes=5, pages=1)
    with folder.opened(options):
        assert folder.report(archive) is None
        folder.rows_file(archive).touch()
        assert folder.report(archive) is None
        folder.keep(archive, report)
        assert folder.report(archive) == report
        archive.write_bytes(b"123456")

        assert folder.report(archive) is None


def test_folder_that_cannot_be_made_is_an_error(tmp_path, options):
    (tmp_path / "file").touch()

    with (
        pytest.raises(UsageError, match="cannot write to"),
        BatchFolder(tmp_path / "file", "jsonl").opened(options),
    ):
        pass


def test_region_file_that_changed_is_another_option(settings, tmp_path):
    file = tmp_path / "region.txt"
    made = []
    for text in ("Oldenburg", "Bremen"):
        file.write_text(text)
        made.append(
            batch_options(
                settings, format="jsonl", region=(str(file),), relevance=RelevanceRule.ABOUT
            )
        )

    assert made[0] != made[1]


@pytest.fixture
def archives_folder(tmp_path):
    for name in ("b.warc.gz", "a.warc", "c.warc.wet.gz", "notes.txt"):
        (tmp_path / name).touch()
    return tmp_path


def names(*given: object) -> list[str]:
    return [path.name for path in named_archives(map(str, given))]


def test_folder_gives_its_archives_by_name(archives_folder):
    assert names(archives_folder) == ["a.warc", "b.warc.gz", "c.warc.wet.gz"]


def test_pattern_and_list_give_what_they_name(archives_folder):
    listed = archives_folder / "list.txt"
    listed.write_text(f"# ours\n{archives_folder / 'b.warc.gz'}\n\n{archives_folder}/*.wet.gz\n")

    assert names(f"@{listed}") == ["b.warc.gz", "c.warc.wet.gz"]


def test_archive_that_is_named_twice_is_taken_once(archives_folder):
    assert names(archives_folder / "a.warc", archives_folder) == [
        "a.warc",
        "b.warc.gz",
        "c.warc.wet.gz",
    ]


@pytest.mark.parametrize("missing", ["none.warc", "*.arc", "@none.txt", "empty"])
def test_name_that_leads_nowhere_is_an_error(archives_folder, missing, monkeypatch):
    (archives_folder / "empty").mkdir()
    monkeypatch.chdir(archives_folder)

    with pytest.raises(UsageError, match=r"no archive at|cannot read the list"):
        names(missing)


def test_two_archives_whose_results_would_have_one_name_are_an_error(archives_folder):
    (archives_folder / "a.warc.gz").touch()

    with pytest.raises(UsageError, match="one name"):
        names(archives_folder)
