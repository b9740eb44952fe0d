from __future__ import annotations

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_lab.worlds.synthetic.hosts import LOCAL
from geoscout_places.errors import UsageError


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (WebPlan(pages=100), "at least 2000"),
        (WebPlan(pages=3000, city="Atlantis"), "no city 'Atlantis'; it has Berlin"),
        (WebPlan(pages=2000, city="Herne"), "no site of that city: take more pages"),
    ],
)
def test_web_that_cannot_be_is_refused(plan, message, gazetteer):
    with pytest.raises(UsageError, match=message):
        make_web(plan, gazetteer)


def test_region_can_be_another_city(gazetteer):
    web = make_web(WebPlan("web2025", pages=3000, city="portland, me"), gazetteer)

    assert web.region == "Portland, Maine, United States"


def test_seeds_are_home_pages_of_the_region(web):
    cities = {web.site(page).city.name for page in web.seeds}

    assert cities == {"London"}
    assert all(web.host_type(page) in LOCAL for page in web.seeds)


def test_a_share_of_the_seeds_may_be_hosts_of_other_cities(gazetteer):
    web = make_web(WebPlan("ahlers2009:seeds_elsewhere=0.5", 1, 5000), gazetteer)
    near = [web.site(page).city.name == "Berlin" for page in web.seeds]

    assert (len(near), sum(near)) == (20, 10)
    assert all(web.host_type(page) in LOCAL for page in web.seeds)


def test_seeds_may_be_the_popular_hosts(webs):
    web = webs["usa2006"]
    attraction = web.structure.hosts.attraction

    chosen = attraction[[web.host(page) for page in web.seeds]]

    assert chosen.min() >= np.median(attraction)


def test_all_cities_are_the_region_of_the_paper(webs):
    web = webs["gao2006"]

    assert (web.structure.relevant == (web.structure.pages.address_city >= 0))[
        web.structure.status == 200
    ].all()


def test_other_seed_makes_another_web(gazetteer):
    one, other = (make_web(WebPlan(random_seed=n, pages=2000), gazetteer) for n in (1, 2))

    assert one.structure.graph.target.tolist() != other.structure.graph.target.tolist()
