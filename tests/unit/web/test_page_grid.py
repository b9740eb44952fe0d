"""All pages of a crawl on the map, in cells."""

from collections.abc import Sequence
from dataclasses import dataclass

from geoscout.store.base import MappedPage, MappedPages
from geoscout.store.reader import CrawlReader
from geoscout.web.page_grid import PageGrid
from geoscout_places.gazetteer.base import View
from geoscout_places.model import Point

WORLD = View(-180, -90, 180, 90)


@dataclass
class Pages:
    """A crawl that has only pages on the map."""

    points: Sequence[tuple[float, float]]

    def sightings(self, after: str = "", limit: int = 1000) -> MappedPages:
        start = int(after or 0)
        end = min(start + limit, len(self.points))
        found = [
            MappedPage(n, f"http://a.example/{n}", f"Page {n}", n % 2 == 0, Point(*self.points[n]))
            for n in range(start, end)
        ]
        return MappedPages(found, str(end), end - start == limit)


def crawl(points: Sequence[tuple[float, float]]) -> CrawlReader:
    return Pages(points)  # type: ignore[return-value]  # a grid asks for nothing else


def test_near_pages_are_one_cell_with_their_middle():
    grid = PageGrid()
    grid.extend(crawl([(48.1, 11.5), (48.3, 11.7), (-33.9, 18.4)]), 1)

    found = grid.cells(WORLD, is_whole=True)

    near = max(found.cells, key=lambda cell: cell.pages)
    assert (near.lat, near.lon, near.pages, near.relevant) == (48.2, 11.6, 2, 1)
    assert near.bbox == "11.49950,48.09950,11.70050,48.30050"
    assert (len(found.cells), found.pages) == (2, 3)


def test_a_part_of_the_map_has_its_own_pages_in_finer_cells():
    grid = PageGrid()
    grid.extend(crawl([(48.1, 11.5), (48.3, 11.7), (-33.9, 18.4)]), 1)

    found = grid.cells(View(11, 48, 12, 49), is_whole=True)

    assert [cell.pages for cell in found.cells] == [1, 1]


def test_a_view_over_the_date_line_has_both_sides():
    grid = PageGrid()
    grid.extend(crawl([(-17.7, 178.0), (-14.0, -172.0), (0, 0)]), 1)

    assert grid.cells(View(170, -30, -160, 10), is_whole=True).pages == 2


def test_many_pages_are_few_cells():
    points = [
        ((n * 7919) % 17000 / 100 - 85, (n * 104729) % 36000 / 100 - 180) for n in range(50_000)
    ]
    grid = PageGrid()
    grid.extend(crawl(points), 60)

    found = grid.cells(WORLD, is_whole=True)

    assert len(found.cells) < 28 * 28
    assert sum(cell.pages for cell in found.cells) == 50_000


def test_a_large_crawl_is_read_in_turns():
    source = crawl([(1.0, 2.0)] * 5000)
    grid = PageGrid()

    assert not grid.extend(source, 0)
    assert grid.cells(WORLD, is_whole=False).pages == 2000
    assert grid.extend(source, 60)
    assert grid.cells(WORLD, is_whole=True).pages == 5000


def test_the_newest_are_relevant_ones():
    grid = PageGrid()
    grid.extend(crawl([(1.0, 2.0)] * 30), 1)

    newest = grid.newest()

    assert [page.n for page in newest] == [28, 26, 24, 22, 20, 18, 16, 14]


def test_an_empty_crawl_has_no_cells():
    assert PageGrid().cells(WORLD, is_whole=True).cells == []
