"""Street lines in the languages that list their words in files."""

import pytest

from geoscout_places.geo.address.base import StreetEvidence
from geoscout_places.geo.address.segments import Segment
from geoscout_places.geo.address.word_streets import street_grammar

TYPED, BARE = StreetEvidence.TYPED, StreetEvidence.BARE


def _segment(text: str, before: str = "\n") -> Segment:
    return Segment(0, len(text), text, before, "")


@pytest.mark.parametrize(
    ("language", "line", "number", "name", "unit", "evidence"),
    [
        ("it", "Via Giuseppe Garibaldi n. 42", "42", "Via Giuseppe Garibaldi", "", TYPED),
        ("it", "con sede legale in Via dei Neri 74r", "74r", "Via dei Neri", "", TYPED),
        ("it", "Via Roma snc", "snc", "Via Roma", "", TYPED),
        ("es", "C/Mayor 5 3º B", "5", "C/Mayor", "3º B", TYPED),
        ("es", "Pau Claris 85", "85", "Pau Claris", "", BARE),
        ("pt", "R. da Academia das Ciências 17C", "17C", "R. da Academia das Ciências", "", TYPED),
        ("nl", "Laan van Meerdervoort 200 A", "200 A", "Laan van Meerdervoort", "", TYPED),
        ("nl", "Slotermeerlaan 69-Unit D8", "69", "Slotermeerlaan", "Unit D8", TYPED),
        ("da", "Skanderborgvej 40 4-2", "40", "Skanderborgvej", "4-2", TYPED),
        ("da", "Vesterbrogade 4 A 2. tv", "4 A", "Vesterbrogade", "2. tv", TYPED),
        ("no", "Kirsten Flagstads plass 1", "1", "Kirsten Flagstads plass", "", TYPED),
        ("fi", "Satakunnankatu 7 B 22", "7", "Satakunnankatu", "B 22", TYPED),
        ("fi", "Vuorikatu 14 A", "14 A", "Vuorikatu", "", TYPED),
        ("sv", "Familjen bor på Aftonsången 3", "3", "Aftonsången", "", BARE),
        ("pl", "ul.Dolna 1 m. 5", "1", "ul.Dolna", "m. 5", TYPED),
        ("cs", "28. října 3117", "3117", "28. října", "", BARE),
        ("cs", "se sídlem Koperníkova 12", "12", "Koperníkova", "", BARE),
        ("sl", "Dolgi most 6a", "6a", "Dolgi most", "", BARE),
        ("hu", "Nádor u. 7. III. em. 5", "7", "Nádor u.", "III. em. 5", TYPED),
    ],
)
def test_street_is_read(
    language: str, line: str, number: str, name: str, unit: str, evidence: StreetEvidence
) -> None:
    street = street_grammar(language).read_street(_segment(line))

    assert street is not None
    assert (street.number, street.name, street.unit) == (number, name, unit)
    assert street.evidence is evidence


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("es", "Tel. 91 432 60 00"),
        ("es", "P.O. Box 92"),
        ("pl", "Telefon 12"),
        ("it", "Pagina 12"),
        ("it", "Room 5"),
        ("nl", "12"),
        ("fi", "klo 10"),
        ("sv", "det finns 12"),
        ("cs", "IČO: 23673389"),
    ],
)
def test_what_has_a_number_is_not_always_a_street(language: str, line: str) -> None:
    assert street_grammar(language).read_street(_segment(line)) is None


@pytest.mark.parametrize(
    ("language", "left", "right", "number", "name", "unit"),
    [
        ("it", "Via Roma", "12", "12", "Via Roma", ""),
        ("pt", "Rua François Guichard", "n.º 128 B", "128 B", "Rua François Guichard", ""),
        ("es", "Calle Mayor", "5 bajo", "5", "Calle Mayor", "bajo"),
    ],
)
def test_number_may_follow_a_comma(
    language: str, left: str, right: str, number: str, name: str, unit: str
) -> None:
    street = street_grammar(language).read_pair(_segment(left), _segment(right, ","))

    assert street is not None
    assert (street.number, street.name, street.unit) == (number, name, unit)


def test_doors_and_boxes_are_told_from_streets() -> None:
    spanish, finnish = street_grammar("es"), street_grammar("fi")

    assert spanish.is_unit(_segment("Principal 1ª"))
    assert not spanish.is_unit(_segment("Calle Mayor 5"))
    box = finnish.read_box(_segment("PL 189"))
    assert box is not None
    assert box.evidence is StreetEvidence.BOX


def test_street_without_number_needs_a_street_word() -> None:
    italian = street_grammar("it")

    square = italian.read_unnumbered(_segment("Piazza del Duomo"))

    assert square is not None
    assert square.evidence is StreetEvidence.UNNUMBERED
    assert italian.read_unnumbered(_segment("Galleria")) is None
    assert italian.read_unnumbered(_segment("Brunelleschi Dome")) is None
