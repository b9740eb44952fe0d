"""The derivation of brands from their index."""

from tools.derive.brands import Areas, brand_rows

BORDERS = [
    {"properties": {"m49": "150", "wikidata": "Q46", "nameEn": "Europe", "level": "region"}},
    {"properties": {"iso1A2": "DE", "wikidata": "Q183", "groups": ["150"]}},
    {"properties": {"iso1A2": "GB", "wikidata": "Q145"}},
    {"properties": {"wikidata": "Q21", "aliases": ["GB-ENG"], "country": "GB", "groups": ["150"]},
     "geometry": {"coordinates": [[[[-6.4, 49.88], [1.8, 55.81]]]]}},
]  # fmt: skip
CUSTOM = [{"id": "de-by.geojson", "geometry": {"coordinates": [[[9.0, 47.3], [13.8, 50.6]]]}}]
AREAS = Areas(BORDERS, CUSTOM)


def item(**more: object) -> dict[str, object]:
    tags = {"brand": "Kruste & Co", "brand:wikidata": "Q1", "name": "Kruste", "name:en": "Bread"}
    return {"id": "kruste-abc123", "tags": tags, "locationSet": {"include": ["de"]}, **more}


def test_a_brand_has_its_names_but_excluded_ones():
    index = {
        "brands/shop/bakery": {
            "properties": {"exclude": {"generic": ["^bread$"]}},
            "items": [item(matchNames=["krustenbäcker"])],
        },
        "operators/shop/bakery": {"properties": {}, "items": [item()]},
    }

    assert list(brand_rows(index, AREAS, {"shop=bakery"})) == [
        ["shop=bakery", "Kruste & Co", "kruste-abc123", "Q1", "*,kruste,krustenbacker", "DE"]
    ]
    assert list(brand_rows(index, AREAS, {"shop=books"})) == []


def test_areas_are_countries_and_boxes():
    assert AREAS.text({"include": ["de"]}) == "DE"
    assert AREAS.text({"include": ["150"], "exclude": ["gb"]}) == "DE"
    assert AREAS.text({"include": ["001"], "exclude": ["de"]}) == "001 -DE"
    assert AREAS.text({"include": ["gb-eng"]}) == "GB:-6.4,49.8,1.8,55.9"
    assert AREAS.text({"include": ["de-by.geojson"]}) == "DE:9,47.3,13.8,50.6"
    assert AREAS.text({"include": [[10, 50, 111.2]]}) == ":8.4,49,11.6,51"
