"""`geoscout explain` and `status --analysis` over a small crawl of an archive."""

import pytest

from geoscout.cli.main import main
from tests.unit.lab.archives import write_archive

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
    out = tmp_path_factory.mktemp("explain")
    archive = write_archive(out / "pages.warc.gz", pages())
    spec = "adaptive:training_pages=10:depth=2"
    words = ["--region", "Oldenburg", "--seeds", "http://a.example/", "--strategy", spec]
    place = ["--replay", str(archive), "--out", str(out / "crawl"), "--max-pages", "17"]
    assert main(["crawl", *words, *place]) == 0
    return out / "crawl"


@pytest.fixture
def explained(folder, typed):
    return lambda url: typed("explain", folder, url, "--json").facts


def test_relevant_page_names_its_address_and_each_term_of_its_priority(explained):
    found = explained("http://a.example/0/kontakt")

    assert found["state"] == "visited"
    assert found["parent"] == "http://a.example/0/"
    assert found["relevant"] is True
    assert "Lange Straße 1" in str(found["verdict"])
    score, prediction = found["reason"]["parts"]
    assert score["detail"] == "2 links from the last relevant page or seed"
    names = [part["name"] for part in prediction["parts"][:3]]
    assert names == ["step 1", "step 2", "terms for it"]
    expected = score["value"] + prediction["value"] * (1 - score["value"])
    assert found["reason"]["value"] == pytest.approx(expected)


def test_waiting_urls_and_seeds_are_explained_too(explained):
    states = {explained(f"http://a.example/{n}/news")["state"] for n in range(HOUSES)}
    seed = explained("http://a.example")

    assert "waiting" in states
    assert seed["reason"] is None
    assert "Seeds" in str(seed["missing"])


def test_explanation_can_be_read_and_an_unknown_url_is_refused(folder, typed):
    shown = typed("explain", folder, "http://a.example/1/kontakt")
    unknown = typed("explain", folder, "http://nowhere.example/")

    assert shown.status == 0
    assert "found on: http://a.example/1/" in shown.out
    assert "anchor:kontakt" in shown.out
    assert (unknown.status, "neither visited nor found" in unknown.err) == (2, True)


def test_status_analyses_the_crawl(folder, tmp_path, typed):
    picture = tmp_path / "analysis.png"

    analysis = typed("status", folder, "--analysis", "--json", "--plot", picture).facts["analysis"]
    shown = typed("status", folder, "--analysis").out

    assert analysis["visits"] == 17
    assert sum(analysis["seed_distances"]) == analysis["relevant"]
    assert analysis["graph"]["kilometres"][-1] == 0  # all that tell a place are in Oldenburg
    assert analysis["graph"]["from_relevant"]["to_relevant"] < 1
    assert analysis["graph"]["repetition"] == 1
    assert picture.exists()
    assert "relevant pages by distance from a seed" in shown
    assert "of any two pages" in shown
