"""Tasks of synthetic webs and of archives, made and opened again."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from geoscout_lab.geofocus.score import read_order, read_task
from geoscout_lab.geofocus.task import list_name, make_task, open_task, write_lists, write_package
from geoscout_lab.worlds.truth import ArchiveUnit, SyntheticUnit
from geoscout_places.errors import UsageError
from tests.unit.fetch.archive_files import write_wat, write_wet
from tests.unit.lab.archives import PAGES, write_archive

if TYPE_CHECKING:
    from geoscout.settings import Settings

SEED = "http://a.example/"
SHOP = "http://a.example/shop"
OLDENBURG = ("Oldenburg, Germany",)


def made_of(files: list[Path], folder: Path, settings: Settings) -> dict:
    unit = ArchiveUnit(tuple(map(str, files)), (SEED,), OLDENBURG)
    return dict(make_task(unit.prepared(settings, lambda _done, _all: None), folder, settings))


def test_synthetic_task_is_the_same_when_made_again(tmp_path, own_settings):
    unit = SyntheticUnit("ahlers2009", 2000, 1)
    about = make_task(unit, tmp_path / "one" / "t", own_settings)

    assert make_task(unit, tmp_path / "two" / "t", own_settings) == about
    assert (
        about["oracles"]["greedy"]["20%"]["found"] >= about["oracles"]["one_step"]["20%"]["found"]
    )
    task, opened = open_task(tmp_path / "one" / "t", own_settings)
    assert task.urls[0] == opened.world.url(0)
    assert (tmp_path / "one/t/seeds.txt").read_text().split() == [
        opened.world.url(seed) for seed in opened.world.seeds
    ]


def test_pages_are_known_by_the_names_a_server_gives_them(tmp_path, own_settings):
    unit = SyntheticUnit("web2025", 2000, 1)
    make_task(unit, tmp_path / "t", own_settings)
    task, opened = open_task(tmp_path / "t", own_settings)
    served = opened.world.at_port(8123)

    pages = {opened.world.url(page): page for page in range(opened.world.size)}
    assert [task.number(served.url(pages[url])) for url in task.urls] == [*range(len(task.urls))]


def test_world_that_comes_out_otherwise_is_refused(tmp_path, own_settings):
    make_task(SyntheticUnit("ahlers2009", 2000, 1), tmp_path / "t", own_settings)
    file = tmp_path / "t" / "task.json"
    file.write_text(file.read_text().replace('"random_seed": 1', '"random_seed": 2'))

    with pytest.raises(UsageError, match="comes out otherwise than when the task was made"):
        open_task(tmp_path / "t", own_settings)


def test_task_of_an_archive_is_a_list_of_captures(tmp_path, archive, own_settings):
    folder = tmp_path / "task"
    about = made_of([archive], folder, own_settings)

    text = gzip.decompress((folder / "captures.cdxj.gz").read_bytes())
    lines = [json.loads(line.split(b" ", 2)[2]) for line in text.splitlines()]
    assert {line["url"] for line in lines} == PAGES.keys() - {"http://c.example/"}  # not reached
    assert {line["filename"] for line in lines} == {archive.name}
    assert all({"offset", "length"} <= line.keys() for line in lines)
    links = gzip.decompress((folder / "links.tsv.gz").read_bytes()).decode().splitlines()
    urls = read_task(folder).urls
    assert [urls[int(n)] for n in links[urls.index(SEED)].split("\t")] == [
        "http://a.example/shop/", "http://b.example/",
    ]  # fmt: skip
    assert (about["pages"], about["relevant"], about["domains"]) == (4, 1, 1)


def test_strategies_run_on_captures_of_archives(tmp_path, archive, own_settings):
    folder = tmp_path / "task"
    made_of([archive], folder, own_settings)
    whole = archive.rename(folder / archive.name)

    write_lists(folder, ["breadth"], tmp_path / "lists", own_settings)

    task = read_task(folder)
    assert read_order(tmp_path / "lists/breadth/task.txt", task)[0] == [task.urls.index(SEED)]
    whole.unlink()
    with pytest.raises(UsageError, match="put them next to it"):
        write_lists(folder, ["distance"], tmp_path / "lists", own_settings)


@pytest.mark.parametrize("kind", ["wat", "cdxj"])
def test_files_of_common_crawl_become_tasks(tmp_path, own_settings, kind):
    texts = {SEED: "Start", SHOP: "Lange Straße 12, 26122 Oldenburg"}
    if kind == "wat":
        links = {SEED: ("Start", [("/shop", "Shop")]), SHOP: ("Shop", [])}
        files = [
            write_wet(tmp_path / "p.warc.wet.gz", texts),
            write_wat(tmp_path / "p.warc.wat.gz", links),
        ]
    else:
        pages = {SEED: '<a href="/shop">Shop</a>', SHOP: f"<p>{texts[SHOP]}"}
        made_of([write_archive(tmp_path / "p.warc.gz", pages)], tmp_path / "first", own_settings)
        files = [Path((tmp_path / "first/captures.cdxj.gz").rename(tmp_path / "some.cdxj.gz"))]
    about = made_of(files, tmp_path / "task", own_settings)

    assert (about["pages"], about["relevant"]) == (2, 1)
    for file in tmp_path.glob("p.*"):
        file.rename(tmp_path / "task" / file.name)
    assert open_task(tmp_path / "task", own_settings)[0].relevant == [False, True]


def test_labels_win_over_the_geoparser(tmp_path, archive, own_settings):
    labels = tmp_path / "labels.jsonl"
    labels.write_text('{"url": "http://b.example/", "relevant": true}\n')
    unit = ArchiveUnit((str(archive),), (SEED,), OLDENBURG, truth=str(labels))
    prepared = unit.prepared(own_settings, lambda _done, _all: None)
    about = make_task(prepared, tmp_path / "task", own_settings)
    archive.rename(tmp_path / "task" / archive.name)

    task, opened = open_task(tmp_path / "task", own_settings)

    assert about["judged_by"] == "labels"
    assert [url for url, is_so in zip(task.urls, task.relevant, strict=True) if is_so] == [
        "http://b.example/"
    ]
    assert sum(opened.world.is_relevant(page) for page in range(opened.world.size)) == 1


def test_package_describes_every_file(tmp_path, own_settings):
    make_task(SyntheticUnit("ahlers2009", 2000, 1), tmp_path / "t", replace(own_settings))
    write_package(tmp_path)
    write_package(tmp_path)  # again, as for more tasks

    about = json.loads((tmp_path / "datapackage.json").read_text())
    assert [file["path"] for file in about["resources"] if file["path"].startswith("t/")] == [
        "t/seeds.txt", "t/task.json", "t/truth.tsv.gz",
    ]  # fmt: skip
    for file in about["resources"]:
        data = (tmp_path / file["path"]).read_bytes()
        assert (file["bytes"], file["hash"]) == (
            len(data), f"sha256:{hashlib.sha256(data).hexdigest()}",
        )  # fmt: skip


@pytest.mark.parametrize(
    ("spec", "name"),
    [("breadth", "breadth"), ("adaptive:depth=2", "adaptive-depth=2"), ("a/mine.py", "mine")],
)
def test_lists_of_a_strategy_have_a_folder(spec, name):
    assert list_name(spec) == name
