"""Gathers what `geoscout explain` shows: the URL's way into the crawl, its link, its reasons."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from msgspec import structs

from geoscout.crawling.assemble import draw_blueprint, make_strategy
from geoscout.crawling.options import options_of
from geoscout.crawling.read import Reader
from geoscout.crawling.read_result import ReaderOptions, ReadResult
from geoscout.settings import Settings, user_agent
from geoscout.state.base import Fate, KnownUrl, open_state, request_of
from geoscout.store.base import StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout.strategy import Reason, Source, abilities_of
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.geo.relevance import RelevanceRule, describe, is_inside
from geoscout_places.model import Address, Link, Reading, Relevance
from geoscout_places.urls import normalise

ADDRESSES_SHOWN = 3
_STATES = {Fate.FETCHED: "visited"}


@dataclass(frozen=True, slots=True)
class UrlExplanation:
    url: str
    fate: Fate
    priority: float  # when it was taken, or as it waits
    depth: int
    distance: int
    parent: str  # the page it was found on; "" for a seed
    visit: int | None = None
    status: int | None = None
    relevant: bool | None = None  # None: it is not a page, or not visited
    degree: float | None = None  # how much it is about the region, 0 to 1; as judged now
    evidence: str = ""  # what makes it relevant or not
    anchor: str = ""  # the words of the link
    reason: Reason | None = None  # why the link has its priority by now
    missing: str = ""  # why `reason` is None


def as_document(explanation: UrlExplanation) -> dict[str, Any]:
    """The explanation as one JSON object, for the command and the web.

    Scripts know fate and evidence by the words of earlier versions: `state`, in which what was
    fetched is "visited", and `verdict`.
    """
    names = {"fate": "state", "evidence": "verdict"}
    document = {names.get(name, name): value for name, value in asdict(explanation).items()}
    return document | {"state": _STATES.get(explanation.fate, explanation.fate.value)}


def explain_url(where: Path | str, url: str, settings: Settings) -> UrlExplanation:
    """Everything there is to say about a URL of the crawl at an address."""
    normal = normalise(url)
    with open_state(where) as crawl:
        known = crawl.find([normal or url]).get(normal or url)
        if known is None:
            raise UsageError(f"the crawl has neither visited nor found {normal or url}")
        return _Explainer(crawl.reader, settings).explain(_begin(known))


def _begin(known: KnownUrl) -> UrlExplanation:
    request, visit = known.request, known.visit
    return UrlExplanation(
        request.url,
        known.fate,
        request.priority,
        request.depth,
        request.distance,
        parent=request.parent,
        visit=visit.n if visit else None,
        status=visit.status if visit else None,
    )


class _Explainer:
    """Reads pages of a crawl again, each alone: so were they judged."""

    def __init__(self, store: CrawlReader, settings: Settings) -> None:
        self._store = store
        self._options = options_of(store)
        task = ReaderOptions(
            settings, self._options.region, user_agent(settings), self._options.relevance
        )
        self._reader = Reader(task)
        self._blueprint = draw_blueprint(self._options, settings, open_gazetteer(settings))

    def explain(self, explanation: UrlExplanation) -> UrlExplanation:
        """With the evidence on the page, and the reasons of the link to it."""
        if explanation.visit is not None:
            explanation = self._with_evidence(explanation, explanation.visit)
        if not explanation.parent:
            return replace(explanation, missing="Seeds have priority 1 and come first.")
        parent = self._page_of(explanation.parent)
        if parent is None:
            missing = "The page it was found on is not in the archive: a redirect or a lost record."
            return replace(explanation, missing=missing)
        visit, result = parent
        link = find_link(result.links, explanation.url)
        if link is None or result.page is None:
            missing = "The archived page has no such link: it came by a redirect or a sitemap."
            return replace(explanation, missing=missing)
        source = Source(request_of(visit), result.page, visit.relevant, result.reading)
        strategy = abilities_of(make_strategy(self._blueprint))
        strategy.load(self._store.model())
        anchor = link.anchor or link.alt or link.title
        return replace(explanation, anchor=anchor, reason=strategy.explain(source, link))

    def _with_evidence(self, explanation: UrlExplanation, n: int) -> UrlExplanation:
        visit = self._store.visit(n)
        if visit is None or not visit.is_page:
            return explanation
        result = self._read(n)
        if not (result and result.reading):
            return replace(explanation, relevant=visit.relevant, evidence="not in the archive")
        evidence = self._evidence(result.reading)
        if self._options.relevance == RelevanceRule.ABOUT:
            evidence = f"{_degree(result.relevance)}; {evidence}"
        degree = round(result.relevance.degree, 4)
        return replace(explanation, relevant=visit.relevant, degree=degree, evidence=evidence)

    def _evidence(self, reading: Reading) -> str:
        """The evidence inside the region, in words."""
        region = self._blueprint.region
        scope = ", ".join(f"{s.place.name} {s.score:.2f}" for s in reading.scope[:ADDRESSES_SHOWN])
        inside = [a for a in reading.addresses if is_inside(a, region)]
        if inside:
            shown = "; ".join(map(_shown, inside[:ADDRESSES_SHOWN]))
            more = len(inside) - ADDRESSES_SHOWN
            shown += f" and {more} more" if more > 0 else ""
            decides = self._options.relevance == RelevanceRule.SCOPE
            return f"scope: {scope}; {shown}" if decides else shown
        points = [point for point, _ in reading.points if region.contains_point(point)]
        if points and self._options.relevance != RelevanceRule.SCOPE:
            return f"a point in its markup: {points[0].latitude}, {points[0].longitude}"
        return f"{len(reading.addresses)} addresses outside the region; scope: {scope or 'none'}"

    def _page_of(self, url: str) -> tuple[StoredVisit, ReadResult] | None:
        visits = [visit for visit in self._store.visits_of(url) if visit.is_page]
        result = self._read(visits[-1].n) if visits else None
        return (visits[-1], result) if result else None

    def _read(self, n: int) -> ReadResult | None:
        try:
            response = self._store.response(n)
        except DamagedDataError:
            return None
        return self._reader.read(response)


def _shown(address: Address) -> str:
    return " ".join(address.text.split())


def _degree(relevance: Relevance) -> str:
    """A degree and where it comes from, in words."""
    reasons = ", ".join(describe(relevance)) or "the page says nothing of the region"
    return f"degree {relevance.degree:.2f}, from {reasons}"


def find_link(links: Sequence[Link], url: str) -> Link | None:
    """The link to a URL; archives know some by another spelling, so the nearest of those."""
    for form in (lambda text: text, _loose):
        wanted = form(url)
        for link in links:
            if form(link.url) == wanted:
                return structs.replace(link, url=url)
    return None


def _loose(url: str) -> str:
    """A URL without what archives are forgiving about."""
    plain = url.partition("://")[2].lower()
    for ending in ("index.html", "index.htm", "/"):
        plain = plain.removesuffix(ending)
    return plain
