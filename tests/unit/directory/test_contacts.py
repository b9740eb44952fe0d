"""Telephone numbers and mail addresses of texts, plain and disguised."""

import random

import phonenumbers
import pytest

from geoscout_directory import contacts
from geoscout_directory.contacts import find_mails, find_phones, normal_phone, shown_phone


def numbers(text: str, country: str) -> list[str]:
    return [phone.number for phone in find_phones(text, country)]


@pytest.mark.parametrize(
    ("text", "country", "expected"),
    [
        ("Tel: 08141 526077", "DE", ["+498141526077"]),
        ("Telefon +49 (0) 89 / 31 57 14 50", "DE", ["+498931571450"]),
        ("\U0001f4de+1 785-632-2922 call us", "US", ["+17856322922"]),
        ("(505) 243-1019 907/274-2739", "US", ["+15052431019", "+19072742739"]),
        ("Tel. 0043 1 5125781", "DE", ["+4315125781"]),
        ("Phone (212) 736-5000, suite 12", "US", ["+12127365000"]),
    ],
)
def test_number_is_found(text, country, expected):
    assert numbers(text, country) == expected


@pytest.mark.parametrize(
    "text",
    [
        "am 12.03.2024 um 10 Uhr",
        "seit 1998-2011 in 80331 München",
        "Bestellnummer 8934521",
        "USt-IdNr. DE129274202",
        "Tel: 2185 1920",  # without its area code nobody can tell where it is
    ],
)
def test_other_numbers_are_left_alone(text):
    assert numbers(text, "DE") == []


@pytest.mark.parametrize(
    ("text", "country", "phone", "fax"),
    [
        ("Tel: 08141 526077\nFax: 08141 526078", "DE", "+498141526077", "+498141526078"),
        ("319-335-0713 (voice) 319-335-3624 (fax)", "US", "+13193350713", "+13193353624"),
    ],
)
def test_fax_is_told_from_telephone(text, country, phone, fax):
    found = find_phones(text, country)

    assert [(one.number, one.is_fax) for one in found] == [(phone, False), (fax, True)]


def test_number_without_a_country_needs_its_code():
    assert numbers("Tel. 089 233000", "") == []
    assert numbers("Tel. +49 89 233000", "") == ["+4989233000"]


def test_number_is_shown_as_people_write_it():
    assert shown_phone(normal_phone("08141 526077", "DE")) == "+49 8141 526077"
    assert shown_phone("nonsense") == "nonsense"


def test_quick_reading_says_what_the_library_says():
    chance, told = random.Random(1), 0
    for _ in range(400):
        digits = "".join(chance.choice("0123456789") for _ in range(chance.randrange(5, 11)))
        written, country = f"0{chance.randrange(1, 10)}{digits}", chance.choice(("DE", "AT", "FR"))
        quick = contacts._quick_number(written, country)
        if quick is not None:
            parsed = phonenumbers.parse(written, country)
            assert phonenumbers.is_valid_number(parsed)
            assert quick == f"+{parsed.country_code}{parsed.national_number}"
            told += 1

    assert told > 50


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("E-Mail: Info@Inn.example.", ["info@inn.example"]),
        ("info (at) inn.example", ["info@inn.example"]),
        ("info [at] inn [dot] example", ["info@inn.example"]),
        ("info{ät}inn.example", ["info@inn.example"]),
        ("meet us at inn.example", []),
        ("logo@2x.png", []),
        ("a@b", []),
    ],
)
def test_mail_is_read(text, expected):
    assert find_mails(text) == expected


def test_each_is_given_once_and_hostile_text_takes_linear_time():
    assert find_mails("a@inn.example, A@inn.example") == ["a@inn.example"]
    assert find_mails("a." * 50_000 + "@") == []
    assert find_phones("1 " * 50_000, "DE") == []
