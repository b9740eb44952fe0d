"""The command as a user types it."""

from __future__ import annotations

import json

import pytest

from geoscout.cli.main import main
from tests.conftest import PROJECT

HOME = ["--home", str(PROJECT / ".cache" / "home")]


@pytest.fixture(autouse=True)
def _shipped_tables_only(monkeypatch):
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "0")


def test_web_is_written_and_described(tmp_path, capsys):
    out = tmp_path / "web"

    status = main(
        ["synthweb", str(out), "--pages", "2000", "--set", "city=Bremen", "--json", *HOME]
    )

    said = json.loads(capsys.readouterr().out)
    assert (status, said["region"]) == (0, "Bremen, Germany")
    assert {path.name for path in out.iterdir()} == {
        "hosts.jsonl", "seeds.txt", "truth.jsonl", "web-00001.warc.gz", "web.json",
    }  # fmt: skip


def test_folder_with_files_is_refused(tmp_path, capsys):
    (tmp_path / "old.txt").touch()

    status = main(["synthweb", str(tmp_path), "--pages", "2000", *HOME])

    assert status == 2
    assert "is not empty; give a new folder" in capsys.readouterr().err


def test_unknown_profile_is_refused(tmp_path, capsys):
    status = main(["synthweb", str(tmp_path / "web"), "--profile", "web1999", *HOME])

    assert status == 2
    assert "ahlers2009, web2025, usa2006, gao2006" in capsys.readouterr().err
