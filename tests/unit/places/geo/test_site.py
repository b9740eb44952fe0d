"""What a page and its site tell each other."""

import pytest
from msgspec.structs import replace

from geoscout_places.geo import Geoparser
from geoscout_places.geo.site import LONG_BLOCK, BlockMarks, with_region
from geoscout_places.model import Page, Reading, SiteKnowledge
from geoscout_places.parse import parse_html

MENU = "<ul><li>Inns in Berlin</li><li>Inns in Hamburg</li><li>Inns in Dresden</li></ul>"
FOOTER = "<footer><p>Museum Guide, Lange Straße 12, 26122 Oldenburg</p></footer>"
ARTICLE = "<h1>Inns in Dresden</h1><p>The museum is in Dresden, on the Elbe.</p>"


@pytest.fixture(scope="module")
def geoparser(gazetteer):
    return Geoparser(gazetteer)


def page_of(html: str) -> Page:
    return parse_html(html.encode(), "http://guide.example/a", "text/html; charset=utf-8")


def site_of(geoparser: Geoparser, *htmls: str) -> SiteKnowledge:
    """A site that repeats every block with places of these pages."""
    notes = [geoparser.notes(page, geoparser.read(page)) for page in map(page_of, htmls)]
    return SiteKnowledge(9, repeated=frozenset(mark for of in notes for mark in of.blocks))


def read(geoparser: Geoparser, html: str, site: SiteKnowledge) -> Reading:
    return geoparser.read(page_of(html), site)


def test_names_in_a_repeated_menu_are_the_sites_and_the_same_name_elsewhere_is_not(geoparser):
    site = site_of(geoparser, MENU + "<p>Hello</p>", "<p>Hi</p>" + MENU)

    found = read(geoparser, MENU + ARTICLE, site).mentions

    assert [(m.text, m.of_site) for m in found if m.text in {"Hamburg", "Dresden"}] == [
        ("Hamburg", True), ("Dresden", True), ("Dresden", False), ("Dresden", False),
    ]  # fmt: skip


def test_an_entry_of_a_menu_is_known_though_the_one_before_is_left_out(geoparser):
    site = site_of(geoparser, MENU)

    found = read(geoparser, MENU.replace("<li>Inns in Berlin</li>", ""), site).mentions

    assert {m.text: m.of_site for m in found} == {"Hamburg": True, "Dresden": True}


def test_an_address_in_a_repeated_block_is_the_sites(geoparser):
    site = site_of(geoparser, FOOTER)

    reading = read(geoparser, ARTICLE + FOOTER, site)

    assert [(a.city, a.of_site) for a in reading.addresses] == [("Oldenburg", True)]
    assert "Oldenburg" not in {part.place.name for part in reading.scope}
    assert reading.scope[0].place.name.startswith("Dresden")


def test_an_address_with_a_line_of_its_own_is_the_pages(geoparser):
    town = "<div>26122 Oldenburg</div><div>Phone</div>"
    site = site_of(geoparser, "<div>Lange Straße 12</div>" + town)
    site = replace(site, repeated=site.repeated | set(_town_marks("26122 Oldenburg\nPhone\n")))

    reading = read(geoparser, "<div>Achternstraße 3</div>" + town, site)

    assert [(a.street, a.of_site) for a in reading.addresses] == [("Achternstraße", False)]
    assert not any(mention.of_site for mention in reading.mentions if mention.text == "Oldenburg")


def _town_marks(text: str) -> tuple[int, ...]:
    page = page_of("<div>x</div>" + "".join(f"<div>{line}</div>" for line in text.split("\n")))
    return BlockMarks(page).at(page.text.index("26122"))


def test_a_page_that_names_nothing_else_is_where_its_site_is(geoparser):
    site = site_of(geoparser, FOOTER)

    reading = read(geoparser, "<p>Opening hours: 9 to 5.</p>" + FOOTER, site)

    assert [part.place.name for part in reading.scope] == ["Oldenburg"]


def test_an_address_in_the_markup_has_a_mark_of_its_own(geoparser):
    markup = """<script type="application/ld+json">{"@type": "Restaurant", "address": {
        "@type": "PostalAddress", "streetAddress": "Lange Straße 12", "postalCode": "26122",
        "addressLocality": "Oldenburg", "addressCountry": "DE"}}</script>"""
    site = site_of(geoparser, markup)

    reading = read(geoparser, ARTICLE + markup, site)

    assert [address.of_site for address in reading.addresses] == [True]


def test_long_blocks_need_no_neighbours(geoparser):
    footer = "<p>More of our guides to cities: Berlin, Hamburg, Dresden, and many others</p>"
    (mark,) = geoparser.notes(page_of(footer), geoparser.read(page_of(footer))).blocks

    reading = read(
        geoparser, f"<p>New</p>{footer}<p>End</p>", SiteKnowledge(9, repeated=frozenset([mark]))
    )

    assert mark & LONG_BLOCK
    assert all(mention.of_site for mention in reading.mentions)


@pytest.mark.parametrize(("region", "country"), [("Ontario", "CA"), ("Texas", "US")])
def test_what_a_site_is_about_settles_what_names_mean(geoparser, region, country):
    other = page_of(f"<p>News from {region}, {region} and again {region}.</p>")
    notes = geoparser.notes(other, geoparser.read(other))
    site = SiteKnowledge(9, notes.countries, notes.regions, notes.squares)

    (mention,) = read(geoparser, "<p>The council met in Paris on Monday.</p>", site).mentions

    assert mention.place.country == country


@pytest.mark.parametrize(
    ("towns", "text", "name", "alone"),
    [
        (("Dallas", "Sherman", "Denison"), "The council met in Paris.", "Paris", "US"),
        (("Köln", "Duisburg", "Moers"), "Ein Ausflug in die Alpen.", "Alpen", "DE"),
    ],
)
def test_names_in_a_menu_do_not_settle_what_others_mean(geoparser, towns, text, name, alone):
    menu = "".join(f"<li>Inns in {town}</li>" for town in towns)
    site = site_of(geoparser, f"{menu}<p>Hello</p>", f"<p>Hi</p>{menu}")

    def country(known: SiteKnowledge | None) -> str | None:
        found = geoparser.read(page_of(f"{menu}<p>{text}</p>"), known).mentions
        return next((m.place.country for m in found if m.text == name and m.place), None)

    assert country(None) == alone
    assert country(site) in ("FR", "")  # Paris in France, and the Alps


def test_notes_have_the_shares_of_areas(geoparser):
    page = page_of("<p>From Munich to Augsburg, and on to Paris.</p>")

    notes = geoparser.notes(page, geoparser.read(page))

    countries = dict(notes.countries)
    assert countries["DE"] > countries["FR"] > 0
    assert 0.3 < max(share for _, share in notes.regions) < 1
    assert len(notes.blocks) == 2


def test_names_that_the_site_repeats_do_not_say_where_it_is(geoparser):
    page, site = page_of(MENU + "<p>The castle of Lisbon.</p>"), site_of(geoparser, MENU)

    notes = geoparser.notes(page, geoparser.read(page, site))

    assert [country for country, _ in notes.countries] == ["PT"]


def test_marks_of_hostile_pages_are_bounded(geoparser):
    page = page_of("".join(f"<p>Trains to Berlin, day {n}</p>" for n in range(5_000)))

    notes = geoparser.notes(page, geoparser.read(page))

    assert len(notes.blocks) == 200


ADVERTISEMENT = "<p>Hotel Düsseldorf</p><p>Design in Düsseldorf</p>"
AROUND_MUNICH = SiteKnowledge(99, (("DE", 0.9),), ((2951839, 0.9),))  # Bavaria


def test_what_an_advertisement_names_away_from_the_site_is_the_sites(geoparser: Geoparser) -> None:
    page = page_of(ADVERTISEMENT)
    blocks = frozenset(geoparser.notes(page, geoparser.read(page)).blocks)
    site = replace(AROUND_MUNICH, recurring=blocks)

    found = read(geoparser, f"{ADVERTISEMENT}<p>A train from Düsseldorf to Munich</p>", site)

    assert [m.of_site for m in found.mentions] == [True, True, False, False]
    here = ADVERTISEMENT.replace("Düsseldorf", "Augsburg")
    blocks = frozenset(geoparser.notes(page_of(here), geoparser.read(page_of(here))).blocks)
    of_here = read(geoparser, here, replace(AROUND_MUNICH, recurring=blocks))
    assert [m.of_site for m in of_here.mentions] == [False, False]


def test_a_small_namesake_abroad_needs_something_else_of_its_region(geoparser: Geoparser) -> None:
    text = "<p>A walk in Westpark, Munich.</p>"

    alone = read(geoparser, text, AROUND_MUNICH).mentions
    explained = read(geoparser, f"{text}<p>He is from California.</p>", AROUND_MUNICH).mentions

    assert [m.text for m in alone] == ["Munich"]
    assert [m.text for m in explained] == ["Westpark", "Munich", "California"]


def test_a_region_tells_most_on_the_first_pages_of_a_site() -> None:
    region = SiteKnowledge(3, (("DE", 1.0),), ((5, 1.0),), ((7, 1.0),))
    site = SiteKnowledge(2, (("FR", 1.0),), repeated=frozenset([8]))

    first, later = with_region(site, region), with_region(replace(site, pages=99), region)

    assert with_region(None, region) == region
    assert dict(first.countries) == {"FR": 0.5, "DE": 0.5}
    assert dict(later.countries)["DE"] < 0.05
    assert later.repeated == site.repeated
