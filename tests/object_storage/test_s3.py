"""Segments on a server that speaks S3: written, killed, continued and read.

The server is moto's, a process on loopback. Without moto and s3fs this is skipped; `make s3`
installs them.
"""

import os
import subprocess
import sys
from collections import Counter
from contextlib import suppress

import pytest

from geoscout.settings import Settings
from geoscout.state.base import open_state
from geoscout.store.archive import ArchiveSegment, RecordSpot, open_segments
from geoscout_places.errors import DamagedDataError, UsageError
from tests.patience import status_of, wait_until
from tests.postgres import free_port
from tests.unit.cluster.small_web import SEED, URLS, write_web

s3fs = pytest.importorskip("s3fs")
pytest.importorskip("moto.server")
BUCKET = "s3://pages"
_SECONDS = 60  # for anything to happen


@pytest.fixture
def bucket(monkeypatch):
    """An empty bucket, and what clients must know of its server in the environment."""
    port = free_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _make_bucket()
            yield BUCKET
        finally:
            server.kill()
            s3fs.S3FileSystem.clear_instance_cache()


def _make_bucket() -> None:
    def is_made() -> bool:
        with suppress(OSError):  # the server begins
            s3fs.S3FileSystem(skip_instance_cache=True).mkdir("pages")
            return True
        return False

    wait_until(is_made, _SECONDS)


def geoscout(settings: Settings, *words: str) -> list[str]:
    return [sys.executable, "-m", "geoscout", words[0], "--home", settings.home, *words[1:]]


def visits(where: str) -> Counter[str]:
    with open_state(where) as crawl:
        return Counter(visit.url for visit in crawl.reader.visits())


def test_segments_are_written_and_read(bucket):
    segments = open_segments(f"{bucket}/crawl")
    segments.prepare()
    segments.write(ArchiveSegment("0001/one.warc.gz", b"0123456789"))

    assert segments.read(RecordSpot("0001/one.warc.gz", 2, 3)) == b"234"
    with pytest.raises(DamagedDataError, match="cannot read s3://pages/crawl/0001/two"):
        segments.read(RecordSpot("0001/two.warc.gz", 0, 1))


def test_a_server_that_is_gone_is_one_line(bucket, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 1)
    s3fs.S3FileSystem.clear_instance_cache()
    segments = open_segments(f"{bucket}/crawl")

    with pytest.raises(UsageError, match="cannot write to the archive s3://pages/crawl: ") as said:
        segments.write(ArchiveSegment("0001/one.warc.gz", b"0123456789"))
    assert "\n" not in str(said.value)
    with pytest.raises(DamagedDataError, match="cannot read s3://pages/crawl/0001/one"):
        segments.read(RecordSpot("0001/one.warc.gz", 0, 1))


def test_a_crawl_that_was_killed_goes_on_and_every_page_is_read(
    bucket, postgres_address, tmp_path, settings, gazetteer
):
    archive = write_web(tmp_path / "web.warc.gz")
    environment = {**os.environ, "GEOSCOUT_ON": postgres_address, "GEOSCOUT_EXTRAS": "no"}
    begin = geoscout(
        settings, "crawl", "--region", "Lisbon", "--seeds", SEED, "--replay", str(archive),
        "--strategy", "breadth", "--on", postgres_address, "--archive", bucket,
        "--partitions", "4", "--no-work",
    )  # fmt: skip
    work = geoscout(settings, "cluster", "work", "--until-done", "--set", "lease_seconds=3")
    subprocess.run(begin, env=environment, check=True)
    with subprocess.Popen(work, env=environment) as killed:
        wait_until(lambda: visits(postgres_address), _SECONDS)
        killed.kill()
    before = visits(postgres_address)
    assert status_of(subprocess.Popen(work, env=environment), _SECONDS) == 0
    with open_state(postgres_address) as crawl:
        numbers = [visit.n for visit in crawl.reader.visits()]
        bodies = [response.body for _, response in crawl.reader.responses(numbers)]

    assert before
    assert visits(postgres_address) == dict.fromkeys(URLS, 1)
    assert sum(b"which has a text of its own" in body for body in bodies) == len(URLS)
