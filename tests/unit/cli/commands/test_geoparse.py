import io
import json
import sys

import pytest

from geoscout.cli.main import main

HTML = (
    "<html lang=de><title>Da Carla</title><main><p>Pizza in Oldenburg, nicht in Bremen.</p></main>"
    "<footer><address>Lange Straße 12<br>26122 Oldenburg</address></footer></html>"
)


pytestmark = pytest.mark.usefixtures("at_home")


def feed(monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))


def test_page_is_read_as_json_with_what_lies_inside_a_region(typed, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(HTML)

    done = typed("geoparse", "--html", "--json", "--region", "Oldenburg", file)

    found = done.facts
    address = found["addresses"][0]
    assert done.status == 0
    assert (address["street"], address["house_number"]) == ("Lange Straße", "12")
    where = (address["postcode"], address["city"], address["country"], address["inside"])
    assert where == ("26122", "Oldenburg", "DE", True)
    assert found["text"][address["start"] : address["end"]] == address["text"]
    assert found["scope"][0]["name"] == "Oldenburg"
    for toponym in found["toponyms"]:
        assert found["text"][toponym["start"] : toponym["end"]] == toponym["name"]
    inside = {toponym["name"]: toponym["inside"] for toponym in found["toponyms"]}
    assert inside == {"Oldenburg": True, "Bremen": False}


@pytest.mark.parametrize("from_files", [False, True])
def test_lines_are_answered_one_by_one(capsysbinary, monkeypatch, tmp_path, from_files):
    documents = [{"id": "a", "text": "Ein Tag in Lissabon."}, {"id": 2, "html": HTML, "url": ""}]
    feed(monkeypatch, "\n".join(json.dumps(document) for document in documents))
    files = [tmp_path / str(number) for number in range(2)] if from_files else []
    for file, document in zip(files, documents, strict=False):
        file.write_text(json.dumps(document))

    status = main(["geoparse", "--jsonl", *map(str, files)])

    answers = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert status == 0
    assert [answer["id"] for answer in answers] == ["a", 2]
    assert answers[0]["toponyms"][0]["geonameid"] == 2267057
    assert "text" not in answers[0]
    assert "text" in answers[1]


def test_with_sites_each_line_is_read_with_the_others_of_its_host(capsysbinary, monkeypatch):
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


def test_page_to_look_at_escapes_what_it_shows(capsys, tmp_path):
    file = tmp_path / "page.txt"
    file.write_text("<script>alert(1)</script> Lisbon & Porto, Denver, Dallas")

    main(["geoparse", "--format", "html", str(file)])

    shown = capsys.readouterr().out
    assert "<script" not in shown
    assert '<mark class="place" title="Lisbon, Portugal' in shown
    assert "<svg" in shown
    assert '<path class="land"' in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such-file"], "cannot read no-such-file"),
        (["--jsonl", "no-such-file"], "cannot read no-such-file"),
        (["--set", "sites=yes", "-"], "--jsonl or --warc"),
        (["--jsonl"], "line 2 is not"),
    ],
)
def test_what_the_user_can_fix_is_told(capsys, monkeypatch, words, said):
    feed(monkeypatch, '{"id": 1, "text": "Rome"}\nnot json\n')

    assert main(["geoparse", *words]) == 2
    assert said in capsys.readouterr().err
