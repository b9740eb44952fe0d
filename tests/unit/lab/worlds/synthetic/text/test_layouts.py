from __future__ import annotations

import pytest

from geoscout_lab.worlds.synthetic.text.layouts import DIVISIONS, ELEMENTS, ROLES, TABLES, Layout
from geoscout_lab.worlds.synthetic.text.sketch import Zone
from geoscout_places.parse import parse_html


@pytest.mark.parametrize("layout", [ELEMENTS, DIVISIONS, TABLES, ROLES])
def test_parser_sees_the_paths_and_parts_a_layout_names(layout: Layout) -> None:
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
