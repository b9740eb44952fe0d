from __future__ import annotations

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic.pages import Role
from geoscout_lab.worlds.synthetic.register import Register
from geoscout_lab.worlds.synthetic.sketch import Sketcher, Zone


@pytest.fixture(scope="module")
def sketches(webs):
    """Those of many pages."""
    web = webs["ahlers2009"]
    sketcher = Sketcher(Register(web.structure))
    pages = np.flatnonzero(web.structure.pages.role == Role.CONTENT)[:1500].tolist()
    return [sketch for page in pages for sketch in sketcher.draw(page)]


def test_some_links_are_images(sketches):
    loose = [sketch.anchor for sketch in sketches if sketch.zone not in (Zone.MENU, Zone.FOOT)]

    images = [anchor for anchor in loose if not anchor.text]

    assert len(images) / len(loose) == pytest.approx(0.10, abs=0.02)
    assert any(anchor.alternative for anchor in images)
    assert not all(anchor.alternative for anchor in images)


def test_some_links_say_nothing(sketches):
    loose = [sketch.anchor.text for sketch in sketches if sketch.zone in (Zone.TEXT, Zone.SIDE)]
    generic = {"mehr", "weiter", "hier", "hier klicken", "mehr dazu", "Details", "weiterlesen"}

    share = sum(text in generic for text in loose) / len(loose)

    assert share == pytest.approx(0.9 * 0.18, abs=0.04)


def test_links_in_the_text_stand_in_sentences(sketches):
    texts = [sketch for sketch in sketches if sketch.zone is Zone.TEXT]

    assert all(len(sketch.before.split()) > 4 and sketch.after for sketch in texts)


def test_zones_come_in_the_order_of_the_page(web):
    sketcher = Sketcher(web.register)

    for page in range(200):
        zones = [sketch.zone for sketch in sketcher.draw(page)]
        assert zones == sorted(zones)
