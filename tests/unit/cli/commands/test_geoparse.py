from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.settings import Settings

HTML = (
    "<html lang=de><title>Da Carla</title><main><p>Pizza in Oldenburg, nicht in Bremen.</p></main>"
    "<footer><address>Lange Straße 12<br>26122 Oldenburg</address></footer></html>"
)


@pytest.fixture(autouse=True)
def _shipped_data_only(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, gazetteer: object
) -> None:
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)


def feed(monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))


def test_page_is_read_as_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(HTML)

    status = main(["geoparse", "--html", "--json", str(file)])

    found = json.loads(capsys.readouterr().out)
    address = found["addresses"][0]
    assert status == 0
    assert (address["street"], address["house_number"]) == ("Lange Straße", "12")
    assert (address["postcode"], address["city"], address["country"]) == (
        "26122",
        "Oldenburg",
        "DE",
    )
    assert found["text"][address["start"] : address["end"]] == address["text"]
    assert found["scope"][0]["name"] == "Oldenburg"
    for toponym in found["toponyms"]:
        assert found["text"][toponym["start"] : toponym["end"]] == toponym["name"]


def test_lines_are_answered_one_by_one(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = [{"id": "a", "text": "Ein Tag in Lissabon."}, {"id": 2, "html": HTML, "url": ""}]
    feed(monkeypatch, "\n".join(json.dumps(document) for document in documents))

    status = main(["geoparse", "--jsonl"])

    answers = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert status == 0
    assert [answer["id"] for answer in answers] == ["a", 2]
    assert answers[0]["toponyms"][0]["geonameid"] == 2267057
    assert "text" not in answers[0]
    assert "text" in answers[1]


def test_json_lines_are_read_from_files(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(json.dumps({"id": name, "text": "Ein Tag in Lissabon."}))

    status = main(["geoparse", "--jsonl", str(tmp_path / "a"), str(tmp_path / "b")])

    answers = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert status == 0
    assert [answer["id"] for answer in answers] == ["a", "b"]
    assert all(answer["toponyms"] for answer in answers)


def test_file_of_json_lines_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["geoparse", "--jsonl", "no-such-file"]) == 2
    assert "cannot read no-such-file" in capsys.readouterr().err


def test_with_sites_each_line_is_read_with_the_others_of_its_host(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first line is read with those after it, and not with itself."""
    texts = ["The council met in Paris.", "Floods in Ontario.", "Roads in Ontario are closed."]
    documents = [
        {"id": f"{host}{n}", "text": text, "url": f"http://www.{host}.example/{n}"}
        for host, region in (("news", "Ontario"), ("blog", "Texas"), ("alone", ""))
        for n, text in enumerate(texts if region else texts[:1])
        for text in [text.replace("Ontario", region)]
    ]
    feed(monkeypatch, "\n".join(json.dumps(document) for document in documents))

    status = main(["geoparse", "--jsonl", "--set", "sites=yes"])

    answers = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    countries = {answer["id"]: answer["toponyms"][0]["country"] for answer in answers}
    assert status == 0
    assert list(countries) == [document["id"] for document in documents]
    assert (countries["news0"], countries["blog0"], countries["alone0"]) == ("CA", "US", "FR")


def test_sites_of_a_single_text_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["geoparse", "--set", "sites=yes", "-"]) == 2
    assert "--jsonl or --warc" in capsys.readouterr().err


def test_bad_line_is_a_usage_error_that_names_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, '{"id": 1, "text": "Rome"}\nnot json\n')

    status = main(["geoparse", "--jsonl"])

    assert status == 2
    assert "line 2 is not" in capsys.readouterr().err


def test_region_marks_what_lies_inside(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(HTML)

    main(["geoparse", "--html", "--json", "--region", "Oldenburg", str(file)])

    found = json.loads(capsys.readouterr().out)
    inside = {toponym["name"]: toponym["inside"] for toponym in found["toponyms"]}
    assert found["addresses"][0]["inside"] is True
    assert inside == {"Oldenburg": True, "Bremen": False}


def test_page_to_look_at_escapes_what_it_shows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "page.txt"
    file.write_text("<script>alert(1)</script> Lisbon & Porto")

    main(["geoparse", "--format", "html", str(file)])

    shown = capsys.readouterr().out
    assert "<script" not in shown
    assert '<mark class="place" title="Lisbon, Portugal' in shown
    assert "<svg" in shown


def test_missing_file_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["geoparse", "no-such-file"]) == 2
    assert "cannot read no-such-file" in capsys.readouterr().err


def test_map_shows_land_that_crosses_the_antimeridian(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "page.txt"
    file.write_text("From Denver, Colorado to Dallas, Texas.")

    main(["geoparse", "--format", "html", str(file)])

    assert '<path class="land"' in capsys.readouterr().out
