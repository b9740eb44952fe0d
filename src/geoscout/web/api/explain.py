"""Why a URL has its priority and its relevance, as `geoscout explain` tells it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from geoscout.crawling.explain import as_document, explain_url
from geoscout.errors import UsageError
from geoscout.urls import normalise
from geoscout.web.api.asking import PROBLEMS, CrawlHere, SiteHere, as_json

router = APIRouter(prefix="/api", tags=["crawls"], responses=PROBLEMS)


@router.get("/explain", response_model=dict[str, object])
def explain(
    site: SiteHere, crawl: CrawlHere, url: Annotated[str, Query(max_length=4000)]
) -> Response:
    """Why a link has its priority, feature by feature."""
    wanted = normalise(url)
    if wanted is None:
        raise UsageError("url must be an http(s) URL")
    return as_json(as_document(explain_url(crawl.where, wanted, site.settings)))
