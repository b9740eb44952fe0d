"""Levels inside a domain, counted since it was entered (G-21 in docs/results/fidelity.md)."""

import pytest

from geoscout.collaborate import collaboration_names, create_collaboration
from geoscout.collaborate.base import DepthRule
from geoscout_places.errors import SettingsError, UsageError
from tests.unit.collaborate.worlds import aim

HOME, OTHER = "http://www.site.example.com/", "http://www.other.org/"


@pytest.mark.parametrize(
    ("rule", "level", "url", "found"),
    [
        (DepthRule(), 2, "http://shop.example.com/", 3),
        (DepthRule(), 5, "http://www.other.org/", 0),
        (DepthRule(), 5, HOME + "more", None),  # from the last level only others are followed
        (DepthRule(levels=6), 5, HOME + "more", 6),
        (DepthRule(by_host=True), 5, "http://shop.example.com/", 0),
    ],
)
def test_levels_are_counted_since_the_domain_was_entered(rule, level, url, found):
    assert rule.level(HOME, level, url) == found


def test_all_of_ours_are_installed():
    ours = {"anchor", "classifier", "content", "dom", "hash", "ip", "url"}

    assert ours <= set(collaboration_names())


@pytest.mark.parametrize("spec", ["magic", "url:shape=3", "url:host", "url:policy=C"])
def test_wrong_spec_is_refused(spec):
    with pytest.raises(UsageError):
        create_collaboration(spec, aim())


def test_option_of_the_wrong_type_is_refused():
    with pytest.raises(SettingsError):
        create_collaboration("anchor:window=wide", aim())


def test_options_of_the_spec_win_over_those_of_the_aim():
    create_collaboration("url:policy=A", aim(policy="C"))
