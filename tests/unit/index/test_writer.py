"""The index is committed as a whole, and can be begun again."""

import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from geoscout.index.base import Wanted
from geoscout.index.files import COLUMNS, as_index_error
from geoscout.index.reader import IndexReader
from geoscout.index.writer import IndexWriter
from geoscout_places.errors import DamagedDataError
from tests.unit.index.documents import above, document, open_writer, write

PIZZA = Wanted(words=(("pizza",),))


def urls(folder: Path, wanted: Wanted = PIZZA) -> list[str]:
    reader = IndexReader(folder)
    return sorted(reader.head(int(slot)).url for slot in reader.find(wanted, 100).slots)


def test_page_twice_in_one_commit_is_there_once(tmp_path):
    write(tmp_path, document("http://a.example/"), document("http://a.example/"))

    assert urls(tmp_path) == ["http://a.example/"]


def test_what_is_not_committed_is_lost_and_its_rows_are_used_again(tmp_path):
    write(tmp_path, document("http://a.example/"))
    writer = open_writer(tmp_path)
    writer.add(document("http://lost.example/"))
    writer.close()

    write(tmp_path, document("http://b.example/", "pizza and more"), cursor="2")

    assert urls(tmp_path) == ["http://a.example/", "http://b.example/"]
    assert IndexReader(tmp_path).state.ends.pages == 2


def test_killed_writer_leaves_the_last_commit(tmp_path):
    script = (
        "import os, sys; from pathlib import Path\n"
        "from tests.unit.index.documents import document, open_writer\n"
        f"writer = open_writer(Path({str(tmp_path)!r}))\n"
        "for n in range(10**6):\n"
        "    writer.add(document(f'http://a.example/{n}', 'pizza ' * 50))\n"
        "    if n % 20 == 19:\n"
        "        writer.commit(str(n)); print(n, flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    committed = [int(process.stdout.readline()) for _ in range(3)][-1]
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()

    reader = IndexReader(tmp_path)
    assert int(reader.state.cursor) >= committed
    assert reader.page_count == int(reader.state.cursor) + 1
    assert reader.head(reader.page_count - 1).url.endswith(f"/{reader.page_count - 1}")
    write(tmp_path, document("http://b.example/"), cursor="later")
    assert "http://b.example/" in urls(tmp_path, Wanted(words=(("b",),)))


def test_only_one_writer_at_a_time(tmp_path):
    writer = open_writer(tmp_path)

    assert IndexWriter.open(tmp_path, above) is None
    writer.close()
    open_writer(tmp_path).close()


def test_writer_that_cannot_write_its_last_rows_lets_others_try(tmp_path):
    """The error is kept here, as a server does until its next one, and with it the writer."""
    writer = open_writer(tmp_path)
    writer.add(document("http://a.example/"))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    heard = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            writer.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, heard)

    open_writer(tmp_path).close()
    assert urls(tmp_path) == []


def test_index_of_another_gazetteer_is_begun_anew(tmp_path):
    writer = open_writer(tmp_path, "first")
    writer.add(document("http://a.example/"))
    writer.commit("5")
    writer.close()

    writer = open_writer(tmp_path, "second")

    assert writer.state.cursor == ""
    writer.close()


def test_damaged_index_is_begun_anew(tmp_path):
    write(tmp_path, document("http://a.example/"))
    (tmp_path / "words" / "meta.json").write_text("garbage")

    write(tmp_path, document("http://b.example/"))

    assert urls(tmp_path) == ["http://b.example/"]


@pytest.mark.parametrize("text", ["", "\ud800 pizza \x00", "ß" * 300_000])
def test_any_text_is_survived(tmp_path, text):
    write(tmp_path, document("http://a.example/", text, title="\udfff"))

    assert IndexReader(tmp_path).page_count == 1


@pytest.mark.parametrize("name", ["pages", "heads", "texts"])
def test_an_index_whose_columns_were_cut_is_told_and_begun_again(tmp_path, name):
    write(tmp_path, document("http://a.example/"), cursor="7")
    file = tmp_path / COLUMNS / f"{name}.bin"
    file.write_bytes(file.read_bytes()[:-1])

    with pytest.raises(DamagedDataError, match="damaged"):
        IndexReader(tmp_path)
    writer = open_writer(tmp_path)
    assert writer.cursor == ""  # so everything is followed once more
    writer.close()


def test_overwritten_columns_are_told_in_a_sentence(tmp_path):
    write(tmp_path, document("http://a.example/"))
    file = tmp_path / COLUMNS / "heads.bin"
    file.write_bytes(bytes(file.stat().st_size))

    with pytest.raises(DamagedDataError, match="--rebuild"):
        urls(tmp_path)


def test_a_full_disk_is_not_called_damage(tmp_path):
    text = "An IO error occurred: 'Os { code: 28, kind: StorageFull, message: \"No space\" }'"

    with pytest.raises(OSError, match="No space left"), as_index_error(tmp_path):
        raise ValueError(text)
