from geoscout_places.geo.address import towns
from tests.unit.places.geo.address.worlds import small_world

WORLD = small_world()


def test_town_is_the_one_in_the_region():
    oregon = towns.region_named(WORLD, "Oregon", "US")
    assert oregon is not None

    town = towns.town_in(WORLD, "Springfield", oregon)

    assert town is not None
    assert town.population == 62_000


def test_town_elsewhere_is_not_in_the_region():
    oregon = towns.region_named(WORLD, "Oregon", "US")
    assert oregon is not None

    assert towns.town_in(WORLD, "London", oregon) is None


def test_region_of_another_country_does_not_count():
    assert towns.region_named(WORLD, "Oregon", "GB") is None


def test_town_far_from_the_postcode_is_not_near():
    point = WORLD.postcodes("US", "62701")[0].point

    near = towns.town_near(WORLD, "Springfield", "US", point)

    assert near is not None
    assert near.population == 114_000
    assert towns.town_near(WORLD, "New York", "US", point) is None


def test_unknown_town_of_a_postcode_is_the_town_of_the_post():
    place = towns.postal_place(WORLD, WORLD.postcodes("US", "97477"), "Gateway")

    assert place is not None
    assert place.name == "Springfield"
