"""`geoscout explain` and `status --analysis` over a small crawl of an archive."""

import json
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.store.base import Visit
from geoscout_places.model import Request, Response
from tests.stores import Store

HOUSES = 6


def pages() -> dict[str, str]:
    """A list of houses, each with a contact page in Oldenburg and one of news."""
    start = "".join(f'<p><a href="/{n}/">House {n}</a></p>' for n in range(HOUSES))
    found = {"http://a.example/": start}
    for n in range(HOUSES):
        here = f"http://a.example/{n}/"
        found[here] = '<p><a href="kontakt">Kontakt</a></p><p><a href="news">Neues</a></p>'
        found[f"{here}kontakt"] = f"<address>Lange Straße {n + 1}<br>26122 Oldenburg</address>"
        found[f"{here}news"] = f"<p>Nothing happened on day {n}.</p>"
    return found


@pytest.fixture(scope="module")
def own_home(settings, gazetteer):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GEOSCOUT_EXTRAS", "no")
        patch.setenv("GEOSCOUT_HOME", settings.home)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory, own_home):
    """A crawl that learned from ten answers, and stopped when it had seventeen."""
    tmp_path = tmp_path_factory.mktemp("explain")
    store = Store(tmp_path / "source")
    headers = (("content-type", "text/html; charset=utf-8"),)
    for url, body in pages().items():
        store.add(
            Visit(
                Request(url),
                Response(url, 200, headers, body.encode(), "", fetched_at=0.0, seconds=0.0),
            )
        )
    store.commit()
    store.close()
    archive = next((tmp_path / "source").glob("**/*.warc.gz"))
    spec = "adaptive:training_pages=10:depth=2"
    words = ["--region", "Oldenburg", "--seeds", "http://a.example/", "--strategy", spec]
    out = tmp_path / "crawl"
    assert (
        main(["crawl", *words, "--replay", str(archive), "--out", str(out), "--max-pages", "17"])
        == 0
    )
    return out


def explained(folder: Path, url: str, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    capsys.readouterr()
    assert main(["explain", str(folder), url, "--json"]) == 0
    document: dict[str, object] = json.loads(capsys.readouterr().out)
    return document


def test_relevant_page_names_its_address(folder, capsys):
    found = explained(folder, "http://a.example/0/kontakt", capsys)

    assert found["state"] == "visited"
    assert found["parent"] == "http://a.example/0/"
    assert found["relevant"] is True
    assert "Lange Straße 1" in str(found["verdict"])


def test_priority_is_explained_term_by_term(folder, capsys):
    reason = explained(folder, "http://a.example/0/kontakt", capsys)["reason"]

    assert isinstance(reason, dict)
    score, prediction = reason["parts"]
    assert score["detail"] == "2 links from the last relevant page or seed"
    assert [part["name"] for part in prediction["parts"][:3]] == [
        "step 1",
        "step 2",
        "terms for it",
    ]
    expected = score["value"] + prediction["value"] * (1 - score["value"])
    assert reason["value"] == pytest.approx(expected)


def test_waiting_url_is_explained_too(folder, capsys):
    with_news = [f"http://a.example/{n}/news" for n in range(HOUSES)]
    states = {str(explained(folder, url, capsys)["state"]) for url in with_news}

    assert "waiting" in states


def test_seed_has_no_reason_but_is_known(folder, capsys):
    found = explained(folder, "http://a.example", capsys)

    assert found["reason"] is None
    assert "Seeds" in str(found["missing"])


def test_explanation_can_be_read(folder, capsys):
    capsys.readouterr()
    assert main(["explain", str(folder), "http://a.example/1/kontakt"]) == 0

    shown = capsys.readouterr().out
    assert "found on: http://a.example/1/" in shown
    assert "anchor:kontakt" in shown


def test_unknown_url_is_refused(folder, capsys):
    assert main(["explain", str(folder), "http://nowhere.example/"]) == 2
    assert "neither visited nor found" in capsys.readouterr().err


def test_status_analyses_the_crawl(folder, tmp_path, capsys):
    capsys.readouterr()
    picture = tmp_path / "analysis.png"
    assert main(["status", str(folder), "--analysis", "--json", "--plot", str(picture)]) == 0

    analysis = json.loads(capsys.readouterr().out)["analysis"]
    assert analysis["visits"] == 17
    assert sum(analysis["seed_distances"]) == analysis["relevant"]
    assert analysis["graph"]["kilometres"][-1] == 0  # all that tell a place are in Oldenburg
    assert analysis["graph"]["from_relevant"]["to_relevant"] < 1
    assert analysis["graph"]["repetition"] == 1
    assert picture.exists()


def test_analysis_can_be_read(folder, capsys):
    capsys.readouterr()
    assert main(["status", str(folder), "--analysis"]) == 0

    shown = capsys.readouterr().out
    assert "relevant pages by distance from a seed" in shown
    assert "km between places, 2 links apart" in shown
