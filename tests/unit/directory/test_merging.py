"""The same thing on several pages is one entry."""

from __future__ import annotations

import random

from msgspec.structs import replace

from geoscout_directory.merging import merge_entries
from geoscout_directory.records import NamePlace, PageEntry
from geoscout_places.model import Address, Point, Precision

ADDRESS = Address(
    start=1, end=2, text="Augsburger Str. 2, 82256 Fürstenfeldbruck", house_number="2",
    street="Augsburger Str.", unit="", city="Fürstenfeldbruck", region="", postcode="82256",
    country="DE", point=Point(48.18, 11.25), place=None, source="text",
    precision=Precision.POSTCODE,
)  # fmt: skip
SALON = PageEntry(
    url="http://guide.example/1", name="A2 Haarstudio GmbH", evidence=NamePlace.LINE,
    address=ADDRESS, phones=("+498141526077",),
)  # fmt: skip


def test_two_spellings_at_one_address_are_one() -> None:
    other = replace(
        SALON,
        url="http://b.example/",
        name="A2 Haar-Studio",
        address=replace(ADDRESS, street="Augsburger Straße", text="Augsburger Straße 2"),
    )

    (entry,) = merge_entries([SALON, other])

    assert {said.url for said in entry.said} == {"http://guide.example/1", "http://b.example/"}
    assert [reason.why for reason in entry.reasons] == ["same address, names alike (96)"]


def test_branches_of_a_chain_stay_apart() -> None:
    other = replace(SALON, url="http://b.example/", address=replace(ADDRESS, house_number="40"))

    assert len(merge_entries([SALON, other])) == 2


def test_tenants_of_one_house_stay_apart() -> None:
    other = replace(SALON, url="http://b.example/", name="Weber Bau", phones=("+498141526000",))

    assert len(merge_entries([SALON, other])) == 2


def test_statement_without_an_address_joins_by_telephone() -> None:
    other = replace(SALON, url="http://b.example/", address=None, name="A2 Haarstudio")

    (entry,) = merge_entries([SALON, other])

    assert entry.address == ADDRESS
    assert entry.reasons[0].why.startswith("same telephone")


def test_own_site_wins_and_the_other_is_kept() -> None:
    own = replace(
        SALON, url="http://a2.example/", name="A2 Haar Studio", is_own=True, website="http://a2.example/",
        hours="Tu-Fr 09:00-18:00",
    )  # fmt: skip
    others = [
        replace(SALON, url=f"http://g{n}.example/", hours="Mo-Fr 08:00-18:00") for n in range(3)
    ]

    (entry,) = merge_entries([*others, own])

    assert entry.name == "A2 Haar Studio"
    assert entry.said[0].url == "http://a2.example/"
    assert [found.field for found in entry.contradictions] == ["hours"]
    assert {value for value, _ in entry.contradictions[0].values} == {
        "Tu-Fr 09:00-18:00",
        "Mo-Fr 08:00-18:00",
    }


def test_order_does_not_count() -> None:
    said = [
        replace(
            SALON,
            url=f"http://g{n % 7}.example/{n}",
            name=f"{('Alpha', 'Beta', 'Gamma')[n % 3]} Haus {n % 5}",
            address=replace(ADDRESS, house_number=str(n % 4 + 1)),
            phones=(f"+49814152607{n % 6}",),
        )
        for n in range(60)
    ]
    first = merge_entries(said)

    for seed in range(3):
        random.Random(seed).shuffle(said)
        assert merge_entries(said) == first


def test_the_same_on_a_thousand_pages_is_one_entry() -> None:
    (entry,) = merge_entries(replace(SALON, url=f"http://a2.example/{n}") for n in range(1000))

    assert len(entry.said) == 1000
    assert entry.reasons == ()


def test_large_blocks_are_not_compared_pair_by_pair() -> None:
    """Ten thousand shops of one name in one town take seconds, not hours."""
    said = [
        replace(
            SALON,
            url=f"http://g.example/{n}",
            phones=(),
            address=replace(ADDRESS, house_number=str(n)),
        )
        for n in range(3000)
    ]

    assert len(merge_entries(said)) == 3000


def test_statement_without_a_house_does_not_join_two_branches() -> None:
    branches = [
        replace(SALON, url=f"http://g.example/{n}", address=replace(ADDRESS, house_number=str(n)))
        for n in (2, 40)
    ]
    bare = replace(ADDRESS, street="", house_number="", text="82256 Fürstenfeldbruck")
    other = replace(SALON, url="http://b.example/", address=bare)

    merged = merge_entries([*branches, other])

    assert sorted(len(entry.said) for entry in merged) == [1, 2]


def test_number_of_many_towns_says_nothing_of_where_something_is() -> None:
    branches = [
        replace(SALON, url=f"http://g.example/{code}", address=replace(ADDRESS, postcode=code))
        for code in ("82256", "80331")
    ]
    nowhere = replace(SALON, url="http://b.example/", address=None)

    assert len(merge_entries([*branches, nowhere])) == 3
    assert len(merge_entries([branches[0], nowhere])) == 1


def test_two_things_of_one_page_stay_two_however_others_call_them() -> None:
    two = [replace(SALON, name=name) for name in ("A2 Haarstudio", "A2 Haarstudio Herren")]
    other = replace(SALON, url="http://b.example/", name="A2 Haarstudio")

    merged = merge_entries([*two, other])

    assert sorted(len(entry.said) for entry in merged) == [1, 2]


def test_part_of_a_thing_is_not_the_thing() -> None:
    shop = replace(SALON, url="http://b.example/", name="A2 Haarstudio Shop", phones=())
    longer = "A2 Haarstudio Verleih von Kostümen und Perücken"
    other = replace(SALON, url="http://c.example/", name=longer, phones=())

    assert len(merge_entries([SALON, shop, other])) == 3


def test_room_of_a_hall_is_not_a_house() -> None:
    room = replace(ADDRESS, street="Upson Hall", house_number="4156", postcode="14853")
    rooms = [
        replace(
            SALON,
            url=f"http://g.example/{number}",
            name="Cornell University",
            phones=(),
            address=replace(room, house_number=number),
        )
        for number in ("4156", "5152")
    ]

    assert len(merge_entries(rooms)) == 1


def test_thing_named_after_its_street_is_what_its_operator_calls_otherwise() -> None:
    where = replace(ADDRESS, street="Custer Rd", house_number="9901", country="US", city="Plano")
    names = ("Custer Road Transfer Station", "North Texas Water District Transfer Station")
    said = [
        replace(SALON, url=f"http://g.example/{n}", name=name, phones=(), address=where)
        for n, name in enumerate(names)
    ]

    assert len(merge_entries(said)) == 1


def test_compound_is_another_thing_at_the_same_number() -> None:
    bare = replace(ADDRESS, street="", house_number="", postcode="80638")
    said = [
        replace(SALON, url=f"http://g.example/{n}", name=name, address=bare)
        for n, name in enumerate(("Schloss Nymphenburg", "Schlosspark Nymphenburg"))
    ]

    assert len(merge_entries(said)) == 2


def test_same_house_and_number_do_for_names_that_share_a_word() -> None:
    names = ("Castillo de Neuschwanstein", "Neuschwanstein Castle", "Schlösser Schleißheim")
    said = [replace(SALON, url=f"http://g.example/{n}", name=name) for n, name in enumerate(names)]

    assert sorted(len(entry.said) for entry in merge_entries(said)) == [1, 2]
