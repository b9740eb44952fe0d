import pytest

from geoscout_places.model import Part
from geoscout_places.parse.elements import (
    Scope,
    Trait,
    hides,
    part_of_token,
    scope_inside,
    trait_of,
)


@pytest.mark.parametrize(
    ("token", "part"),
    [
        ("nav", Part.NAVIGATION),
        ("main-menu", Part.NAVIGATION),
        ("navbar-inner", Part.NAVIGATION),
        ("footerLinks", Part.FOOTER),
        ("sidebar-right", Part.ASIDE),
        ("cookie-banner", None),
        ("menu", None),
        ("has-sidebar", None),
        ("modal-footer", None),
        ("barefooter", None),
        ("", None),
        ("-", None),
    ],
)
def test_names_tell_the_part(token, part):
    assert part_of_token(token) is part


def test_header_is_the_page_s_own_only_as_an_id():
    assert trait_of("div", {"id": "header"}).part is Part.HEADER
    assert trait_of("div", {"class": "header"}).part is None


def test_role_beats_the_element():
    assert trait_of("section", {"role": "navigation"}) == Trait(Part.NAVIGATION, sure=True)


def test_navigation_inside_a_footer_is_navigation():
    assert scope_inside(Scope(Part.FOOTER, sure=True), Trait(Part.NAVIGATION, sure=True)) == Scope(
        Part.NAVIGATION, sure=True
    )


def test_nothing_inside_an_address_is_something_else():
    address = Scope(Part.ADDRESS, sure=True)

    assert scope_inside(address, Trait(Part.MAIN, sure=True)) is address


def test_name_does_not_overrule_an_element():
    footer = Scope(Part.FOOTER, sure=True)

    assert scope_inside(footer, Trait(Part.MAIN)) is footer


@pytest.mark.parametrize(
    ("name", "attributes", "hidden"),
    [
        ("p", {"hidden": None}, True),
        ("p", {"style": "display: none"}, True),
        ("p", {"style": "VISIBILITY:HIDDEN"}, True),
        ("p", {"style": "display: block"}, False),
        ("dialog", {}, True),
        ("dialog", {"open": None}, False),
    ],
)
def test_attributes_hide(name, attributes, *, hidden):
    assert hides(name, attributes) is hidden
