"""A web of a few sites in an archive, whose pages link to each other across sites."""

from pathlib import Path

from tests.unit.lab.archives import write_archive

SITES, PAGES = 12, 8  # pages of each site
MENU = "<ul><li>Inns in Berlin</li><li>Inns in Hamburg</li><li>Inns in Dresden</li></ul>"


def url_of(site: int, page: int) -> str:
    return f"http://www.site{site}.example/{page}.html"


SEED = url_of(0, 0)
URLS = frozenset(url_of(site, page) for site in range(SITES) for page in range(PAGES))


def write_web(file: Path) -> Path:
    """Every page is reached from the first one of the first site."""
    return write_archive(
        file, {url_of(s, p): _page(s, p) for s in range(SITES) for p in range(PAGES)}
    )


def _page(site: int, page: int) -> str:
    targets = [(site, page + 1), (site + 1, page), (site + 5, 0)]
    links = [url_of(s % SITES, p % PAGES) for s, p in targets]
    words = f"Page {page} of site {site}, which has a text of its own: {site * 31 + page * 7}."
    anchors = "".join(f'<p><a href="{link}">to {link}</a>' for link in links)
    return f"<html><title>Site {site}</title>{MENU}<p>{words}{anchors}</html>"
