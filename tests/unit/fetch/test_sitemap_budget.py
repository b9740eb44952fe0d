from __future__ import annotations

import pytest
from msgspec.structs import replace

from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.sitemaps import SitemapBudget
from geoscout_places.errors import FetchError, NeverAgainError
from geoscout_places.model import Request, RequestKind
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.sites import markup, page
from tests.unit.fetch.asking import RULES, with_fetcher

A, OTHER_HOST, B = "http://a.test/1.xml", "http://www.a.test/2.xml", "http://b.test/1.xml"


def test_what_a_sitemap_took_is_missing_to_the_others_of_its_domain() -> None:
    budget = SitemapBudget(100)
    with budget.grant(A, 70) as first, budget.grant(OTHER_HOST, 70) as second:
        first.used_bytes = 40
        second.used_bytes = 30
    with budget.grant(A, 70) as third, budget.grant(B, 70) as elsewhere:
        third.used_bytes = 30

    assert [first.most_bytes, second.most_bytes] == [70, 30]
    assert [third.most_bytes, elsewhere.most_bytes] == [30, 70]
    with pytest.raises(NeverAgainError, match="sitemap-budget"), budget.grant(OTHER_HOST, 70):
        pass


def test_sitemap_that_fails_takes_nothing() -> None:
    budget = SitemapBudget(100)
    with pytest.raises(FetchError), budget.grant(A, 100):
        raise NeverAgainError("reset", A)

    with budget.grant(A, 100) as granted:
        assert granted.most_bytes == 100


async def sizes(fetcher: HttpFetcher, url: str) -> list[int | str]:
    found: list[int | str] = []
    for _ in range(3):
        try:
            response = await fetcher.fetch(Request(url, kind=RequestKind.SITEMAP))
        except FetchError as error:
            found.append(error.kind)
        else:
            found.append(len(response.body))
    return found


def test_fetcher_cuts_and_then_refuses_the_sitemaps_of_a_domain() -> None:
    whole = len(markup("Hello"))
    rules = replace(RULES, sitemap_bytes=whole + 10)
    with FakeWeb({"good.test": Site(page("Hello"))}) as web:
        url = web.url("good.test", "/map.xml")

        assert with_fetcher(web, lambda fetcher: sizes(fetcher, url)) == [whole] * 3
        bounded = with_fetcher(web, lambda fetcher: sizes(fetcher, url), rules)

    assert bounded == [whole, 10, "sitemap-budget"]
