"""The features that were written down by hand."""

import pytest
from tools.derive.features import KnownPlace, parse_features, read_features, split_features
from tools.derive.names import fold

from geoscout_places.gazetteer.wordnet import load_geowordnet


def test_files_hold_some_thousand_places_each_with_an_id():
    features = read_features()

    assert len(features) > 2_000
    assert len({feature.id for feature in features}) == len(features)
    assert all(abs(f.latitude) <= 90 and abs(f.longitude) <= 180 for f in features)


def test_id_depends_on_the_name_alone():
    (one,) = parse_features("sea 10 -25 - Atlantic Ocean|Atlantik")
    (other,) = parse_features("sea 11 -26 - Atlantic Ocean")

    assert one.id == other.id == -7964707296


def test_semicolon_starts_another_place():
    first, second = parse_features("peak 46.54 7.96 CH Jungfrau|Jungfraujoch;Eiger")

    assert (first.names, second.names) == (("Jungfrau", "Jungfraujoch"), ("Eiger",))


def test_noun_in_lower_case_is_known_with_a_capital_too():
    (sea,) = parse_features("sea 39 25 - mer Égée")

    assert sea.names == ("Mer Égée", "mer Égée")


def test_malformed_line_is_named():
    with pytest.raises(ValueError, match="line 2 is malformed"):
        list(parse_features("sea 10 -25 - Atlantic\nsea ten -25 - Pacific"))


def test_known_place_gets_names_and_no_second_entry():
    features = list(parse_features("island 42.1 9.1 FR Corsica|Korsika;Cap Corse (island)"))
    known = {"corsica": [KnownPlace(7, "region", 42.0, 9.0)]}

    rows, names = split_features(features, known)

    assert [(name.id, name.name) for name in names] == [(7, "Korsika")]
    assert [row.name for row in rows] == ["Cap Corse"]


def test_town_is_not_the_river_of_its_name():
    features = list(parse_features("river 51.42 9.64 DE Fulda River"))
    known = {"fulda river": [KnownPlace(7, "city", 51.4, 9.6)]}

    rows, names = split_features(features, known)

    assert ([row.kind for row in rows], names) == (["river"], [])


def test_what_is_built_has_a_point_of_its_own():
    built = [f for f in read_features() if f.type in ("sight", "station", "park")]

    assert len({(f.latitude, f.longitude) for f in built}) == len(built)


def test_sights_are_chosen_by_wordnet():
    synsets = load_geowordnet().synsets.values()
    known = {fold(word) for synset in synsets for word in synset.words}
    sights = [feature for feature in read_features() if feature.type == "sight"]

    assert [f.key for f in sights if known.isdisjoint(map(fold, f.names))] == []
