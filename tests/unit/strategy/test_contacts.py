from msgspec.structs import replace

from geoscout.strategy import StrategyAim, create_strategy
from geoscout.strategy.contacts import leads_to_facts
from geoscout_places.model import Link
from tests.unit.strategy.links import source


def scores(*urls: str, depth: int = 0) -> list[float | None]:
    page = source("http://www.salon.example/")
    page = replace(page, request=replace(page.request, depth=depth))
    found = create_strategy("contacts", StrategyAim()).score(page, [Link(url, "") for url in urls])
    return [scored and scored.score for scored in found]


def test_pages_about_the_site_come_before_all_others():
    contact, news = scores("http://salon.example/kontakt", "http://www.salon.example/news")
    (deeper,) = scores("http://www.salon.example/about-us", depth=5)

    assert contact is not None
    assert news is not None
    assert deeper is not None
    assert contact > deeper > 0 > news


def test_no_link_leaves_the_site():
    assert scores("http://guide.example/contact", "http://other.example/") == [None, None]


def test_a_link_is_told_by_path_or_short_text():
    told = [("/x", "Öffnungszeiten"), ("/x", "Chi siamo"), ("/mentions-legales", ""),
            ("/x", "read all about the long evening we had at the lake")]  # fmt: skip

    assert [leads_to_facts(Link(f"http://a.example{path}", anchor)) for path, anchor in told] == [
        True, True, True, False
    ]  # fmt: skip
