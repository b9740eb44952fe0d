"""Small crawls to search in, made by the real parser, geoparser and store."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from geoscout.search.engine import SearchEngine
from geoscout.store.base import Visit
from geoscout_places.geo import Geoparser
from geoscout_places.model import Request, Response
from geoscout_places.parse import parse_html
from tests.stores import Store

MakeEngine = Callable[[Mapping[str, str]], SearchEngine]  # of pages by their URLs
HEADERS = (("content-type", "text/html; charset=utf-8"),)


def page(title: str, *paragraphs: str) -> str:
    """The HTML of a page."""
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"


# Two places of one name, twice, and pages that only seem to fit.
PAGES = {
    "http://pizzaria.example/": page(
        "Pizzaria Alfama",
        "Our pizza restaurant is in the old town of Lisbon, Portugal.",
        "Rua Augusta 12, 1100-053 Lisboa, Portugal",
    ),
    "http://forno.example/": page(
        "Forno do Chiado",
        "A pizza restaurant with a wood oven in Lisbon. Lisbon is the capital of Portugal.",
    ),
    "http://lisbon-nh.example/": page(
        "Main Street Pizza",
        "The only pizza restaurant in Lisbon, New Hampshire.",
        "12 Main Street, Lisbon, NH 03585",
    ),
    "http://madrid.example/": page(
        "Pizza in Madrid", "A pizza restaurant in Madrid, Spain.", "Nothing else is here."
    ),
    "http://acropolis.example/": page(
        "Public schools of Athens",
        "The city public schools of Athens, Greece, open in September.",
        "Athens is the capital of Greece.",
    ),
    "http://acs.example/": page(
        "Athens City Schools",
        "Athens City public schools serve Athens, Alabama.",
        "455 US Highway 31 North, Athens, AL 35611",
    ),
    "http://bikes.example/": page("Bicycles", "How to mend a bicycle. Pizza is not needed."),
}


def make_crawl(folder: Path, pages: Iterable[tuple[str, str]], geoparser: Geoparser) -> None:
    """Add pages to a crawl, new or not."""
    store = Store(folder)
    for at, (url, html) in enumerate(pages):
        response = Response(url, 200, HEADERS, html.encode(), "", fetched_at=1e9 + at, seconds=0.0)
        parsed = parse_html(response.body, url, HEADERS[0][1])
        store.add(Visit(Request(url), response, parsed, geoparser.read(parsed), relevant=True))
    store.commit()
    store.close()
