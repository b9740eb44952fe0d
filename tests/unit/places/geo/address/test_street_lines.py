"""Street lines in all languages: those with a reader of their own, and those that list words."""

from types import ModuleType

import pytest

from geoscout_places.geo.address import english_streets, german_streets, romance_streets
from geoscout_places.geo.address.base import StreetEvidence
from geoscout_places.geo.address.segments import Grammar, Segment
from geoscout_places.geo.address.word_streets import street_grammar

TYPED, BARE, LIKELY = StreetEvidence.TYPED, StreetEvidence.BARE, StreetEvidence.LIKELY
OF_THEIR_OWN = {"en": english_streets, "de": german_streets, "fr": romance_streets}


def reader(language: str) -> ModuleType | Grammar:
    return OF_THEIR_OWN.get(language) or street_grammar(language)


def segment(text: str, start: int = 0, before: str = "\n") -> Segment:
    return Segment(start, start + len(text), text, before, "\n")


@pytest.mark.parametrize(
    ("language", "line", "number", "name", "unit"),
    [
        ("en", "8128 S. DR M. L. KING JR Drive", "8128", "S. DR M. L. KING JR Drive", ""),
        ("en", "1325 W 7th St Ste G", "1325", "W 7th St", "Ste G"),
        ("en", "3813 1/2 Some Road", "3813 1/2", "Some Road", ""),
        ("en", "113½ E. Palace Ave.", "113½", "E. Palace Ave.", ""),
        ("en", "32-15 Astoria Blvd", "32-15", "Astoria Blvd", ""),
        ("en", "75-5776 Alii Dr.", "75-5776", "Alii Dr.", ""),
        ("en", "12 St. James Place", "12", "St. James Place", ""),
        ("en", "9912 S. Avenue H", "9912", "S. Avenue H", ""),
        ("en", "1401 79th Street Causeway", "1401", "79th Street Causeway", ""),
        ("en", "2000 Avenue of the Stars", "2000", "Avenue of the Stars", ""),
        ("en", "3340 FM 1092", "3340", "FM 1092", ""),
        ("en", "4500 N US-1", "4500", "N US-1", ""),
        ("en", "1610 W. AZ 89A", "1610", "W. AZ 89A", ""),
        ("en", "1000 Indiana Highway 212", "1000", "Indiana Highway 212", ""),
        ("en", "10006 County Road MM", "10006", "County Road MM", ""),
        ("en", "9275 NE 48th Ct Apt 105", "9275", "NE 48th Ct", "Apt 105"),
        ("en", "W148 N9748 Tree Tops Dr", "W148 N9748", "Tree Tops Dr", ""),
        ("en", "One Yonge Street", "One", "Yonge Street", ""),
        ("en", "100-102 Elm St", "100-102", "Elm St", ""),
        ("en", "732 William St. 2nd FL", "732", "William St.", "2nd FL"),
        ("en", "Inc. 350 Fifth Avenue", "350", "Fifth Avenue", ""),
        ("en", "Suite 900 123 Main St", "123", "Main St", ""),
        ("en", "300 east randolph street", "300", "east randolph street", ""),
        ("en", "2531 Lake Rd./Rte. 14", "2531", "Lake Rd./Rte. 14", ""),
        ("en", "2909 PASEO GRANDE", "2909", "PASEO GRANDE", ""),
        ("fr", "55 rue du Faubourg Saint-Honoré", "55", "rue du Faubourg Saint-Honoré", ""),
        ("fr", "12 bis rue de la Paix", "12 bis", "rue de la Paix", ""),
        ("fr", "4 r. Guyton-de-Morveau", "4", "r. Guyton-de-Morveau", ""),
        ("fr", "10-12 boulevard Victor Hugo", "10-12", "boulevard Victor Hugo", ""),
        ("fr", "Rue de Lausanne 45", "45", "Rue de Lausanne", ""),
        ("fr", "Via Cantonale 18", "18", "Via Cantonale", ""),
        ("fr", "Mairie 3 place du 8 Mai 1945", "3", "place du 8 Mai 1945", ""),
        ("fr", "24 route de Vannes BP 12345", "24", "route de Vannes", ""),
        ("it", "Via Giuseppe Garibaldi n. 42", "42", "Via Giuseppe Garibaldi", ""),
        ("it", "con sede legale in Via dei Neri 74r", "74r", "Via dei Neri", ""),
        ("it", "Via Roma snc", "snc", "Via Roma", ""),
        ("es", "C/Mayor 5 3º B", "5", "C/Mayor", "3º B"),
        ("pt", "R. da Academia das Ciências 17C", "17C", "R. da Academia das Ciências", ""),
        ("nl", "Laan van Meerdervoort 200 A", "200 A", "Laan van Meerdervoort", ""),
        ("nl", "Slotermeerlaan 69-Unit D8", "69", "Slotermeerlaan", "Unit D8"),
        ("da", "Skanderborgvej 40 4-2", "40", "Skanderborgvej", "4-2"),
        ("da", "Vesterbrogade 4 A 2. tv", "4 A", "Vesterbrogade", "2. tv"),
        ("no", "Kirsten Flagstads plass 1", "1", "Kirsten Flagstads plass", ""),
        ("fi", "Satakunnankatu 7 B 22", "7", "Satakunnankatu", "B 22"),
        ("fi", "Vuorikatu 14 A", "14 A", "Vuorikatu", ""),
        ("pl", "ul.Dolna 1 m. 5", "1", "ul.Dolna", "m. 5"),
        ("hu", "Nádor u. 7. III. em. 5", "7", "Nádor u.", "III. em. 5"),
    ],
)  # fmt: skip
def test_street_with_a_street_word_is_certain(language, line, number, name, unit):
    street = reader(language).read_street(segment(line))

    assert street is not None
    assert (street.number, street.name, street.unit) == (number, name, unit)
    assert street.evidence is TYPED


@pytest.mark.parametrize(
    ("language", "line", "number", "name", "evidence"),
    [
        ("en", "300 W. 2nd", "300", "W. 2nd", LIKELY),  # a direction or an ordinal
        ("en", "135 South Main", "135", "South Main", LIKELY),
        ("en", "450 South 900 East", "450", "South 900 East", LIKELY),
        ("en", "4130 Upson Hall", "4130", "Upson Hall", StreetEvidence.BUILDING),
        ("en", "500 Unicorn", "500", "Unicorn", BARE),
        ("de", "Durchholzen 60", "60", "Durchholzen", BARE),
        ("es", "Pau Claris 85", "85", "Pau Claris", BARE),
        ("sv", "Familjen bor på Aftonsången 3", "3", "Aftonsången", BARE),
        ("cs", "28. října 3117", "3117", "28. října", BARE),
        ("cs", "se sídlem Koperníkova 12", "12", "Koperníkova", BARE),
        ("sl", "Dolgi most 6a", "6a", "Dolgi most", BARE),
    ],
)
def test_name_without_a_street_word_is_believed_less(language, line, number, name, evidence):
    street = reader(language).read_street(segment(line))

    assert street is not None
    assert (street.number, street.name) == (number, name)
    assert street.evidence is evidence


@pytest.mark.parametrize(
    ("line", "number", "name", "unit"),
    [
        ("Hauptstr. 5", "5", "Hauptstr.", ""),
        ("Am Alten Markt 3a", "3a", "Am Alten Markt", ""),
        ("Straße des 17. Juni 135", "135", "Straße des 17. Juni", ""),
        ("Platz der Republik 1", "1", "Platz der Republik", ""),
        ("Straße nach Fichtenwalde 13", "13", "Straße nach Fichtenwalde", ""),
        ("Unter den Linden 77", "77", "Unter den Linden", ""),
        ("Köpenicker Str. 178/179", "178/179", "Köpenicker Str.", ""),
        ("Mariahilfer Straße 77-79/2/14", "77-79/2/14", "Mariahilfer Straße", ""),
        ("Severin-Schreiber-Gasse 1+3", "1+3", "Severin-Schreiber-Gasse", ""),
        ("Hochstr 35 - 37", "35 - 37", "Hochstr", ""),
        ("Prinz Eugen Straße 12", "12", "Prinz Eugen Straße", ""),
        ("Muster GmbH & Co. KG W.-C.-Röntgen-Str. 2", "2", "W.-C.-Röntgen-Str.", ""),
        ("Rheinlandstr.8", "8", "Rheinlandstr.", ""),
        ("Hauptstraße Nr. 12", "12", "Hauptstraße", ""),
        ("Stephansplatz 4/6/1 Stiege 2 Tür 5", "4/6/1", "Stephansplatz", "Stiege 2 Tür 5"),
        ("Sophienstr. 2 Rgb.", "2", "Sophienstr.", "Rgb."),
        ("Am Hof 4 Top 12", "4", "Am Hof", "Top 12"),
    ],
)
def test_german_street_is_read(line, number, name, unit):
    street = german_streets.read_street(segment(line))

    assert street is not None
    assert (street.number, street.name, street.unit) == (number, name, unit)
    assert street.evidence >= LIKELY


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", "12 Reviews|3 Beds|1993 at a highway rest area|Main St|Suite 900|12:30 Main St"),
        ("en", "about 300 people walked down the street"),
        ("en", "5 of them took a long walk down Main Street to see the new shops there"),
        ("de", "Telefon 030 2345|Halle 7|Stand 2019|26. Oktober 2023|Tür 5|Bundesstraße 224"),
        ("de", "Seite 12|Hauptstraße|5"),
        ("fr", "12 personnes|le 14 juillet 1789|rue de la Paix|75001"),
        ("es", "Tel. 91 432 60 00|P.O. Box 92"),
        ("pl", "Telefon 12"),
        ("it", "Pagina 12|Room 5"),
        ("nl", "12"),
        ("fi", "klo 10"),
        ("sv", "det finns 12"),
        ("cs", "IČO: 23673389"),
    ],
)
def test_other_numbered_things_are_no_street(language, lines):
    found = [line for line in lines.split("|") if reader(language).read_street(segment(line))]

    assert found == []


def test_few_words_behind_a_street_do_no_harm():
    street = english_streets.read_street(segment("1 Belmont St. Send to Phone"))

    assert street is not None
    assert (street.name, street.end) == ("Belmont St.", 13)


@pytest.mark.parametrize(
    ("language", "left", "right", "number", "name", "unit"),
    [
        ("en", "12a", "Mill Lane", "12a", "Mill Lane", ""),
        ("de", "C 4", "12", "12", "C 4", ""),  # a block of Mannheim
        ("fr", "12 bis", "rue de la Paix", "12 bis", "rue de la Paix", ""),
        ("fr", "Via Nassa", "5", "5", "Via Nassa", ""),
        ("fr", "ENST 46", "rue Barrault", "46", "rue Barrault", ""),
        ("it", "Via Roma", "12", "12", "Via Roma", ""),
        ("pt", "Rua François Guichard", "n.º 128 B", "128 B", "Rua François Guichard", ""),
        ("es", "Calle Mayor", "5 bajo", "5", "Calle Mayor", "bajo"),
    ],
)
def test_comma_may_part_number_and_street(language, left, right, number, name, unit):
    second = segment(right, len(left) + 2, ",")
    street = reader(language).read_pair(segment(left), second)

    assert street is not None
    assert (street.number, street.name, street.unit) == (number, name, unit)
    assert street.end == second.end


@pytest.mark.parametrize(
    ("language", "streets", "others"),
    [
        ("en", "Morton Way|Highway 2|Old Mill Road", "Old Town|MS 41|the long way|Way"),
        (
            "de", "Dorfstrasse|Marienplatz|Sankt-Jakobs-Platz",
            "Platz|Schloss Nymphenburg|unsere Straße",
        ),
        ("fr", "Place de l'Hôtel de Ville", "Mairie de Bordeaux"),
        ("it", "Piazza del Duomo", "Galleria|Brunelleschi Dome"),
    ],
)  # fmt: skip
def test_street_without_number_needs_a_street_word(language, streets, others):
    read = reader(language).read_unnumbered
    found = [read(segment(line)) for line in streets.split("|")]

    assert [street and (street.name, street.number) for street in found] == [
        (line, "") for line in streets.split("|")
    ]
    assert [line for line in others.split("|") if read(segment(line))] == []


@pytest.mark.parametrize(
    ("language", "boxes"),
    [
        ("en", "P.O. Box 12|PO Box 1866|RR 2 Box 45|C.P. 6128"),
        ("de", "Postfach 10 01 65|Postfach"),
        ("fr", "BP 422|CS 46510|Case postale|B.P. 12"),
        ("fi", "PL 189"),
    ],
)
def test_box_is_read(language, boxes):
    for text in boxes.split("|"):
        box = reader(language).read_box(segment(text))
        assert box is not None, text
        assert (box.name, box.evidence) == (text, StreetEvidence.BOX)


@pytest.mark.parametrize(
    ("language", "doors", "others"),
    [
        (
            "en", "Suite 5|Ste. 700|#160|Apt 4B|2nd floor|Lower Level|Unit C-D|Bldg 10 Rm 4|B-2",
            "Old Town|Front Street|Unit of the Army|Main",
        ),
        ("de", "Stiege 2|3. Stock|Tür 5|EG links", "Hauptstraße 5"),
        ("fr", "Bâtiment C|Bât. C|2e étage|Escalier B", "rue de la Paix"),
        ("es", "Principal 1ª", "Calle Mayor 5"),
    ],
)  # fmt: skip
def test_doors_are_told_from_streets(language, doors, others):
    is_unit = reader(language).is_unit

    assert [text for text in doors.split("|") if not is_unit(segment(text))] == []
    assert [text for text in others.split("|") if is_unit(segment(text))] == []
