from __future__ import annotations

from pathlib import Path

import pytest

from geoscout.cli.commands.crawl import create
from geoscout.cli.main import command_parser
from geoscout.settings import Settings
from geoscout.web.control.new_crawl import NewCrawl, ServerPlace, arguments_of, mistakes_in
from geoscout_places.gazetteer import SqliteGazetteer

GOOD = {
    "name": "lisbon",
    "region": ["Lisbon"],
    "seeds": ["https://www.lisboa.pt"],
    "contact": "you@example.org",
}


def mistakes(
    wanted: dict[str, object],
    room: Path | None,
    gazetteer: SqliteGazetteer,
    *,
    is_local: bool = True,
) -> dict[str, str]:
    place = ServerPlace(room=room, is_local=is_local)
    found = mistakes_in(NewCrawl(**{**GOOD, **wanted}), place, Settings(), gazetteer)
    return {one["where"]: one["what"] for one in found}


def test_all_mistakes_are_told_at_once(tmp_path: Path, gazetteer: SqliteGazetteer) -> None:
    (tmp_path / "taken").mkdir()
    wanted = {
        "name": "taken",
        "region": ["Atlantis-on-Sea"],
        "seeds": ["https://a.example/", "ftp://a.example/", "seeds.txt", "http://127.0.0.1/"],
        "contact": "me",
        "max_pages": 0,
    }

    found = mistakes(wanted, tmp_path, gazetteer)

    assert list(found) == [
        "name", "region", "seeds.1", "seeds.2", "seeds.3", "max_pages", "contact",
    ]  # fmt: skip
    assert "Atlantis" in found["region"]
    assert "private" in found["seeds.3"]


@pytest.mark.parametrize(
    "name", ["", ".hidden", "..", "a/b", "/etc", "a\0b", "-rf", "a b", "a\nb", "x" * 65]
)
def test_a_name_never_leads_out_of_the_folder(
    tmp_path: Path, gazetteer: SqliteGazetteer, name: str
) -> None:
    assert list(mistakes({"name": name}, tmp_path, gazetteer)) == ["name"]


def test_a_link_to_elsewhere_is_not_followed(tmp_path: Path, gazetteer: SqliteGazetteer) -> None:
    (tmp_path / "lisbon").symlink_to(tmp_path / "nowhere")

    assert list(mistakes({}, tmp_path, gazetteer)) == ["name"]


def test_files_are_not_read(tmp_path: Path, gazetteer: SqliteGazetteer) -> None:
    for name in ("region.txt", "odd.name;more"):
        (tmp_path / name).write_text("Lisbon")
        (tmp_path / "seeds").write_text("https://a.example/")

        found = mistakes(
            {"region": [str(tmp_path / name)], "seeds": [str(tmp_path / "seeds")]},
            tmp_path,
            gazetteer,
        )

        assert "file" in found["region"]
        assert "not an http(s) URL" in found["seeds.0"]


def test_a_file_of_the_working_directory_is_not_read(
    tmp_path: Path, gazetteer: SqliteGazetteer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "St. Louis").write_text("Lisbon")
    (tmp_path / "a.b;c").write_text("Lisbon")

    for text in ("St. Louis", "a.b;c"):
        assert "file" in mistakes({"region": [text]}, tmp_path, gazetteer)["region"]


def test_there_must_be_a_folder_for_it(gazetteer: SqliteGazetteer) -> None:
    assert "geoscout serve FOLDER" in mistakes({}, None, gazetteer)["name"]


def test_private_addresses_only_where_the_server_is_local(
    tmp_path: Path, gazetteer: SqliteGazetteer
) -> None:
    wanted = {"seeds": ["http://localhost:8000/"], "allow_private": True}

    assert list(mistakes(wanted, tmp_path, gazetteer, is_local=False)) == ["allow_private"]


def test_the_command_is_one_that_geoscout_takes(tmp_path: Path, gazetteer: SqliteGazetteer) -> None:
    wanted = {"region": ["-33.87,151.21,20"], "max_pages": 10, "contact": "--json@example.org"}
    name, *words = arguments_of(NewCrawl(**{**GOOD, **wanted}), tmp_path / "lisbon")
    assert mistakes(wanted, tmp_path, gazetteer) == {}

    read = command_parser(name, create()).parse_args(words)

    assert read.region == ["-33.87,151.21,20"]
    assert read.seeds == ["https://www.lisboa.pt/"]
    assert (read.contact, read.max_pages, read.json) == ("--json@example.org", 10, False)
    assert read.out == str(tmp_path / "lisbon")
