import pytest

from geoscout_places.geo.address.romance_streets import (
    is_unit,
    read_box,
    read_pair,
    read_street,
    read_unnumbered,
)
from geoscout_places.geo.address.segments import Segment


def _segment(text: str, start: int = 0) -> Segment:
    return Segment(start, start + len(text), text, "\n", "\n")


@pytest.mark.parametrize(
    ("text", "number", "name"),
    [
        ("55 rue du Faubourg Saint-Honoré", "55", "rue du Faubourg Saint-Honoré"),
        ("12 bis rue de la Paix", "12 bis", "rue de la Paix"),
        ("4 r. Guyton-de-Morveau", "4", "r. Guyton-de-Morveau"),
        ("10-12 boulevard Victor Hugo", "10-12", "boulevard Victor Hugo"),
        ("Rue de Lausanne 45", "45", "Rue de Lausanne"),
        ("Via Cantonale 18", "18", "Via Cantonale"),
        ("Mairie 3 place du 8 Mai 1945", "3", "place du 8 Mai 1945"),
        ("24 route de Vannes BP 12345", "24", "route de Vannes"),
    ],
)
def test_street_is_read(text: str, number: str, name: str) -> None:
    street = read_street(_segment(text))

    assert street is not None
    assert (street.number, street.name) == (number, name)


@pytest.mark.parametrize("text", ["12 personnes", "le 14 juillet 1789", "rue de la Paix", "75001"])
def test_other_numbers_are_no_street(text: str) -> None:
    assert read_street(_segment(text)) is None


@pytest.mark.parametrize(
    ("left", "right", "number", "name"),
    [
        ("12 bis", "rue de la Paix", "12 bis", "rue de la Paix"),
        ("Via Nassa", "5", "5", "Via Nassa"),
        ("ENST 46", "rue Barrault", "46", "rue Barrault"),
    ],
)
def test_comma_may_part_number_and_street(left: str, right: str, number: str, name: str) -> None:
    street = read_pair(_segment(left), _segment(right, start=len(left) + 2))

    assert street is not None
    assert (street.number, street.name) == (number, name)


def test_street_without_number_fills_its_segment() -> None:
    assert read_unnumbered(_segment("Place de l'Hôtel de Ville")) is not None
    assert read_unnumbered(_segment("Mairie de Bordeaux")) is None


@pytest.mark.parametrize("text", ["BP 422", "CS 46510", "Case postale", "B.P. 12"])
def test_box_is_read(text: str) -> None:
    assert read_box(_segment(text)) is not None


@pytest.mark.parametrize("text", ["Bâtiment C", "Bât. C", "2e étage", "Escalier B"])
def test_door_is_known(text: str) -> None:
    assert is_unit(_segment(text))
