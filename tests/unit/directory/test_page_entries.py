"""Cheap keys by which a crawl tells whether a page names somebody new."""

from msgspec.structs import replace

from geoscout_directory.page_reader import entity_keys
from geoscout_directory.records import PageEntry
from geoscout_places.gazetteer.areas.region import Region
from tests.unit.directory.test_merging import ADDRESS, SALON


def are_same(one: PageEntry, other: PageEntry) -> bool:
    (first,), (second,) = (entity_keys([e], None, relevant=True) for e in (one, other))
    return not set(first).isdisjoint(second)


def test_name_telephone_or_website_in_one_town_make_the_same():
    renamed = replace(SALON, name="Haar und mehr")
    without_phone = replace(SALON, name="Haarstudio A2", phones=())
    at_home = replace(SALON, website="http://a2.example/", phones=(), name="Startseite")

    assert are_same(SALON, renamed)
    assert are_same(SALON, without_phone)
    assert are_same(replace(SALON, website="http://www.a2.example/x"), at_home)


def test_branches_in_other_towns_are_others():
    branch = replace(SALON, address=replace(ADDRESS, postcode="80331"))

    assert not are_same(SALON, branch)
    assert not are_same(SALON, replace(SALON, name="Weber Bau", phones=()))


def test_only_those_in_the_region_have_keys(gazetteer):
    here = Region.parse("11,48,12,49", gazetteer)
    away = Region.parse("8,53,9,54", gazetteer)
    unplaced = replace(SALON, address=None)

    assert len(entity_keys([SALON, unplaced], here, relevant=False)) == 1
    assert len(entity_keys([SALON, unplaced], here, relevant=True)) == 2
    assert entity_keys([SALON], away, relevant=True) == ()
