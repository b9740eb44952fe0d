import pytest
from benchmarks.senses import LARGE, TOWN, accuracy, draw, towns_of
from hypothesis import given
from hypothesis import strategies as st

from geoscout.collaborate.partition import shipped_partition
from geoscout.registrations import RegistrationRecord
from geoscout.strategy.rank.measures import (
    CodeReader,
    Context,
    SenseChooser,
    StructuralParser,
    correlation,
    decaying_correlation,
    focus_in,
    likeliest_senses,
    mean_distance_km,
    reference_area_km,
    without_short_aliases,
)
from geoscout_places.gazetteer import Region
from geoscout_places.gazetteer.areas.sphere import HALF_WAY_ROUND_KM, distance_km
from geoscout_places.toponyms.short_texts import Toponym, ToponymReader
from tests.unit.strategy.american_places import (
    BOSTON,
    CAMBRIDGE_GB,
    CAMBRIDGE_MA,
    GAZETTEER,
    MASSACHUSETTS,
    MESA,
    NEW_YORK,
    make_link,
    make_place,
)


def test_mean_is_over_unordered_pairs():
    pairs = [(BOSTON, NEW_YORK), (BOSTON, MESA), (NEW_YORK, MESA)]
    expected = sum(distance_km(a.point, b.point) for a, b in pairs) / 3

    assert mean_distance_km([BOSTON, NEW_YORK, MESA]) == pytest.approx(expected)


@given(st.floats(0, 25_000), st.floats(0, 25_000), st.floats(0.1, 25_000))
def test_correlation_falls_with_the_distance_and_stays_within_bounds(near, far, reference):
    near, far = sorted((near, far))

    assert 0.0 <= correlation(far, reference) <= correlation(near, reference) <= 1.0
    assert 0.0 <= decaying_correlation(far, 200) <= decaying_correlation(near, 200) <= 1.0


def test_no_reference_length_knows_equal_and_different_only():
    assert (correlation(0.0, 0.0), correlation(5.0, 0.0)) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("region", "km"),
    [("Massachusetts", 4800), ("52.2,0.12,100", 200), ("", HALF_WAY_ROUND_KM)],
)
def test_reference_area_is_the_mainland_or_the_region_or_the_globe(region, km):
    area = Region.parse(region, GAZETTEER) if region else None

    assert reference_area_km(area, GAZETTEER) == pytest.approx(km, rel=0.1)


def test_contiguous_united_states_measure_what_the_reading_says(gazetteer):
    region = Region.parse("Boston, Massachusetts", gazetteer)

    assert reference_area_km(region, gazetteer) == pytest.approx(4500, rel=0.05)


def context(anchor: str, before: str = "", after: str = "") -> Context:
    parser = StructuralParser(ToponymReader(GAZETTEER), GAZETTEER)
    return parser.read_links([make_link(anchor=anchor, before=before, after=after)])[0]


@pytest.mark.parametrize(
    ("reading", "anchor", "before", "after", "focus"),
    [
        ("anchor-or-window", "Hotels in Boston Massachusetts", "Mesa", "", 0.5),
        ("anchor-or-window", "", "", "", 0.0),
        ("anchor", "", "in Boston", "", 0.0),
        ("anchor-or-window", "»", "in Boston", "", 0.5),  # the window stands for an empty anchor
        ("window", "Boston", "see also", "and more", 0.2),
    ],
)
def test_focus_is_the_share_of_places_in_the_anchor_or_the_window(
    reading, anchor, before, after, focus
):
    assert focus_in(context(anchor, before, after), reading, "entities") == focus


@pytest.mark.parametrize(("count", "expected"), [("entities", 1 / 3), ("tokens", 2 / 3)])
def test_new_york_is_one_entity_or_two_tokens(count, expected):
    assert focus_in(context("New York hotels"), "anchor", count) == pytest.approx(expected)


CAMBRIDGE = Toponym("Cambridge", (CAMBRIDGE_GB, CAMBRIDGE_MA), 1)
BOSTON_NAME = Toponym("Boston", (BOSTON,), 1)
STATE_NAME = Toponym("Massachusetts", (MASSACHUSETTS,), 1)
HOME = Region.parse("Massachusetts", GAZETTEER)


def test_likeliest_senses_lie_together():
    assert likeliest_senses([BOSTON_NAME, CAMBRIDGE]) == [BOSTON, CAMBRIDGE_MA]
    assert likeliest_senses([CAMBRIDGE]) == [CAMBRIDGE_GB]
    assert likeliest_senses([]) == []


def test_all_names_of_a_long_list_count():
    towns = [make_place(100 + n, f"Town {n}", (40 + n / 10, -75)) for n in range(60)]
    names = [Toponym(town.name, (town,), 2) for town in towns]

    assert likeliest_senses([*names, BOSTON_NAME, CAMBRIDGE]) == [*towns, BOSTON, CAMBRIDGE_MA]


@pytest.mark.parametrize(
    ("apart", "least", "kilometres"),
    [("near", TOWN, (0.0, 60.0)), ("far", LARGE, (1000.0, 1e5)), ("table 1", 0, (0.0, 1e5))],
)
def test_nine_of_ten_towns_are_those_that_were_meant(gazetteer, apart, least, kilometres):
    region = Region.parse("United States", gazetteer)
    if apart == "table 1":
        pairs = draw(
            list(shipped_partition("gao2006", gazetteer).targets.values()), least, kilometres, 100
        )
    else:
        pairs = draw(list(towns_of(region.places[0], gazetteer)), least, kilometres, 100)

    assert accuracy("weighed", region, pairs) >= 0.9


@pytest.mark.parametrize(
    ("how", "toponyms", "home", "places"),
    [
        ("first", [CAMBRIDGE, STATE_NAME], None, [CAMBRIDGE_MA, MASSACHUSETTS]),
        ("weighed", [CAMBRIDGE, STATE_NAME], None, [CAMBRIDGE_MA, MASSACHUSETTS]),
        ("first", [CAMBRIDGE], HOME, [CAMBRIDGE_MA]),
        ("weighed", [CAMBRIDGE], HOME, [CAMBRIDGE_MA]),
        ("first", [Toponym("Mesa", (MESA, NEW_YORK), 1)], HOME, [MESA]),  # none is in the region
        ("first", [CAMBRIDGE, BOSTON_NAME], None, [CAMBRIDGE_GB, BOSTON]),
        ("first", [BOSTON_NAME, Toponym("The Hub", (BOSTON,), 2)], None, [BOSTON]),
        (  # the most populous one looks at nothing else
            "population",
            [Toponym("Cambridge", (CAMBRIDGE_MA, CAMBRIDGE_GB), 1), STATE_NAME],
            HOME,
            [CAMBRIDGE_GB, MASSACHUSETTS],
        ),
    ],
)
def test_name_is_narrowed_by_its_state_and_the_region(how, toponyms, home, places):
    assert SenseChooser(GAZETTEER, home, how).choose(toponyms) == places


@pytest.mark.parametrize(
    ("text", "senses"),
    [
        ("Hotels in Cambridge, MA", (CAMBRIDGE_MA,)),
        ("Hotels in Cambridge MA", (CAMBRIDGE_MA,)),
        ("Cambridge, MAINE", (CAMBRIDGE_GB, CAMBRIDGE_MA)),
        ("Cambridge ma", (CAMBRIDGE_GB, CAMBRIDGE_MA)),
        ("MA Cambridge", (CAMBRIDGE_GB, CAMBRIDGE_MA)),
        ("Cambridge, ZZ", (CAMBRIDGE_GB, CAMBRIDGE_MA)),
    ],
)
def test_code_after_a_name_is_a_qualifier(text, senses):
    assert CodeReader(GAZETTEER).narrow(CAMBRIDGE, text).senses == senses


def test_codes_in_paths_are_in_small_letters():
    narrowed = CodeReader(GAZETTEER).narrow(CAMBRIDGE, "hotels cambridge ma", is_lower=True)

    assert narrowed.senses == (CAMBRIDGE_MA,)


def test_alias_of_a_few_letters_is_no_name():
    ulm = make_place(40, "Ulm", (48.4, 9.98))

    assert without_short_aliases(Toponym("Nyc", (NEW_YORK,), 1)) is None
    assert without_short_aliases(Toponym("Ulm", (NEW_YORK, ulm), 1)) == Toponym("Ulm", (ulm,), 1)


@pytest.mark.parametrize(
    ("text", "region", "expected"),
    [
        ("Boston and Cambridge", None, ["US", "US"]),
        ("Santa Cruz, California", None, ["US", "US"]),
        ("Santa Cruz", "California", ["US"]),
        ("Cambridge", "Massachusetts", ["US"]),
        ("Cambridge, Oxford and London, England", None, ["GB", "GB", "GB", "GB"]),
        ("Boston and Los Angeles", "United States", ["US", "US"]),
        ("Lisbon", "Portugal", ["PT"]),
        ("Lisbon", "Maine", ["US"]),
        ("London", "United States", ["GB"]),  # a thousand times the people of the one in Kentucky
        ("Paris", "Arkansas", ["US"]),
    ],
)
def test_senses_of_the_shipped_gazetteer(gazetteer, text, region, expected):
    home = Region.parse(region, gazetteer) if region else None
    (toponyms,) = ToponymReader(gazetteer, home).in_texts([text])

    places = SenseChooser(gazetteer, home, "weighed").choose(toponyms)

    assert [place.country for place in places] == expected


def parser(*records: RegistrationRecord) -> StructuralParser:
    made = StructuralParser(ToponymReader(GAZETTEER), GAZETTEER)
    made.add_registrations({record.domain: record for record in records})
    return made


def found(parser: StructuralParser, **link: str) -> list[tuple[str, str]]:
    (context,) = parser.read_links([make_link(**link)])
    return [(evidence.source, evidence.toponym.name) for evidence in context.evidence]


def test_every_piece_of_evidence_keeps_its_source():
    evidence = found(
        parser(),
        url="http://boston.example/san-francisco/newyork.html",
        anchor="hotels in mesa",
        before="Visit Cambridge or",
        after="in Massachusetts",
    )

    assert evidence == [
        ("host", "Boston"),
        ("path", "San Francisco"),
        ("path", "New York"),
        ("anchor", "Mesa"),
        ("before", "Cambridge"),
        ("after", "Massachusetts"),
    ]


def test_alternative_text_stands_for_a_missing_anchor():
    assert found(parser(), alt="Boston by night") == [("anchor", "Boston")]


@pytest.mark.parametrize(
    ("city", "region", "place"),
    [
        ("Cambridge", "MA", CAMBRIDGE_MA),
        ("Boston", "Greater Nowhere", BOSTON),
        ("Nowhere", "Massachusetts", MASSACHUSETTS),
    ],
)
def test_registration_brings_its_city_or_what_is_around_it(city, region, place):
    record = RegistrationRecord("example.org", city, region, "US")

    (evidence,) = parser(record).read_url("http://www.example.org/")

    assert (evidence.source, evidence.toponym.senses) == ("registration", (place,))


def test_redacted_registration_is_no_evidence():
    redacted = RegistrationRecord("example.org")

    assert parser(redacted).read_url("http://example.org/") == ()


def test_every_link_of_a_page_gets_its_own_evidence():
    links = [make_link(anchor="Boston"), make_link(), make_link(after="to Mesa")]

    contexts = parser().read_links(links)

    assert [[e.toponym.name for e in c.evidence] for c in contexts] == [["Boston"], [], ["Mesa"]]


def test_values_of_a_query_count_and_its_parameters_do_not():
    evidence = found(parser(), url="http://example.org/?boston=1&city=new+york&sid=mesa7")

    assert evidence == [("path", "New York")]
