"""Where an answer leads."""

from collections.abc import Sequence

from msgspec.structs import replace

from geoscout.collaborate import Origin, Partition
from geoscout.collaborate.base import DepthRule
from geoscout.crawling.follow import Follower, Reach
from geoscout.crawling.read_result import ReadResult
from geoscout.strategy import LinkOutcome, Scored, Scores, Source
from geoscout_places.model import Link, Page, Relevance, Request, RequestKind, Response

HOME = "http://a.test/"


class Web:
    """A fetcher that only knows what there is."""

    def __init__(
        self,
        outside: Sequence[str] = (),
        sitemaps: tuple[str, ...] = (),
        *,
        has_usual_places: bool = False,
    ) -> None:
        self._outside = outside
        self._sitemaps = sitemaps
        self._has_usual_places = has_usual_places
        self.asked: list[str] = []

    def known_as(self, url: str) -> str | None:
        self.asked.append(url)
        is_usual = url.endswith(("/sitemap.xml", "/sitemap_index.xml"))
        return None if url in self._outside or is_usual > self._has_usual_places else url

    def sitemaps(self, url: str) -> tuple[str, ...]:
        return self._sitemaps


class ByLength:
    """The longer the anchor, the better; links without any are dropped."""

    def __init__(self) -> None:
        self.heard: list[LinkOutcome] = []

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [Scored(len(x.anchor), b"f") if x.anchor else None for x in links]

    def learn(self, outcome: LinkOutcome) -> None:
        self.heard.append(outcome)


RELEVANT = Relevance(relevant=True, degree=0.9)


def link(url: str, anchor: str = "word") -> Link:
    return Link(url, anchor, tag_path="a")


def answer(url: str = HOME, status: int = 200, **headers: str) -> Response:
    return Response(url, status, tuple(headers.items()), b"", "", fetched_at=0.0, seconds=0.0)


def work(*links: Link, **facts: object) -> ReadResult:
    return ReadResult(Page(HOME, "", "", "", (), links=links), links=links, **facts)


def follower(web: Web | None = None, **reach: int) -> Follower:
    return Follower(ByLength(), Reach(**reach), web or Web())


def test_links_become_scored_requests():
    lead = follower().follow(Request(HOME, 1.0, node="n"), answer(), work(link("http://b.test/x")))

    assert lead.requests == [Request("http://b.test/x", 4, 1, 1, HOME, node="n", features=b"f")]


def test_distance_starts_again_at_a_relevant_page():
    far = Request(HOME, 1.0, depth=5, distance=5, parent="http://p.test/")

    plain = follower().follow(far, answer(), work(link("http://b.test/")))
    relevant = follower().follow(far, answer(), work(link("http://b.test/"), relevance=RELEVANT))

    assert [plain.requests[0].distance, relevant.requests[0].distance] == [6, 1]


def test_what_is_left_out_is_counted_by_rule():
    web = Web(outside=["http://b.test/"])
    links = [link("http://b.test/"), link("http://c.test/", ""), link("http://d.test/")]

    lead = follower(web).follow(Request(HOME), answer(), work(*links, refused={"trap": 2}))

    assert lead.refused == {"outside": 1, "strategy": 1, "trap": 2}
    assert [r.url for r in lead.requests] == ["http://d.test/"]


class Hopeless:
    """Follows everything, and expects nothing of it."""

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [Scored(-1e300)] * len(links)


def test_link_of_the_lowest_priority_is_not_dropped():
    lead = Follower(Hopeless(), Reach(), Web()).follow(
        Request(HOME), answer(), work(link("http://b.test/"))
    )

    assert [request.priority for request in lead.requests] == [-1e300]
    assert not lead.refused


class ToTheSouth:
    """Every link belongs to two nodes."""

    @property
    def partition(self) -> Partition:
        raise NotImplementedError

    def assign(self, origin: Origin, links: Sequence[Link]) -> Sequence[tuple[str, ...]]:
        return [("south", origin.node)] * len(links)


def test_links_go_to_the_nodes_that_own_them():
    one = Follower(ByLength(), Reach(), Web(), ToTheSouth())

    lead = one.follow(Request(HOME, node="north"), answer(), work(link("http://b.test/")))

    assert [(r.url, r.node) for r in lead.requests] == [
        ("http://b.test/", "south"),
        ("http://b.test/", "north"),
    ]
    assert lead.exchanged == 1


def test_domain_is_left_at_its_last_level():
    reach = Reach(domain=DepthRule(levels=2))
    deep = Request(f"{HOME}x", level=2, parent=HOME)

    lead = Follower(ByLength(), reach, Web()).follow(
        deep, answer(deep.url), work(link(f"{HOME}y"), link("http://b.test/"))
    )

    assert [(r.url, r.level) for r in lead.requests] == [("http://b.test/", 0)]
    assert lead.refused == {"domain level": 1}


def test_links_too_far_from_a_seed_are_left_out():
    lead = follower(max_depth=1).follow(
        Request(HOME, depth=1), answer(), work(link("http://b.test/"))
    )

    assert lead.requests == []
    assert lead.refused == {"max depth": 1}


def test_links_of_the_fourth_copy_at_a_node_are_left_out():
    page = work(link("http://b.test/"), simhash=77)
    one, each = follower(), follower()
    requests = [Request(f"{HOME}{n}", parent="x") for n in range(4)]
    leads = [one.follow(request, answer(), page) for request in requests]
    apart = [
        each.follow(replace(request, node=f"n{n}"), answer(), page)
        for n, request in enumerate(requests)
    ]

    assert [len(lead.requests) for lead in leads] == [1, 1, 1, 0]
    assert leads[3].refused == {"near-duplicate": 1}
    assert [len(lead.requests) for lead in apart] == [1] * 4


def test_redirect_becomes_a_request_that_keeps_what_was_noted():
    """Out of an archive it leads nowhere."""
    request = Request(HOME, 0.5, depth=2, features=b"f")
    moved = answer(status=301, location="/new")

    lead = follower().follow(request, moved, ReadResult())
    out = follower(Web(outside=[f"{HOME}new"])).follow(request, moved, ReadResult())

    assert lead.requests == [Request(f"{HOME}new", 0.5, 2, parent=HOME, features=b"f")]
    assert (out.requests, out.refused) == ([], {"outside": 1})


def test_redirect_in_a_circle_is_counted():
    one = follower()
    first = one.follow(Request(HOME), answer(status=302, location="/b"), ReadResult()).requests[0]

    lead = one.follow(first, answer(first.url, 302, location="/"), ReadResult())

    assert lead.requests == []
    assert lead.refused == {"redirect-loop": 1}


def test_strategy_hears_of_every_answer():
    strategy = ByLength()
    one = Follower(strategy, Reach(), Web())

    one.follow(Request(HOME), answer(status=301, location="/b"), ReadResult())
    one.follow(Request(f"{HOME}b"), answer(), ReadResult(missing=True))
    one.give_up(Request(f"{HOME}c"))

    assert [(o.request.url, o.status) for o in strategy.heard] == [
        (HOME, 301),
        (f"{HOME}b", 404),
        (f"{HOME}c", 0),
    ]


def test_sitemaps_are_asked_for_where_pages_are_relevant():
    web = Web(sitemaps=("/map.xml", "http://elsewhere.test/map.xml"))
    deep = Request(f"{HOME}x", depth=3, parent=HOME)
    plain = follower(web).follow(deep, answer(), work())
    relevant = follower(web).follow(deep, answer(), work(relevance=RELEVANT))
    off = follower(web, sitemap_links=0).follow(deep, answer(), work(relevance=RELEVANT))

    assert plain.requests == off.requests == []
    assert [(r.url, r.kind) for r in relevant.requests] == [(f"{HOME}map.xml", "sitemap")]


def test_sitemap_is_looked_for_at_its_usual_place_where_robots_names_none():
    usual, deep = Web(has_usual_places=True), Request(f"{HOME}x/y", depth=3, parent=HOME)
    named = Web(sitemaps=("/map.xml",), has_usual_places=True)

    seed = follower(usual).follow(Request(HOME), answer(), work())
    plain = follower(usual).follow(deep, answer(), work())
    relevant = follower(usual).follow(deep, answer(), work(relevance=RELEVANT))
    told = follower(named).follow(deep, answer(), work(relevance=RELEVANT))

    assert [r.url for r in seed.requests] == [f"{HOME}sitemap.xml"]
    assert plain.requests == []
    assert [(r.url, r.kind) for r in relevant.requests] == [(f"{HOME}sitemap.xml", "sitemap")]
    assert [r.url for r in told.requests] == [f"{HOME}map.xml"]


def test_usual_place_is_looked_for_once_on_a_site():
    web = Web()
    leads = follower(web)
    for number in range(3):
        leads.follow(Request(f"{HOME}{number}"), answer(), work(relevance=RELEVANT))

    assert web.asked == [f"{HOME}sitemap.xml", f"{HOME}sitemap_index.xml"]


def test_seed_that_redirects_has_the_sitemap_of_its_target_asked_for():
    one = follower(Web(has_usual_places=True))
    new = "http://www.a.test/"
    (hop,) = one.follow(Request(HOME), answer(status=301, location=new), ReadResult()).requests

    lead = one.follow(hop, answer(new), work())

    assert [r.url for r in lead.requests] == ["http://www.a.test/sitemap.xml"]


def test_sitemap_that_is_not_there_leads_to_the_next_place_and_teaches_nothing():
    strategy = ByLength()
    one = Follower(strategy, Reach(), Web(has_usual_places=True))
    first = Request(f"{HOME}sitemap.xml", 0.5, parent=HOME, kind=RequestKind.SITEMAP)

    (second,) = one.follow(first, answer(first.url, 404), ReadResult()).requests
    last = one.follow(second, answer(second.url, 404), ReadResult())

    assert (second.url, second.kind, second.level) == (f"{HOME}sitemap_index.xml", "sitemap", 0)
    assert last.requests == []
    assert not last.refused
    assert strategy.heard == []


def test_sitemap_of_sitemaps_leads_to_its_own_domain_and_one_step_only():
    listed = ("http://a.test/2.xml", "http://evil.test/3.xml")
    index = Request(f"{HOME}map.xml", depth=1, parent=HOME, kind=RequestKind.SITEMAP)
    nested = Request(f"{HOME}2.xml", depth=1, parent=index.url, kind=RequestKind.SITEMAP, level=1)

    first = follower().follow(index, answer(index.url), work(sitemaps=listed))
    second = follower().follow(nested, answer(nested.url), work(sitemaps=listed))

    assert [(r.url, r.level) for r in first.requests] == [("http://a.test/2.xml", 1)]
    assert second.requests == []


def test_domain_has_no_more_sitemaps_than_its_budget_whatever_its_hosts():
    listed = tuple(f"http://host{number}.a.test/map.xml" for number in range(5))
    leads = follower(sitemaps_per_domain=3)
    index = Request(f"{HOME}map.xml", kind=RequestKind.SITEMAP)

    first = leads.follow(index, answer(index.url), work(sitemaps=listed))
    again = leads.follow(index, answer(index.url), work(sitemaps=listed))
    other = leads.follow(
        Request("http://b.test/map.xml", kind=RequestKind.SITEMAP),
        answer("http://b.test/map.xml"),
        work(sitemaps=("http://b.test/more.xml",)),
    )

    assert [request.url for request in first.requests] == list(listed[:3])
    assert first.refused["sitemap budget"] == 2
    assert again.requests == first.requests
    assert [request.url for request in other.requests] == ["http://b.test/more.xml"]


def test_domain_has_no_more_hosts_than_its_limit():
    leads = follower(hosts_per_domain=2)
    farm = [link(f"http://h{number}.farm.test/") for number in range(4)]
    blogs = [link(f"http://b{number}.blogspot.com/") for number in range(4)]

    first = leads.follow(Request(HOME), answer(), work(*farm, *blogs))
    again = leads.follow(Request(f"{HOME}2"), answer(f"{HOME}2"), work(*farm))

    assert [request.url for request in first.requests] == [
        *(farm[number].url for number in range(2)),
        *(blog.url for blog in blogs),
    ]
    assert first.refused["hosts of domain"] == 2
    assert [request.url for request in again.requests] == [farm[0].url, farm[1].url]


def test_redirects_make_no_more_hosts_than_the_limit():
    leads = follower(hosts_per_domain=1)

    def redirected(number: int) -> list[Request]:
        url = f"http://h{number}.farm.test/"
        target = f"http://h{number + 1}.farm.test/"
        return leads.follow(Request(url), answer(url, 302, location=target), ReadResult()).requests

    assert len(redirected(1)) == 1
    assert redirected(2) == []


class Finder(ByLength):
    """Counts every entity as new."""

    @property
    def new_entities(self) -> int | None:
        return sum(len(outcome.entities or ()) for outcome in self.heard[-1:])


def test_a_strategy_that_looks_for_entities_hears_of_them():
    finder = Finder()
    result = work(link("http://b.test/x"), entities=((1, 2), (3,)))
    lead = Follower(finder, Reach(), Web()).follow(Request(HOME, 1.0), answer(), result)

    assert finder.heard[0].entities == ((1, 2), (3,))
    assert lead.new_entities == 2
    assert follower().follow(Request(HOME, 1.0), answer(), result).new_entities is None
