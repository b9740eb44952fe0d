import pytest

from geoscout_places.gazetteer.wordnet import (
    GeoWordNet,
    PlaceClass,
    Synset,
    load_geowordnet,
    lowest_common_node,
    part_of_ancestors,
    read_synsets,
)


def make_synset(offset: int, word: str, *wholes: int, sense: int = 1, kind: int = 0) -> Synset:
    return Synset(
        offset=offset,
        words=(word,),
        senses=(sense,),
        classes=(kind,),
        wholes=wholes,
        gloss=f"a place called {word}",
        place_id=offset + 100 if offset % 2 else None,
    )


SYNSETS = {
    synset.offset: synset
    for synset in (
        make_synset(1, "Europe"),
        make_synset(2, "France", 1),
        make_synset(3, "Paris", 2),
        make_synset(4, "Left Bank", 3),
        make_synset(5, "Chartres", 2),
        make_synset(6, "Alps", 1, 2),
        make_synset(7, "Africa"),
        make_synset(8, "Chamonix", 6),
    )
}


def words(*synsets: Synset | None) -> list[str]:
    return [synset.words[0] for synset in synsets if synset]


def test_ancestor_reached_on_two_ways_comes_once():
    ancestors = part_of_ancestors(SYNSETS[6], SYNSETS)

    assert words(*ancestors) == ["Europe", "France"]


def test_circle_of_wholes_comes_to_an_end():
    circle = {1: make_synset(1, "egg", 2), 2: make_synset(2, "hen", 1)}

    assert words(*part_of_ancestors(circle[1], circle)) == ["hen"]


def test_whole_missing_from_the_mapping_is_passed_over():
    assert part_of_ancestors(make_synset(9, "Ceuta", 99), SYNSETS) == []


def test_common_node_is_the_narrowest_that_contains_all():
    node = lowest_common_node([SYNSETS[4], SYNSETS[5]], SYNSETS)

    assert words(node) == ["France"]


def test_common_node_of_several_wholes_is_the_nearest():
    node = lowest_common_node([SYNSETS[8], SYNSETS[3], SYNSETS[6]], SYNSETS)

    assert words(node) == ["France"]


@pytest.mark.parametrize("members", [[], [SYNSETS[3], SYNSETS[7]]], ids=["no members", "unrelated"])
def test_what_shares_nothing_has_no_common_node(members):
    assert lowest_common_node(members, SYNSETS) is None


STREAM = PlaceClass(50, ("stream", "watercourse"), ())
RIVER = PlaceClass(51, ("river",), (50,))


def test_senses_stand_in_the_order_of_wordnet_not_of_offsets():
    england, massachusetts = (
        make_synset(8, "Cambridge", sense=3),
        make_synset(9, "Cambridge", sense=2),
    )

    found = GeoWordNet([england, massachusetts]).senses("cambridge")

    assert found == (massachusetts, england)


def test_synset_is_found_by_the_place_it_is():
    geowordnet = GeoWordNet(SYNSETS.values())

    assert words(*geowordnet.of_place(103)) == ["Paris"]
    assert geowordnet.of_place(104) == ()


def test_kinds_come_nearest_first():
    geowordnet = GeoWordNet([make_synset(8, "Rhine", kind=51)], [STREAM, RIVER])

    assert geowordnet.kinds(geowordnet.synsets[8]) == [RIVER, STREAM]


@pytest.mark.parametrize("kind", ["river", "Watercourse"])
def test_places_are_found_by_their_kind_and_by_a_wider_one(kind):
    rhine = make_synset(8, "Rhine", kind=51)
    geowordnet = GeoWordNet([rhine, SYNSETS[3]], [STREAM, RIVER])

    assert geowordnet.of_kind(kind) == [rhine]


def test_parts_come_nearest_first():
    geowordnet = GeoWordNet(SYNSETS.values())

    assert words(*geowordnet.parts(SYNSETS[2])) == [
        "Paris",
        "Chartres",
        "Alps",
        "Left Bank",
        "Chamonix",
    ]


@pytest.mark.parametrize(
    ("name", "offset"),
    [
        ("Georgia", 9075842),  # the state; the country has a smaller offset
        ("Washington", 9070793),  # the city before the state
        ("Portland", 9133895),  # Oregon before Maine, which has a smaller offset
        ("New York", 9119277),  # the city before the state, which has a smaller offset
    ],
)
def test_shipped_senses_stand_in_the_order_of_wordnet(name, offset):
    assert load_geowordnet().senses(name)[0].offset == offset


def test_shipped_boston_has_kinds_wholes_and_parts():
    geowordnet = load_geowordnet()
    (boston,) = geowordnet.senses("Boston")

    assert [kind.words[0] for kind in geowordnet.kinds(boston)][:3] == [
        "state capital",
        "capital",
        "city",
    ]
    assert words(*geowordnet.wholes(boston))[:2] == ["Massachusetts", "United States"]
    assert "Beacon Hill" in words(*geowordnet.parts(boston))
    assert boston in geowordnet.of_kind("city")


def test_every_shipped_place_has_a_kind():
    geowordnet = load_geowordnet()

    assert [s.words[0] for s in geowordnet.synsets.values() if not geowordnet.kinds(s)] == []


@pytest.fixture(scope="module")
def shipped():
    return {synset.offset: synset for synset in read_synsets()}


def test_shipped_athens_is_the_capital_of_greece(shipped):
    athens = shipped[8785343]

    assert athens.words[:2] == ("Athens", "Athinai")
    assert athens.senses == (1, 1, 1, 1)
    assert athens.place_id == 264371
    assert words(*part_of_ancestors(athens, shipped))[0] == "Greece"


@pytest.mark.parametrize(
    ("offset", "place_id"),
    [
        (8877613, 2655603),  # Birmingham, England
        (9053947, 4049979),  # Birmingham, Alabama
        (9076982, 4180386),  # Athens, Georgia
        (8771596, 2951839),  # Bavaria
        (8871007, 6269131),  # England, a country to WordNet and a region to GeoNames
        (9020119, 1526273),  # Astana
    ],
)
def test_shipped_homonyms_are_told_apart(shipped, offset, place_id):
    assert shipped[offset].place_id == place_id


def test_shipped_natural_feature_is_no_town_of_that_name(shipped):
    mount_adams = shipped[9187407]

    assert mount_adams.place_id is None


def test_every_shipped_whole_is_shipped_too(shipped):
    missing = {whole for synset in shipped.values() for whole in synset.wholes} - set(shipped)

    assert missing == set()


def test_most_of_the_shipped_synsets_are_georeferenced(shipped):
    found = sum(synset.place_id is not None for synset in shipped.values())

    assert len(shipped) > 3000
    assert found > 1800
