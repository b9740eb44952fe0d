import asyncio
from collections.abc import Mapping

import pytest

from geoscout.crawling.seed_choice import choose_seeds
from geoscout.crawling.seeds import read_seeds
from geoscout.fetch.registries import RegistrationCache, Registrations
from geoscout.registrations import RegistrationRecord
from geoscout.strategy.base import StrategyAim
from geoscout.strategy.rank.formulas import Ranking, RankOptions
from geoscout_places.errors import NeverAgainError, UsageError
from geoscout_places.model import Request, Response
from tests.unit.strategy.american_places import GAZETTEER


class FakeFetcher:
    """Answers with the pages it was given; a text that is a URL is a redirect to it."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self._pages = pages

    async def fetch(self, request: Request) -> Response:
        text = self._pages.get(request.url)
        if text is None:
            raise NeverAgainError("robots", request.url)
        is_moved = text.startswith("http")
        fields = (("location", text),) if is_moved else (("content-type", "text/html"),)
        status = 301 if is_moved else 200
        return Response(request.url, status, fields, text.encode(), "", fetched_at=0.0, seconds=0.0)

    async def resolve(self, host: str) -> str:
        return ""

    def known_as(self, url: str) -> str | None:
        return url

    def delay_after(self, response: Response) -> float:
        return 0.0

    def delay_after_failure(self, url: str) -> float:
        return 0.0

    async def close(self) -> None:
        pass


def choose(pages: Mapping[str, str], *urls: str, registrations: Registrations | None = None):
    ranking = Ranking(StrategyAim(None, GAZETTEER), RankOptions())
    chosen = asyncio.run(
        choose_seeds(urls, FakeFetcher(pages), ranking, registrations)  # type: ignore[arg-type]
    )
    kept = [url for url, _ in chosen]
    return kept, [url for url in urls if url not in kept]


def test_seed_is_kept_for_the_places_its_page_names():
    pages = {
        "http://a.example/": "<p><a href=/x>Hotels in Boston</a></p>",
        "http://b.example/": "<p><a href=/y>Recipes</a></p>",
    }

    assert choose(pages, *pages) == (["http://a.example/"], ["http://b.example/"])


def test_seeds_are_ordered_by_rank():
    pages = {
        "http://a.example/": "<p>See <a href=/x>here</a> for Boston</p>",
        "http://b.example/": "<p><a href=/y>Boston</a></p>",
    }

    assert choose(pages, *pages)[0] == ["http://b.example/", "http://a.example/"]


def test_seed_that_cannot_be_fetched_is_judged_by_its_url():
    kept, dropped = choose({}, "http://boston.example/", "http://x.example/")

    assert (kept, dropped) == (["http://boston.example/"], ["http://x.example/"])


@pytest.mark.parametrize(
    ("second", "kept"), [("<a href=/x>Boston</a>", True), ("http://a.example/", False)]
)
def test_redirect_of_a_seed_is_followed_and_a_circle_is_no_page(second, kept):
    pages = {"http://a.example/": "http://a.example/b", "http://a.example/b": second}
    assert bool(choose(pages, "http://a.example/")[0]) is kept


def test_registration_speaks_for_a_seed(tmp_path):
    cache = RegistrationCache(tmp_path / "r.sqlite")
    cache.put(RegistrationRecord("x.example", "Boston", "MA", country="US"))

    kept, _ = choose({}, "http://x.example/", registrations=Registrations([], cache))
    cache.close()

    assert kept == ["http://x.example/"]


def test_a_host_without_a_scheme_is_a_seed(tmp_path):
    listed = tmp_path / "seeds.txt"
    listed.write_text("www.cm-lisboa.pt/visitar\n# a comment\nhttp://example.org/\n")

    seeds = read_seeds(["lisboa.pt", str(listed)])

    assert seeds == [
        "https://lisboa.pt/",
        "https://www.cm-lisboa.pt/visitar",
        "http://example.org/",
    ]


@pytest.mark.parametrize("text", ["seeds.txt", "my seeds", "lisboa", "me@lisboa.pt", "../a.pt"])
def test_the_name_of_a_file_that_is_not_there_is_not_a_host(text):
    with pytest.raises(UsageError, match="neither an http"):
        read_seeds([text])
