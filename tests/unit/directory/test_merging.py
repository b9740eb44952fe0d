"""The same thing on several pages is one entry."""

import random

import pytest
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


def test_two_spellings_at_one_address_are_one():
    other = replace(
        SALON,
        url="http://b.example/",
        name="A2 Haar-Studio",
        address=replace(ADDRESS, street="Augsburger Straße", text="Augsburger Straße 2"),
    )

    (entry,) = merge_entries([SALON, other])

    assert {said.url for said in entry.said} == {"http://guide.example/1", "http://b.example/"}
    assert [reason.why for reason in entry.reasons] == ["same address, names alike (96)"]


def test_statement_without_an_address_joins_by_telephone():
    other = replace(SALON, url="http://b.example/", address=None, name="A2 Haarstudio")

    (entry,) = merge_entries([SALON, other])

    assert entry.address == ADDRESS
    assert entry.reasons[0].why.startswith("same telephone")


def test_own_site_wins_and_the_other_is_kept():
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


def test_order_does_not_count():
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


def test_the_same_on_a_thousand_pages_is_one_entry():
    (entry,) = merge_entries(replace(SALON, url=f"http://a2.example/{n}") for n in range(1000))

    assert len(entry.said) == 1000
    assert entry.reasons == ()


def test_large_blocks_are_not_compared_pair_by_pair():
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


def at(street: str = "", number: str = "", postcode: str = "82256", **parts: str) -> Address:
    return replace(ADDRESS, street=street, house_number=number, postcode=postcode, **parts)


def said(
    *of: tuple[str, Address | None], phones: tuple[str, ...] = SALON.phones
) -> list[PageEntry]:
    """What each page of a guide says: a name and an address."""
    return [
        replace(SALON, url=f"http://g.example/{n}", name=name, address=address, phones=phones)
        for n, (name, address) in enumerate(of)
    ]


NAME, STREET = SALON.name, ADDRESS.street
HALL = at("Upson Hall", "4156", "14853")
ROAD = at("Custer Rd", "9901", "75025", country="US", city="Plano")
OTHERWISE = "North Texas Water District Transfer Station"
LONGER = "A2 Haarstudio Verleih von Kostümen und Perücken"


@pytest.mark.parametrize(
    ("statements", "pages"),  # how many pages each entry has
    [
        pytest.param(said((NAME, ADDRESS), (NAME, at(STREET, "40"))), [1, 1], id="branches"),
        pytest.param(
            [SALON, *said(("Weber Bau", ADDRESS), phones=("+498141526000",))], [1, 1], id="tenants"
        ),
        pytest.param(
            said((NAME, at(STREET, "2")), (NAME, at(STREET, "40")), (NAME, at())), [1, 2],
            id="without a house it does not join two branches",
        ),
        pytest.param(
            said((NAME, at(STREET, "2")), (NAME, at(STREET, "2", "80331")), (NAME, None)),
            [1, 1, 1], id="the number of many towns says nothing of where it is",
        ),
        pytest.param(said((NAME, ADDRESS), (NAME, None)), [2], id="the number of one town does"),
        pytest.param(
            [
                *(replace(SALON, name=name) for name in ("A2 Haarstudio", "A2 Haarstudio Herren")),
                *said(("A2 Haarstudio", ADDRESS)),
            ],
            [1, 2], id="two things of one page stay two",
        ),
        pytest.param(
            [SALON, *said(("A2 Haarstudio Shop", ADDRESS), (LONGER, ADDRESS), phones=())],
            [1, 1, 1], id="a part of a thing is not the thing",
        ),
        pytest.param(
            said(("Cornell University", HALL),
                 ("Cornell University", replace(HALL, house_number="5152")), phones=()),
            [2], id="the room of a hall is not a house",
        ),
        pytest.param(
            said(("Custer Road Transfer Station", ROAD), (OTHERWISE, ROAD), phones=()), [2],
            id="what is named after its street is what its operator calls otherwise",
        ),
        pytest.param(
            said(("Schloss Nymphenburg", at(postcode="80638")),
                 ("Schlosspark Nymphenburg", at(postcode="80638"))),
            [1, 1], id="a compound is another thing at the same number",
        ),
        pytest.param(
            said(*((name, ADDRESS) for name in ("Castillo de Neuschwanstein",
                 "Neuschwanstein Castle", "Schlösser Schleißheim"))),
            [1, 2], id="house and number do for names that share a word",
        ),
    ],
)  # fmt: skip
def test_statements_are_of_so_many_things(statements, pages):
    assert sorted(len(entry.said) for entry in merge_entries(statements)) == pages
