from __future__ import annotations

import pytest

from geoscout.registrations import Contact, RegistrationRecord, make_record, visible

BOSTON = Contact("Boston", "MA", "US")
MESA = Contact("Mesa", "AZ", "US")


@pytest.mark.parametrize(
    "text",
    [
        "REDACTED FOR PRIVACY",
        "Data Protected",
        "GDPR Masked",
        "Statutory Masking Enabled",
        "Not Disclosed",
        "Please query the RDDS service: select request email form",
        "N/A",
        "-",
        "x" * 500,
    ],
)
def test_hidden_part_is_empty(text: str) -> None:
    assert visible(text) == ""


@pytest.mark.parametrize("town", ["Paris", "Saint-Denis", "Null-Neuhof", "Nonesuch", "Ō-saka"])
def test_town_is_visible(town: str) -> None:
    assert visible(f"  {town}\t") == town


def test_administrative_contact_comes_first() -> None:
    record = make_record("a.example", {"registrant": MESA, "admin": BOSTON}, "whois")

    assert record == RegistrationRecord("a.example", "Boston", "MA", "US", "admin", source="whois")


def test_contact_with_a_city_beats_one_without() -> None:
    hidden = Contact("REDACTED FOR PRIVACY", "MA", "US")

    assert make_record("a.example", {"admin": hidden, "registrant": MESA}, "rdap").city == "Mesa"


def test_place_of_a_proxy_is_not_the_holders() -> None:
    proxy = Contact("Tempe", "Arizona", "US", "Domains By Proxy, LLC")

    assert not make_record("a.example", {"registrant": proxy}, "whois").has_place


def test_no_contacts_make_an_empty_record() -> None:
    assert make_record("a.example", {}, "rdap") == RegistrationRecord("a.example", source="rdap")
