from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path

import pytest

from geoscout.fetch.archive import ArchiveFetcher
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_lab.worlds.synthetic.serving import write_web
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.model import Request

_PLAN = WebPlan("web2025", random_seed=3, pages=2000)


@pytest.fixture(scope="module")
def folder(gazetteer: SqliteGazetteer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("web")
    write_web(make_web(_PLAN, gazetteer), folder)
    return folder


def _digests(folder: Path) -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir())}


def test_same_plan_is_written_as_the_same_bytes(
    folder: Path, gazetteer: SqliteGazetteer, tmp_path: Path
) -> None:
    write_web(make_web(_PLAN, gazetteer), tmp_path)

    assert _digests(tmp_path) == _digests(folder)


def test_truth_has_a_line_for_every_url(folder: Path, gazetteer: SqliteGazetteer) -> None:
    web = make_web(_PLAN, gazetteer)

    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]

    assert [row["url"] for row in rows] == [web.url(page) for page in range(web.size)]
    assert [row["relevant"] for row in rows] == web.structure.relevant.tolist()
    assert all(row["addresses"] for row in rows if row["relevant"])


async def _fetch(folder: Path, url: str) -> tuple[int, dict[str, str], bytes]:
    fetcher = ArchiveFetcher(sorted(folder.glob("*.warc.gz")))
    try:
        response = await fetcher.fetch(Request(url))
    finally:
        await fetcher.close()
    return response.status, dict(response.headers), response.body


def test_archive_replays_the_pages(folder: Path, gazetteer: SqliteGazetteer) -> None:
    web = make_web(_PLAN, gazetteer)
    page = web.seeds[0]

    status, headers, body = asyncio.run(_fetch(folder, web.url(page)))

    assert (status, body) == (200, web.html(page))
    assert headers["content-type"] == web.content_type(page)


def test_archive_replays_redirects(folder: Path, gazetteer: SqliteGazetteer) -> None:
    web = make_web(_PLAN, gazetteer)
    page = next(page for page in range(web.size) if web.status(page) == 301)

    status, headers, _ = asyncio.run(_fetch(folder, web.url(page)))

    assert (status, headers["location"]) == (301, web.url(web.targets(page)[0]))


def test_seeds_are_urls_of_the_truth(folder: Path) -> None:
    known = {json.loads(line)["url"] for line in (folder / "truth.jsonl").read_text().splitlines()}

    seeds = (folder / "seeds.txt").read_text().split()

    assert seeds
    assert set(seeds) <= known


def test_written_folder_is_not_written_over(folder: Path, gazetteer: SqliteGazetteer) -> None:
    with pytest.raises(FileExistsError):
        write_web(make_web(_PLAN, gazetteer), folder)
