"""A crawl, a comparison, an export and `explain` say the same of every page."""

from dataclasses import replace

import pytest

from geoscout import open_crawl, start_crawl
from geoscout_lab.worlds.archive import Judging, open_archive
from geoscout_places.model import RelevanceRule
from tests.flow.test_sites import pages as pages_of_one_menu
from tests.homes import home_with_gazetteer
from tests.unit.lab.archives import write_archive

REGION = "Oldenburg, Germany"
SEED = "http://inns.example/0"


def paris(number: int) -> str:
    """A page of a site on Ontario, where Paris is another town than elsewhere."""
    towns = ("Toronto", "Hamilton", "Brantford", "Guelph", "Kitchener", "Waterloo")
    text = " ".join(f"In {towns[(number + n) % 6]}, Ontario, it rained." for n in range(3))
    last = "Paris was dry." if number > 6 else text
    more = f"<a href=http://news.example/{number + 1}>More</a>"
    return f"<p>{last}</p><footer>1 Market Street, Paris, ON N3L 1A1</footer>{more}"


def web() -> dict[str, str]:
    """Two sites of one menu or footer each: what is known of them changes how a page is read."""
    pages = pages_of_one_menu()
    pages[SEED] += "<a href=http://news.example/0>News</a>"
    return pages | {f"http://news.example/{n}": paris(n) for n in range(12)}


@pytest.fixture
def home(tmp_path, at_home, monkeypatch):
    folder = home_with_gazetteer(tmp_path / "home", at_home)
    monkeypatch.setenv("GEOSCOUT_HOME", str(folder))
    return replace(at_home, home=str(folder))


@pytest.mark.parametrize("region", [REGION, "Brant, Ontario"])
@pytest.mark.parametrize("rule", list(RelevanceRule))
def test_a_crawl_in_any_order_judges_every_page_as_a_comparison_does(rule, region, tmp_path, home):
    archive = write_archive(tmp_path / "web.warc.gz", web())
    world = open_archive([archive], [SEED], Judging((region,), rule), home)
    pages = range(world.size)
    told = {world.url(page): (world.is_relevant(page), world.degree(page)) for page in pages}

    for order in ("breadth", "hybrid"):
        with start_crawl(
            tmp_path / order, region=region, seeds=[SEED], settings=home,
            replay=[str(archive)], relevance=rule, strategy=order,
        ) as crawl:  # fmt: skip
            crawl.run()

        with open_crawl(tmp_path / order) as found:
            judged = {page.url: (page.relevant, page.degree) for page in found.pages()}
        assert len(judged) > 20
        assert judged == {url: told[url] for url in judged}


def test_export_and_explain_tell_the_degree_of_the_crawl(tmp_path, home, typed):
    archive, out = write_archive(tmp_path / "web.warc.gz", web()), tmp_path / "out"
    words = ["--region", REGION, "--seeds", SEED, "--replay", archive, "--out", out]
    typed("crawl", *words, "--set", "relevance=about")
    exported = typed("export", out, "--what", "pages", "--format", "jsonl").rows[::4]

    explained = [typed("explain", out, page["url"], "--json").facts["degree"] for page in exported]

    assert [round(page["relevance"], 4) for page in exported] == explained
    assert len({round(degree, 1) for degree in explained}) > 1
