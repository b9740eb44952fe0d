"""A question read into words and a place, and the pages that answer it, ranked and explained.

`open_engine` opens the index of a crawl; `SearchEngine.answer` answers a `Question`, and
`presenting.answer_as_json` makes plain data of it. `update_index` keeps the index up with the
crawl.
"""

from typing import TYPE_CHECKING

from geoscout.search.base import Answer, Question

if TYPE_CHECKING:
    from pathlib import Path

    from geoscout.search.engine import SearchEngine
    from geoscout.settings import Settings
    from geoscout_places.gazetteer.base import Gazetteer

__all__ = ["Answer", "Question", "open_engine", "update_index"]


def update_index(
    where: "Path | str", gazetteer: "Gazetteer", settings: "Settings | None" = None
) -> None:
    """Bring the index of the crawl at an address up to date; the first call makes it."""
    from geoscout.search.updating import follow_crawl  # noqa: PLC0415 - as below

    follow_crawl(where, gazetteer, settings=settings)


def open_engine(
    where: "Path | str", gazetteer: "Gazetteer", settings: "Settings | None" = None
) -> "SearchEngine":
    """The engine over the index of the crawl at an address, as it stands.

    `settings` None means those of file and environment.

    Raises:
        UsageError: there is no index yet.
    """
    # Tantivy and numpy take longer to import than most commands run.
    from geoscout.crawling.options import options_of, region_of  # noqa: PLC0415
    from geoscout.geocode import open_geocoder  # noqa: PLC0415
    from geoscout.search.engine import SearchEngine  # noqa: PLC0415
    from geoscout.search.updating import open_index  # noqa: PLC0415
    from geoscout.settings import load_settings  # noqa: PLC0415
    from geoscout.state.base import open_state  # noqa: PLC0415
    from geoscout_places.gazetteer.home import home_folder  # noqa: PLC0415
    from geoscout_places.plugins import load_plugin  # noqa: PLC0415

    settings = settings or load_settings()
    geocoder = open_geocoder(settings, home_folder(settings))
    with open_state(where) as crawl:
        home = region_of(options_of(crawl.reader), gazetteer)
    house = load_plugin("geoscout.houses", "directory", "house").create()
    return SearchEngine(
        open_index(where, settings), gazetteer, geocoder, home, house.names_of_sorts
    )
