"""The commands of docs/how-to/seeds.md, on local files and a local service."""

import json

import pytest

from geoscout.cli.main import main
from tests.local_server import LocalFile, served

REGION = "Oldenburg, Germany"
PAGE = b"<title>Oldenburg</title><p>Lange Strasse 4, 26122 Oldenburg"


@pytest.fixture(autouse=True)
def _home(settings, gazetteer, monkeypatch):
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")


def overpass(*websites: str) -> bytes:
    elements = [
        {"type": "node", "id": n, "lat": 53.14, "lon": 8.21,
         "tags": {"name": f"Shop {n}", "shop": "yes", "website": website}}
        for n, website in enumerate(websites)
    ]  # fmt: skip
    return json.dumps({"elements": elements}).encode()


def test_seeds_of_a_map_are_a_file_for_a_crawl(tmp_path, capsys):
    with served({"/": LocalFile("text/html", PAGE)}) as site:
        (tmp_path / "map.json").write_bytes(overpass(site, "https://other.example/"))
        words = [str(tmp_path / "map.json"), "--region", REGION]
        assert main(["seeds", *words, "--out", str(tmp_path / "seeds.txt")]) == 0
        lines = (tmp_path / "seeds.txt").read_text().splitlines()
        crawl = ["--allow-private", "--max-pages", "1", "--set", "delay_seconds=0"]
        seeds = ["--seeds", str(tmp_path / "seeds.txt")]
        assert (
            main(["crawl", "--region", REGION, *seeds, *crawl, "--out", str(tmp_path / "a")]) == 0
        )

    assert "2 seeds for Oldenburg" in capsys.readouterr().err
    assert lines[2::2] == [site, "https://other.example/"]
    assert all("1 in the region (OpenStreetMap: Shop" in line for line in lines[1::2])


def test_crawl_takes_seeds_from_files_at_once(tmp_path, capsys):
    with served({"/": LocalFile("text/html", PAGE)}) as site:
        (tmp_path / "map.json").write_bytes(overpass(site))
        words = ["--region", REGION, "--seeds-from", str(tmp_path / "map.json"), "--json"]
        words += ["--allow-private", "--set", "delay_seconds=0", "--out", str(tmp_path / "crawl")]
        assert main(["crawl", *words]) == 0

    assert json.loads(capsys.readouterr().out)["pages"] == 1


def test_service_is_asked_once_and_by_name_only(tmp_path, capsys):
    asked: list[str] = []

    class Answering(dict[str, LocalFile]):
        def get(self, path: str, _: object = None) -> LocalFile:  # type: ignore[override]
            asked.append(path)
            return LocalFile("application/json", overpass("https://shop.example/"))

    with served(Answering()) as site:
        words = ["seeds", "--region", REGION, "--json", "--ask", f"overpass={site}api"]
        assert main(words) == 2
        assert "--ask needs a contact" in capsys.readouterr().err
        words += ["--set", "contact=you@example.org"]
        assert main(words) == 0
        first = json.loads(capsys.readouterr().out)
        assert main(words) == 0

    assert [seed["url"] for seed in first] == ["https://shop.example/"]
    assert json.loads(capsys.readouterr().out) == first
    assert len(asked) == 1
    assert asked[0].startswith("/api?data=")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no files"),
        (["--ask", "google=http://a.example/", "--set", "contact=a@b.example"], "overpass=URL or"),
        (["missing.pbf"], "there is no file missing.pbf"),
    ],
)
def test_mistakes_are_told(words, message, capsys):
    assert main(["seeds", "--region", REGION, *words]) == 2
    assert message in capsys.readouterr().err


def test_crawl_without_any_seed_is_told(tmp_path, capsys):
    words = ["--region", REGION, "--allow-private", "--out", str(tmp_path / "crawl")]

    assert main(["crawl", *words]) == 2
    assert "--seeds or --seeds-from is missing" in capsys.readouterr().err
