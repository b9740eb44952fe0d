from __future__ import annotations

from dataclasses import replace

import pytest

from geoscout_lab.worlds.synthetic.sites import TRAPS, distinct_domains, step_of_trap, trap_path
from geoscout_places.urls import normalise, trap


def test_taken_domain_gets_a_number():
    given = distinct_domains(["www.meyer.de", "meyer.de", "www.meyer.de", "www.meyer.de"])

    assert given == ["www.meyer.de", "meyer-2.de", "www.meyer-3.de", "www.meyer-4.de"]


@pytest.mark.parametrize("name", ["ahlers2009", "web2025", "gao2006"])
def test_urls_are_distinct_and_in_normal_form(name, webs):
    web = webs[name]

    urls = [web.url(page) for page in range(web.size)]

    assert len(set(urls)) == len(urls)
    assert [url for url in urls if normalise(url) != url] == []


@pytest.mark.parametrize("kind", range(len(TRAPS)))
def test_any_step_into_a_trap_is_known_by_its_path(kind, web):
    site = replace(web.register.sites[0], habit=kind)

    steps = [0, 1, 17, 500, 40_000]

    assert [step_of_trap(site, trap_path(site, step)) for step in steps] == steps
    assert step_of_trap(site, "/something/else") is None


@pytest.mark.parametrize("kind", [0, 3])
def test_calendars_and_session_ids_look_like_traps(kind, web):
    site = replace(web.register.sites[0], habit=kind)

    assert trap(f"http://a.example{trap_path(site, 31)}") == ("calendar", "", "", "session")[kind]
