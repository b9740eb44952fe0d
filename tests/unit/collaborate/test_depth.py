"""Levels inside a domain, counted since it was entered (G-21 in docs/results/gao2006.md)."""

from __future__ import annotations

from geoscout.collaborate.base import DepthRule

HOME, OTHER = "http://www.site.example.com/", "http://www.other.org/"


def test_link_inside_a_domain_is_one_level_deeper() -> None:
    assert DepthRule().level(HOME, 2, "http://shop.example.com/") == 3


def test_level_begins_again_in_another_domain() -> None:
    assert DepthRule().level(HOME, 5, OTHER) == 0


def test_at_the_last_level_only_links_to_others_are_followed() -> None:
    assert DepthRule().level(HOME, 5, HOME + "more") is None
    assert DepthRule(levels=6).level(HOME, 5, HOME + "more") == 6


def test_levels_may_be_those_of_hosts() -> None:
    assert DepthRule(by_host=True).level(HOME, 5, "http://shop.example.com/") == 0
