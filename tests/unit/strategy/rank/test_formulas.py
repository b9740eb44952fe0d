import pytest

from geoscout.registrations import RegistrationRecord
from geoscout.strategy.base import StrategyAim
from geoscout.strategy.rank.formulas import (
    NOWHERE,
    Ranking,
    RankOptions,
    check_rank_options,
    pack_clues,
    unpack_clues,
)
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region
from tests.unit.strategy.american_places import (
    BOSTON,
    CAMBRIDGE_GB,
    CAMBRIDGE_MA,
    GAZETTEER,
    make_link,
)

# Boston and Cambridge lie 4 km apart; the anchor names two places in four words.
WORKED = make_link("http://boston.example/cambridge/", "Boston Cambridge hotels cheap")


def ranking(region: str | None = None, **options: object) -> Ranking:
    area = Region.parse(region, GAZETTEER) if region else None
    return Ranking(StrategyAim(area, GAZETTEER), RankOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(("rank", "expected"), [("mean", 0.750), ("literal", 1.249)])
def test_worked_example(rank, expected):
    (ranked,) = ranking(reference="4500", rank=rank).of_links([WORKED])

    assert ranked.correlation == pytest.approx(0.999, abs=0.0005)
    assert ranked.focus == 0.5
    assert ranked.rank == pytest.approx(expected, abs=0.0005)


def test_single_place_has_full_correlation():
    (ranked,) = ranking().of_links([make_link("http://boston.example/")])

    assert (ranked.correlation, ranked.places) == (1.0, (BOSTON,))


def test_no_place_has_no_correlation_and_is_not_admitted():
    (ranked,) = ranking().of_links([make_link("http://example.org/", "Home")])

    assert ranked == NOWHERE
    assert not ranking().admits_link(ranked)
    assert not ranking().admits_seed(ranked)


@pytest.mark.parametrize(
    ("admission", "links", "seeds"),
    [
        # links by their focus and seeds by their correlation, unless either is enough
        (RankOptions().admission, [True, False, False], [False, True, False]),
        ("either", [True, True, False], [True, True, False]),
    ],
)
def test_links_and_seeds_are_admitted_by_the_tests_asked_for(admission, links, seeds):
    far_apart = make_link(anchor="Boston and San Francisco")
    in_window = make_link(anchor="here", before="Boston and", after="Cambridge")
    neither = make_link(anchor="here", before="Boston and", after="San Francisco")
    ranks = ranking(reference="4500", admission=admission, focus="anchor")

    ranked = ranks.of_links([far_apart, in_window, neither])

    assert list(map(ranks.admits_link, ranked)) == links
    assert list(map(ranks.admits_seed, ranked)) == seeds


@pytest.mark.parametrize(
    ("reference", "expected"),
    [("4500", 0.935), ("globe", 0.985), ("decay", 0.2165), ("region", 0.020)],
)
def test_correlation_of_boston_and_new_york_depends_on_the_reference(reference, expected):
    ranks = ranking("42.36,-71.06,156.5", reference=reference, window=25)
    (ranked,) = ranks.of_links([make_link(before="Boston and New York")])

    assert ranked.mean_km == pytest.approx(306, abs=1)
    assert ranked.correlation == pytest.approx(expected, abs=0.005)


def test_batch_reference_spans_the_links_of_the_page():
    links = [make_link(before=t) for t in ("Boston Mesa", "Boston", "Boston New York", "nothing")]

    correlations = [r.correlation for r in ranking(reference="batch").of_links(links)]

    assert correlations[:2] == [0.0, 1.0]
    assert 0.5 < correlations[2] < 1.0
    assert correlations[3] == 0.0


def test_senses_are_the_nearest_or_the_most_populous():
    link = make_link(before="Boston or Cambridge")

    assert ranking().of_links([link])[0].places == (BOSTON, CAMBRIDGE_MA)
    assert ranking(senses="population").of_links([link])[0].places == (BOSTON, CAMBRIDGE_GB)


def test_name_is_looked_for_in_geowordnet_where_that_is_asked_for(gazetteer):
    """Fails where `gazetteer=geowordnet` uses any other names than those of WordNet."""
    links = [
        make_link(anchor="Somerville"),
        make_link(anchor="Boston"),
        make_link(anchor="Beantown"),
    ]
    aim = StrategyAim(Region.parse("Massachusetts", gazetteer), gazetteer)

    by_wordnet = Ranking(aim, RankOptions(gazetteer="geowordnet")).of_links(links)
    by_all = Ranking(aim, RankOptions(gazetteer="full")).of_links(links)

    # WordNet has Boston, and also as Bean Town and Beantown, but not Somerville.
    assert [len(ranked.places) for ranked in by_wordnet] == [0, 1, 1]
    assert [len(ranked.places) for ranked in by_all][:2] == [1, 1]
    assert gazetteer.synsets(by_wordnet[2].places[0])[0].words[0] == "Boston"


def test_registrant_outside_geowordnet_is_in_the_area_around(gazetteer):
    made = Ranking(StrategyAim(None, gazetteer), RankOptions(gazetteer="geowordnet"))
    made.add_registrations({"x.org": RegistrationRecord("x.org", "Somerville", "MA", "US")})

    (ranked,) = made.of_links([make_link("http://x.org/")])

    assert [place.name for place in ranked.places] == ["Massachusetts"]


def test_only_places_of_the_region_count_where_that_is_asked_for():
    links = [make_link(anchor="Cambridge"), make_link(anchor="Mesa")]

    inside, outside = ranking("Massachusetts", places="region").of_links(links)

    assert inside.places == (CAMBRIDGE_MA,)
    assert outside == NOWHERE


def test_long_list_of_cities_takes_a_bounded_time():
    names = "Boston Cambridge Mesa Massachusetts Arizona " * 5

    (ranked,) = ranking().of_links([make_link(before=names)])

    assert len(ranked.places) == 5


@pytest.mark.parametrize(
    "wrong",
    [
        {"rank": "median"},
        {"gazetteer": "atlas"},
        {"admission": "all"},
        {"reference": "far"},
        {"reference": "-3"},
        {"window": -1},
    ],
)
def test_unknown_reading_is_refused(wrong):
    with pytest.raises(UsageError, match="rank: "):
        check_rank_options(RankOptions(**wrong))  # type: ignore[arg-type]


def test_gazetteer_is_needed():
    with pytest.raises(UsageError, match="gazetteer"):
        Ranking(StrategyAim(), RankOptions())


@pytest.mark.parametrize(
    ("focus", "ids"), [(0.0, ()), (0.5, ()), (0.0, (-7,)), (0.25, (4930956, 2**62, -1))]
)
def test_what_is_kept_comes_back(focus, ids):
    assert unpack_clues(pack_clues(focus, ids)) == (focus, ids)
