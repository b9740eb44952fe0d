"""The judge on hand-written pages, each of a kind that the labelled pages showed."""

import pytest

from geoscout_places.gazetteer import Region, SqliteGazetteer
from geoscout_places.geo import Geoparser
from geoscout_places.geo.relevance import Judge, RelevanceRule, describe
from geoscout_places.geo.relevance.judge import place_of_suffix
from geoscout_places.model import Page, Relevance
from geoscout_places.parse import parse_html
from geoscout_places.urls import registrable_domain

_FILLING = "<p>" + "The program reads its input twice and writes what has changed. " * 40


@pytest.fixture(scope="module")
def geoparser(gazetteer: SqliteGazetteer) -> Geoparser:
    return Geoparser(gazetteer)


def judged(
    geoparser: Geoparser,
    region: str,
    html: str,
    url: str = "http://site.example/page.html",
    rule: str = RelevanceRule.ABOUT,
) -> Relevance:
    page: Page = parse_html(html.encode(), url, "text/html; charset=utf-8")
    judge = Judge(Region.parse(region, geoparser.gazetteer), rule)
    return judge.judge(page, geoparser.read(page))


def test_a_shop_with_its_address_is_about_its_town(geoparser: Geoparser) -> None:
    html = """<title>Green's Bakery</title><h1>Green's Bakery, Austin</h1>
        <p>Bread and cakes every day. <p>1200 Congress Avenue, Austin, TX 78701"""

    found = judged(geoparser, "Austin, TX", html)

    assert found.relevant
    assert found.degree > 0.8
    assert "addresses" in {part.name for part in found.parts}


def test_one_address_of_many_is_not_enough(geoparser: Geoparser) -> None:
    towns = (
        "Dallas, TX 75201", "Boston, MA 02108", "Denver, CO 80202", "Miami, FL 33101",
        "Portland, OR 97201", "Austin, TX 78701", "Reno, NV 89501", "Omaha, NE 68102",
    )  # fmt: skip
    lines = "".join(f"<li>{n}00 Main Street, {town}</li>" for n, town in enumerate(towns, 1))
    html = f"<title>All branches</title><h1>All branches</h1><ul>{lines}</ul>"

    assert not judged(geoparser, "Austin, TX", html).relevant
    assert judged(geoparser, "Austin, TX", html, rule="address").relevant


def test_the_state_around_the_town_is_neutral(geoparser: Geoparser) -> None:
    html = """<title>Our town</title><p>Life in Austin, Texas, United States. Texas has many towns;
        Austin is the capital of Texas, and visitors from all over Texas come to Austin."""

    assert judged(geoparser, "Austin, TX", html).relevant


def test_an_institution_that_bears_the_name_counts(geoparser: Geoparser) -> None:
    html = """<title>Jane's page</title><h1>Jane</h1><p>I am a graduate student at UT Austin.
        <p>Office: 5.120 Taylor, UT Austin"""

    assert judged(geoparser, "Austin, TX", html).relevant


def test_a_page_of_a_directory_is_known_by_its_url(geoparser: Geoparser) -> None:
    html = """<title>sandstone cellars winery</title><nav>Home Blog</nav>
        <h1>sandstone cellars winery</h1><p>Do you own this winery? Claim it."""
    url = "http://wines.example/texas/mason/sandstone-cellars-winery/"

    assert judged(geoparser, "Texas", html, url).relevant
    assert not judged(geoparser, "Oregon", html, url).relevant


def test_a_name_in_the_menu_of_a_page_on_something_else_is_not_enough(
    geoparser: Geoparser,
) -> None:
    html = f"""<title>Sorting</title><nav><ul><li><a href=a>Austin</a><li><a href=b>Boston</a>
        <li><a href=d>Denver</a><li><a href=r>Reno</a></ul></nav><h1>Sorting</h1>{_FILLING}"""

    assert not judged(geoparser, "Austin, TX", html).relevant


def test_the_publisher_s_address_in_the_footer_does_not_decide(geoparser: Geoparser) -> None:
    html = f"""<title>Storm in Florida</title><h1>Storm in Florida</h1>
        <p>Florida was hit. In Tampa and Miami shelters opened; help came to all of Florida.
        {_FILLING}<footer>500 Congress Avenue, Austin, TX 78701</footer>"""

    assert not judged(geoparser, "Austin, TX", html).relevant
    assert judged(geoparser, "Florida", html).relevant


def test_a_place_in_passing_is_not_enough(geoparser: Geoparser) -> None:
    html = f"<title>A compiler</title><h1>A compiler</h1>{_FILLING}<p>Written in Austin."

    found = judged(geoparser, "Austin, TX", html)

    assert not found.relevant
    assert 0 < found.degree < 0.5


@pytest.mark.parametrize(
    ("region", "text"),
    [
        ("Örebro", "Välkommen till Örebro. Örebro kommun, Box 30000, 701 35 Örebro. Besök oss."),
        ("Poznań", "Urząd Miasta Poznania, plac Kolegiacki 17, 61-841 Poznań. Poznań zaprasza."),
        ("Perugia", "Comune di Perugia, Corso Vannucci 19, 06121 Perugia. Eventi a Perugia."),
    ],
)
def test_a_country_without_an_address_format_is_judged_by_names(
    geoparser: Geoparser, region: str, text: str
) -> None:
    html = f"<title>{region}</title><h1>{region}</h1><p>{text}"

    assert judged(geoparser, region, html).relevant


def test_a_page_that_says_nothing_has_no_parts(geoparser: Geoparser) -> None:
    found = judged(geoparser, "Austin, TX", "<title>Sorting</title><p>How to sort numbers.")

    assert not found.relevant
    assert found.degree < 0.1
    assert describe(found) == []


def test_what_decided_is_told_in_words(geoparser: Geoparser) -> None:
    html = "<title>Austin</title><h1>Austin</h1><p>Austin is a city."

    first = describe(judged(geoparser, "Austin, TX", html))[0]

    assert first.endswith(")")
    assert "+" in first


@pytest.mark.parametrize("rule", ["address", "scope", "either"])
def test_published_rules_say_yes_or_no(geoparser: Geoparser, rule: str) -> None:
    html = "<title>Shop</title><p>Our shop in Austin: 1200 Congress Avenue, Austin, TX 78701"

    found = judged(geoparser, "Austin, TX", html, rule=rule)

    assert (found.relevant, found.degree) == (True, 1.0)
    assert judged(geoparser, "Boston, MA", html, rule=rule) == Relevance()


def test_without_a_region_an_address_is_enough(geoparser: Geoparser) -> None:
    page = parse_html(b"<p>1200 Congress Avenue, Austin, TX 78701", "http://a.example/", "")

    assert Judge(None, "scope").judge(page, geoparser.read(page)).relevant


BOOKS = "<title>The Library</title><p>" + "Books for all who read. " * 60


def test_one_address_in_a_footer_is_enough_where_nothing_else_is_named(
    geoparser: Geoparser,
) -> None:
    html = f"{BOOKS}<footer>1200 Congress Avenue, Austin, TX 78701</footer>"

    assert judged(geoparser, "Austin, TX", html).relevant


def test_folders_that_lie_in_each_other_decide_and_one_folder_does_not(
    geoparser: Geoparser,
) -> None:
    html = "<title>Slides</title><p>The program reads its input and writes what has changed."
    nested, folder = (f"http://a.example/{path}/7.html" for path in ("texas/austin", "austin04"))

    assert judged(geoparser, "Austin, TX", html, nested).relevant
    assert not judged(geoparser, "Dallas, TX", html, nested).relevant
    assert not judged(geoparser, "Austin, TX", html, folder.replace("04", "/04")).relevant


def test_a_namesake_below_another_state_is_not_the_region(geoparser: Geoparser) -> None:
    html = "<title>Stockton Wineries</title><h1>Stockton Wineries</h1><p>new jersey hunterdon"
    url = "http://wines.example/new-jersey/hunterdon/stockton/"

    assert not judged(geoparser, "California", html, url).relevant
    assert judged(geoparser, "New Jersey", html, url).relevant


def test_a_labelled_field_is_as_good_as_an_address(geoparser: Geoparser) -> None:
    html = f"<title>Nurse wanted</title>{_FILLING}<p>Location: US-TX-Austin<p>Salary: by hour"

    assert judged(geoparser, "Austin, TX", html).relevant
    assert not judged(geoparser, "Boston, MA", html).relevant


@pytest.mark.parametrize(
    ("domain", "place"),
    [
        ("library.qc.ca", "Quebec"), ("school.nsw.edu.au", "New South Wales"),
        ("austin.tx.us", "Texas"), ("library.ca", None), ("university.ac.id", None),
        ("fahrrad.berlin", "Berlin"), ("shop.example", None), ("localhost", None),
    ],
)  # fmt: skip
def test_a_public_suffix_names_a_place(
    domain: str, place: str | None, gazetteer: SqliteGazetteer
) -> None:
    found = place_of_suffix(registrable_domain(domain), gazetteer)

    assert (found and found.name) == place


def test_a_page_without_a_url_is_judged(geoparser: Geoparser) -> None:
    page = parse_html(b"<title>Austin</title><p>Austin, Texas, is a town.", "")

    region = Region.parse("Austin, TX", geoparser.gazetteer)

    assert Judge(region, "about").judge(page, geoparser.read(page)).relevant


def test_the_author_s_address_below_papers_says_nothing(geoparser: Geoparser) -> None:
    html = f"""<title>Notes</title>{_FILLING}<p>Ann Miller, 1200 Congress Avenue,
        Austin, TX 78701"""

    notes = judged(geoparser, "Austin, TX", html, "http://site.example/~ann/papers/notes.html")
    own = judged(geoparser, "Austin, TX", html, "http://site.example/~ann/index.html")

    assert own.degree > notes.degree
    assert not notes.relevant


@pytest.mark.parametrize(("path", "weight"), [("", 2), ("index.html", 2), ("a.html", 0)])
def test_the_title_of_a_front_page_is_the_name_of_its_owner(
    geoparser: Geoparser, path: str, weight: float
) -> None:
    html = "<title>German Society of Austin</title>"

    found = judged(geoparser, "Austin, TX", html, f"http://site.example/{path}")

    assert sum(part.weight for part in found.parts if part.name == "title") >= weight
