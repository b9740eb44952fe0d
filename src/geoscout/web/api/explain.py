"""Why a URL has its priority and its relevance, as `geoscout explain` tells it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from geoscout.crawling.explain import as_document, explain_url
from geoscout.web.api.asking import PROBLEMS, CrawlHere, SiteHere, as_json
from geoscout.web.working import Work, run_for_client
from geoscout_places.errors import UsageError
from geoscout_places.urls import normalise

router = APIRouter(prefix="/api", tags=["crawls"], responses=PROBLEMS)


@router.get("/explain", response_model=dict[str, object])
async def explain(
    request: Request, site: SiteHere, crawl: CrawlHere, url: Annotated[str, Query(max_length=4000)]
) -> Response:
    """Why a link has its priority, feature by feature."""
    wanted = normalise(url)
    if wanted is None:
        raise UsageError("url must be an http(s) URL")

    def read(_: Work) -> Response:
        return as_json(as_document(explain_url(crawl.where, wanted, site.settings)))

    return await run_for_client(request, read, site.reading)
