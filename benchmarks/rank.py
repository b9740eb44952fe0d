"""What `rank` and `anchors` cost for a page of 100 links.

    python -m benchmarks.rank

The links are those of a synthetic web, page after page, so that navigation repeats as it does on
real sites. CPU time; the limit is a millisecond, less than it takes to parse such a page.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from geoscout.strategy import Source, StrategyAim, create_strategy
from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.model import Link, Page, Request
from geoscout_places.parse import parse_html

LIMIT_MILLISECONDS = 1.0
PAGES = 3000
LINKS = 100
SPECS = (
    "rank",
    "rank:senses=first",
    "rank:gazetteer=geowordnet",
    "rank:places=region",
    "anchors:training_pages=0",
)
# not a seed: these are looked at twice, and there are few
SOURCE = Source(Request("http://example.org/", depth=1), Page.empty(""), relevant=False)


def main() -> None:
    """Print the milliseconds a page for each strategy, and the limit."""
    gazetteer = open_gazetteer()
    web = make_web(WebPlan("usa2006", 3, PAGES), gazetteer, parse_html)
    numbers = [page for page in range(web.size) if web.status(page) == 200]
    links = [link for page in numbers for link in web.links(page)]
    pages = [links[start : start + LINKS] for start in range(0, len(links) - LINKS, LINKS)]
    parsed = _parsing(numbers[:200], web) * LINKS
    print(f"{len(pages)} pages of {LINKS} links; limit {LIMIT_MILLISECONDS} ms")
    print(f"{'parsing, for as many links':32} {parsed:6.2f} ms")
    aim = StrategyAim(Region.parse("Texas", gazetteer), gazetteer)
    for spec in SPECS:
        print(f"{spec:32} {_scoring(spec, aim, pages):6.2f} ms")


def _scoring(spec: str, aim: StrategyAim, pages: Sequence[Sequence[Link]]) -> float:
    strategy = create_strategy(spec, aim)
    strategy.score(SOURCE, pages[0])  # loads the automaton
    started = time.process_time()
    for page in pages:
        strategy.score(SOURCE, page)
    return (time.process_time() - started) / len(pages) * 1000


def _parsing(numbers: Sequence[int], web: SyntheticWeb) -> float:
    """Milliseconds a link."""
    bodies = [(web.html(page), web.url(page)) for page in numbers]
    started = time.process_time()
    found = sum(len(parse_html(body, url).links) for body, url in bodies)
    return (time.process_time() - started) / found * 1000


if __name__ == "__main__":
    main()
