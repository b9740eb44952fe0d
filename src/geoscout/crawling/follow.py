"""Where a response leads: the strategy learns from it, scores its links, and they become requests.

Redirects, repeated texts and sitemaps have modules of their own.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from http import HTTPStatus

from msgspec import Struct, field
from msgspec.structs import replace

from geoscout.collaborate import Collaboration, Origin, dispatch, traits_of
from geoscout.collaborate.base import DepthRule
from geoscout.crawling.copies import COPIES_FOLLOWED, SeenTexts, UrlForms
from geoscout.crawling.read_result import ReadResult
from geoscout.crawling.requests import (
    Followed,
    HostQuota,
    RedirectChains,
    SitemapQuota,
    is_absent,
    next_place,
    requests_from,
    sitemap_requests,
    usual_sitemaps,
)
from geoscout.fetch.base import Admission, KnownWeb
from geoscout.fetch.retries import is_redirect
from geoscout.fetch.robots import robots_site
from geoscout.strategy import LinkOutcome, Source, Strategy, abilities_of
from geoscout_places.caches import BoundedCache
from geoscout_places.errors import FetchError
from geoscout_places.model import Link, Page, Request, RequestKind, Response
from geoscout_places.urls import authority_of, host_of, without_port

_EXCLUDED = "excluded"  # links left out by the rules of the user
_SITES_REMEMBERED = 20_000  # of which it is kept where their sitemaps may be
_CROWD = "hosts of domain"  # links left out, since their domain has had all of its hosts


class Reach(Struct, frozen=True):
    """How far links are followed."""

    max_depth: int | None = None  # links since a seed
    most_alike: int = COPIES_FOLLOWED
    sitemap_links: int = 10_000  # of one sitemap; 0: sitemaps are not asked for
    sitemaps_per_domain: int = 100  # 0: as many as there are
    hosts_per_domain: int = 0  # 0: as many as there are
    hosts_unproven: int = 0  # of a domain or address without a relevant page; 0: the same
    admission: Admission = field(default_factory=Admission)  # by the rules of the user
    domain: DepthRule | None = None  # how deep a domain is explored; None: without limit


class Lead(Struct, frozen=True):
    requests: list[Request]
    refused: dict[str, int]  # links left out, by rule
    exchanged: int = 0  # requests that another node gets
    is_copy: bool = False  # its text was seen before, so it tells nothing new of its site
    new_entities: int | None = None  # that it names; None if they do not count


class Follower:
    """Lets the strategy learn from responses, and turns the links of pages into requests."""

    def __init__(
        self,
        strategy: Strategy,
        reach: Reach,
        web: KnownWeb,
        collaboration: Collaboration | None = None,
    ) -> None:
        """`collaboration` None: there is one node, and it has no name."""
        self._strategy = abilities_of(strategy)
        self._reach = reach
        self._web = web
        self._collaboration = collaboration
        self._is_ruled = bool(reach.admission)
        self._assigns_redirects = collaboration is not None and traits_of(collaboration).goes_by_url
        self._chains = RedirectChains()
        self._texts = SeenTexts(reach.most_alike)
        self._forms = UrlForms()
        self._usual_sitemaps: BoundedCache[str, tuple[str, ...]] = BoundedCache(
            lambda site: usual_sitemaps(site, web.known_as), _SITES_REMEMBERED
        )
        self._quota = SitemapQuota(reach.sitemaps_per_domain)
        self._hosts = HostQuota(reach.hosts_per_domain, reach.hosts_unproven)

    def follow(self, request: Request, response: Response, result: ReadResult) -> Lead:
        """What to ask for next because of a response."""
        chained = self._chains.before(request.url)
        if result.words:
            self._strategy.hear_words(result.words)
        if is_redirect(response):
            self._learn(LinkOutcome(request, response.status))
            self._texts.redirected(request.url, request.parent)
            return self._redirected(request, response, chained)
        if is_absent(request, response):
            return Lead(next_place(request), Counter())
        repeat = self._texts.add(request.url, result.simhash, request.parent, request.node)
        status = HTTPStatus.NOT_FOUND.value if result.missing else response.status
        relevant, reading = result.relevant, result.reading
        found = result.entities
        self._learn(LinkOutcome(request, status, relevant, repeat.is_copy, reading, entities=found))
        new = self._strategy.new_entities
        self._note_form(request, status, result)
        if relevant and not repeat.is_copy:
            self._hosts.note_relevant(host_of(request.url), response.address)
        if result.page is None and request.kind != RequestKind.SITEMAP:
            return Lead([], Counter({"soft 404": 1}) if result.missing else Counter())
        left_out = defaultdict(int, result.refused)
        if repeat.too_often:
            left_out["near-duplicate"] += len(result.links)
            sitemaps = self._sitemaps(request, result, left_out)
            return Lead(sitemaps, left_out, is_copy=True, new_entities=new)
        page = result.page or Page.empty(request.url)
        source = Source(request, page, result.relevant, result.reading)
        requests, exchanged = self._links(source, result, response.address, left_out)
        requests += self._sitemaps(request, result, left_out)
        return Lead(requests, left_out, exchanged, repeat.is_copy, new)

    def _learn(self, outcome: LinkOutcome) -> None:
        """Tell the strategy what became of a link; a sitemap is none."""
        if outcome.request.kind != RequestKind.SITEMAP:
            self._strategy.learn(outcome)

    def give_up(self, request: Request) -> None:
        """A request that will never be answered."""
        self._forms.missing(request.url, request.node)
        self._learn(LinkOutcome(request, 0))

    def admits(self, host: str, address: str) -> bool:
        """Whether a host may be asked, or its address has had all of its hosts."""
        return self._hosts.admits_at(host, address)

    def is_answered(self, request: Request) -> bool:
        """Whether its page has come under another URL since it began to wait."""
        is_page = request.kind == RequestKind.PAGE
        return is_page and self._forms.was_answered(request.url, request.node)

    def _redirected(self, request: Request, response: Response, chain: tuple[str, ...]) -> Lead:
        try:
            hop = self._chains.hop(request, response, chain)
        except FetchError as error:
            return Lead([], Counter({error.kind: 1}))
        asked = self._web.known_as(hop.url)
        if asked is None:
            return Lead([], Counter({"outside": 1}))
        if not self._reach.admission.admits(asked, request.kind):
            return Lead([], Counter({_EXCLUDED: 1}))
        if not self._hosts.admits(host_of(asked)):
            return Lead([], Counter({_CROWD: 1}))
        hop = replace(hop, url=asked)
        if self._collaboration is None or not self._assigns_redirects:
            return Lead([hop], Counter())
        link = Link.to(hop.url)
        origin = Origin(Page.empty(request.url), request.node, response.address)
        sent = dispatch(request.node, [hop], self._collaboration.assign(origin, [link]))
        return Lead(list(sent.requests), Counter(), sent.exchanged)

    def _links(
        self, source: Source, result: ReadResult, address: str, refused: dict[str, int]
    ) -> tuple[list[Request], int]:
        """The requests that the links of a page become, and how many another node gets."""
        request = source.request
        if self._reach.max_depth is not None and request.depth >= self._reach.max_depth:
            refused["max depth"] += len(result.links)
            return [], 0
        links, levels = self._within(request, self._askable(result.links, refused), refused)
        scored = self._scored(source, links, levels)
        if len(scored) < len(links):
            refused["strategy"] += len(links) - len(scored)
        found = self._of_few_hosts(self._in_one_form(scored, refused), refused)
        requests = [new for _, new in found]
        if self._collaboration is None:
            return requests, 0
        origin = Origin(source.page, request.node, address)
        owners = self._collaboration.assign(origin, [link for link, _ in found])
        sent = dispatch(request.node, requests, owners)
        return list(sent.requests), sent.exchanged

    def _scored(
        self, source: Source, links: Sequence[Link], levels: Sequence[int]
    ) -> list[tuple[Link, Request]]:
        """The links that the strategy does not drop, and the requests they become."""
        request = source.request

        def make(  # noqa: PLR0913, PLR0917 - a record, field by field
            found: tuple[Link, int],
            priority: float,
            features: bytes,
            depth: int,
            distance: int,
            parent: str,
        ) -> tuple[Link, Request]:
            link, level = found
            return link, Request(
                link.url, priority, depth, distance, parent,
                node=request.node, features=features, level=level,
            )  # fmt: skip

        page = Followed(request.url, request.depth, request.distance, source.relevant)
        targets = zip(links, levels, strict=True)
        return requests_from(page, targets, self._strategy.score(source, links), make)

    def _within(
        self, request: Request, links: list[Link], refused: dict[str, int]
    ) -> tuple[list[Link], list[int]]:
        """The links that stay within reach, and the level of each in its domain."""
        if request.kind == RequestKind.SITEMAP:
            del links[self._reach.sitemap_links :]
        rule = self._reach.domain
        if rule is None:
            return links, [0] * len(links)
        levels = [rule.level(request.url, request.level, link.url) for link in links]
        kept = [(link, n) for link, n in zip(links, levels, strict=True) if n is not None]
        if len(kept) < len(links):
            refused["domain level"] += len(links) - len(kept)
        return [link for link, _ in kept], [level for _, level in kept]

    def _askable(self, links: tuple[Link, ...], refused: dict[str, int]) -> list[Link]:
        """The links whose targets can be had, under the names they can be had by."""
        kept = []
        for link in links:
            asked = self._web.known_as(link.url)
            if asked is None:
                refused["outside"] += 1
            elif self._is_ruled and not self._reach.admission.admits(asked):
                refused[_EXCLUDED] += 1
            else:
                kept.append(link if asked == link.url else replace(link, url=asked))
        return kept

    def _in_one_form(
        self, found: list[tuple[Link, Request]], refused: dict[str, int]
    ) -> list[tuple[Link, Request]]:
        """Those that lead to pages which were not asked for under another URL."""
        node = found[0][1].node if found else ""  # all belong to the node of their page
        if not any(self._forms.has_rules(host, node) for host in _hosts_of(found)):
            return found
        kept = [pair for pair in found if not self._forms.is_known(pair[1].url, node)]
        if len(kept) < len(found):
            refused["other form"] += len(found) - len(kept)
        return kept

    def _of_few_hosts(
        self, found: list[tuple[Link, Request]], refused: dict[str, int]
    ) -> list[tuple[Link, Request]]:
        """Those that lead to hosts of domains that have not had all of theirs."""
        barred = {host for host in _hosts_of(found) if not self._hosts.admits(host)}
        if not barred:
            return found
        kept = [pair for pair in found if host_of(pair[1].url) not in barred]
        refused[_CROWD] += len(found) - len(kept)
        return kept

    def _note_form(self, request: Request, status: int, result: ReadResult) -> None:
        if status >= HTTPStatus.BAD_REQUEST:
            self._forms.missing(request.url, request.node)
        elif result.simhash:
            self._forms.answered(request.url, result.simhash, request.node)

    def _sitemaps(
        self, request: Request, result: ReadResult, refused: dict[str, int]
    ) -> list[Request]:
        """Requests for sitemaps, where the response shows that they are worth it."""
        if not self._reach.sitemap_links:
            return []
        known_as, named = self._web.known_as, result.sitemaps
        if request.kind != RequestKind.SITEMAP:
            if not (result.relevant or request.depth == 0):
                return []
            by_robots = self._web.sitemaps(request.url)
            named = (*(by_robots or self._usual_sitemaps[robots_site(request.url)]), *named)
        if not named:
            return []
        admits = self._reach.admission.admits
        found = sitemap_requests(request, named, known_as)
        found = [asked for asked in found if admits(asked.url, asked.kind)]
        admitted = self._quota.admit(found)
        if len(admitted) < len(found):
            refused["sitemap budget"] += len(found) - len(admitted)
        return admitted


def _hosts_of(found: list[tuple[Link, Request]]) -> dict[str, None]:
    """The hosts of requests, each once, in their order."""
    authorities = dict.fromkeys([authority_of(request.url) for _, request in found])
    return dict.fromkeys(map(without_port, authorities))
