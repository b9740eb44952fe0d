"""The commands of docs/how-to/seeds.md, on local files and a local service."""

import json

import pytest

from tests.local_server import LocalFile, served

REGION = "Oldenburg, Germany"
PAGE = b"<title>Oldenburg</title><p>Lange Strasse 4, 26122 Oldenburg"


def overpass(*websites: str) -> bytes:
    elements = [
        {"type": "node", "id": n, "lat": 53.14, "lon": 8.21,
         "tags": {"name": f"Shop {n}", "shop": "yes", "website": website}}
        for n, website in enumerate(websites)
    ]  # fmt: skip
    return json.dumps({"elements": elements}).encode()


def test_seeds_of_a_map_are_a_file_for_a_crawl_or_taken_at_once(tmp_path, typed):
    manners = ["--region", REGION, "--allow-private", "--set", "delay_seconds=0", "--json"]
    places, seeds = tmp_path / "map.json", tmp_path / "seeds.txt"
    with served({"/": LocalFile("text/html", PAGE)}) as site:
        places.write_bytes(overpass(site, "https://other.example/"))
        made = typed("seeds", places, "--region", REGION, "--out", seeds)
        lines = seeds.read_text().splitlines()
        one = ["crawl", *manners, "--max-pages", "1"]
        from_file = typed(*one, "--seeds", seeds, "--out", tmp_path / "a")
        at_once = typed(*one, "--seeds-from", places, "--out", tmp_path / "b")

    assert "2 seeds for Oldenburg" in made.err
    assert lines[2::2] == [site, "https://other.example/"]
    assert all("1 in the region (OpenStreetMap: Shop" in line for line in lines[1::2])
    assert (from_file.facts["pages"], at_once.facts["pages"]) == (1, 1)


def test_service_is_asked_once_and_by_name_only(typed):
    asked: list[str] = []

    class Answering(dict[str, LocalFile]):
        def get(self, path: str, _: object = None) -> LocalFile:  # type: ignore[override]
            asked.append(path)
            return LocalFile("application/json", overpass("https://shop.example/"))

    with served(Answering()) as site:
        words = ["seeds", "--region", REGION, "--json", "--ask", f"overpass={site}api"]
        without = typed(*words)
        words += ["--set", "contact=you@example.org"]
        first, second = typed(*words).facts, typed(*words).facts

    assert (without.status, "--ask needs a contact" in without.err) == (2, True)
    assert [seed["url"] for seed in first] == ["https://shop.example/"]
    assert second == first
    assert len(asked) == 1
    assert asked[0].startswith("/api?data=")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["seeds"], "no files"),
        (["seeds", "--ask", "google=http://a.example/", "--set", "contact=a@b.c"], "overpass=URL"),
        (["seeds", "missing.pbf"], "there is no file missing.pbf"),
        (["crawl", "--allow-private", "--out", "x"], "--seeds or --seeds-from is missing"),
    ],
)
def test_mistakes_are_told(in_folder, typed, words, message):
    done = typed(*words, "--region", REGION)

    assert (done.status, message in done.err) == (2, True)
