from __future__ import annotations

import pytest

from geoscout_lab.worlds.synthetic import layouts
from geoscout_lab.worlds.synthetic.hosts import load_cities
from geoscout_lab.worlds.synthetic.layouts import DIVISIONS, ELEMENTS, ROLES, TABLES
from geoscout_lab.worlds.synthetic.profile import language_of, load_profile
from geoscout_lab.worlds.synthetic.register import make_entity
from geoscout_lab.worlds.synthetic.sketch import Zone
from geoscout_places.geo.structured import addresses_of, points_of
from geoscout_places.parse import parse_html


@pytest.mark.parametrize("layout", [ELEMENTS, DIVISIONS, TABLES, ROLES])
def test_parser_sees_the_paths_and_parts_a_layout_names(layout):
    def block(zone: Zone) -> str:
        before, after = layout.frames[zone].item
        return f'{before}<a href="/{zone.name}">{zone.name}</a> some more words{after}'

    html = (
        layout.top.format(name="Name")
        + block(Zone.MENU)
        + layout.before_main
        + block(Zone.TEXT)
        + f"<ul>{block(Zone.ENTRY)}</ul><ul>{block(Zone.LIST)}</ul>"
        + layout.before_side.format(more="More")
        + block(Zone.SIDE)
        + layout.before_foot
        + f"<p>{block(Zone.FOOT)}</p>"
        + layout.end
    )

    links = parse_html(html.encode(), "http://a.example/").links

    assert [(link.tag_path, link.part) for link in links] == [
        (layout.frames[zone].path, layout.frames[zone].part) for zone in Zone
    ]


@pytest.fixture(scope="module")
def cities(gazetteer):
    return {city.name: city for city in load_cities(load_profile("ahlers2009"), gazetteer)}


@pytest.fixture
def entity(cities):
    return make_entity(4, "Café </script> & Co", cities["Bremen"], language_of("DE"), 1)


@pytest.mark.parametrize("markup", [layouts.json_ld, layouts.microformat])
def test_markup_states_the_address_or_a_wrong_city(markup, entity, cities):
    right, wrong = (
        addresses_of(parse_html(f'<meta charset="utf-8">{html}'.encode(), "http://a.example/"))[0]
        for html in (markup(entity, entity.city), markup(entity, cities["Kiel"]))
    )

    assert (right.city, right.postcode) == ("Bremen", entity.postcode)
    assert wrong.city == "Kiel"


def test_geo_tags_state_the_middle_of_the_city(entity):
    page = parse_html(layouts.geo_meta(entity.city).encode(), "http://a.example/")

    ((point, _),) = points_of(page)

    assert point.latitude == pytest.approx(entity.city.place.point.latitude, abs=0.001)
