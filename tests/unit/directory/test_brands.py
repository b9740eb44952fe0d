"""Brands of entries by the table that ships, and chains."""

from msgspec.structs import replace

from geoscout_directory.brands import Chain, brand_of, chains, is_of_brand
from geoscout_directory.merging import make_entry
from geoscout_directory.records import DirectoryEntry
from geoscout_places.model import Point
from tests.unit.directory.test_merging import SALON


def entry(
    name: str, category: str, country: str = "DE", where: Point | None = None, website: str = ""
) -> DirectoryEntry:
    assert SALON.address is not None
    address = replace(SALON.address, country=country, point=where or SALON.address.point)
    said = replace(
        SALON, name=name, categories=(category,), address=address, website=website, is_own=True
    )
    return make_entry([said], ())


def wikidata(found: DirectoryEntry) -> str:
    brand = brand_of(found)
    return brand.wikidata if brand else ""


def test_a_brand_is_told_by_name_category_and_country():
    assert wikidata(entry("Apollo-Optik", "shop=optician")) == "Q618940"
    assert wikidata(entry("Apollo-Optik", "amenity=restaurant")) == ""
    assert wikidata(entry("Apollo-Optik", "shop=optician", "US")) == ""
    assert wikidata(entry("Zum Apollo-Optik", "shop=optician")) == ""


def test_other_names_and_categories_count_that_the_index_gives():
    ranch = entry("99 Ranch", "shop=supermarket", "US")
    found = brand_of(entry("McDonald’s", "amenity=restaurant"))

    assert wikidata(ranch) == "Q4646307"
    assert found is not None
    assert (found.name, found.id) == ("McDonald's", "mcdonalds-d35a75")


def test_town_and_number_of_a_branch_are_no_part_of_the_name():
    town = SALON.address.city if SALON.address else ""

    assert wikidata(entry(f"Apollo-Optik {town}", "shop=optician")) == "Q618940"
    assert wikidata(entry("Starbucks #4711", "amenity=cafe", "US")) == "Q37158"


def test_of_two_brands_of_one_name_the_one_of_the_place_is_meant():
    munich, bremen, between = Point(48.1, 11.5), Point(53.1, 8.8), Point(51.4, 7.0)

    assert wikidata(entry("Coop", "shop=supermarket", "CH")) == "Q432564"
    assert wikidata(entry("Coop", "shop=supermarket", "IT")) == "Q1129774"
    assert wikidata(entry("Aldi", "shop=supermarket", "DE", bremen)) == "Q41171373"
    assert {wikidata(entry("Aldi", "shop=supermarket", "DE", p)) for p in (munich, between)} <= {
        "Q41171672", ""
    }  # fmt: skip


def test_chains_are_those_of_a_brand_and_those_of_a_website():
    def shop(name: str) -> DirectoryEntry:
        return entry(name, "shop=bakery", website="http://kruste.example/")

    entries = [entry("Apollo-Optik", "shop=optician")] * 3 + [shop("Kruste"), shop("Kruste Süd")]
    listed = [entry(name, "shop=bakery", website="http://guide.example/") for name in "AB"]
    found = chains([*entries, *listed], lambda site: site == "guide.example")

    assert found == [
        Chain("Apollo-Optik", "Q618940", 3, 1, 3, 0, 0, 0),
        Chain("Kruste", "kruste.example", 2, 1, 2, 0, 2, 0),
    ]


def test_entries_of_a_brand_are_asked_for_by_name_number_or_website():
    optician = entry("Apollo-Optik", "shop=optician", website="http://apollo.example/")

    assert all(is_of_brand(optician, a) for a in ("apollo optik", "Q618940", "apollo.example"))
    assert not is_of_brand(optician, "Fielmann")
