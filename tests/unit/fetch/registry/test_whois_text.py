from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.fetch.whois import contacts_in, referral_in
from geoscout.registrations import Contact

ICANN = """\
Domain Name: EXAMPLE.ORG
Registrant Name: Jane Doe
Registrant Organization: Example Inc.
Registrant City: Boston
Registrant State/Province: MA
Registrant Country: US
Admin City: Cambridge
Admin Country: US
Tech City: Mesa
>>> Last update of whois database: 2026-01-01T00:00:00Z <<<
Name Server: Admin City: Nowhere
"""
HANDLES = """\
%% This is a whois server. Registrant City: Comment
domain:      exemple.fr
holder-c:    EX1-FRNIC
admin-c:     JD7-FRNIC
tech-c:      HO3-FRNIC

nic-hdl:     EX1-FRNIC
contact:     Exemple SARL
address:     12 rue des Lilas
address:     75011 PARIS
country:     FR

nic-hdl:     JD7-FRNIC
person:      Jeanne Dupont
address:     3 quai du Port
address:     13002 Marseille
country:     FR

nic-hdl:     HO3-FRNIC
address:     2 rue Kellermann
address:     59100 Roubaix
country:     FR
"""
SECTIONS = """\
Domain: beispiel.de
Status: connect

[Holder]
Name: Beispiel GmbH
Address: Lange Straße 1
PostalCode: 26122
City: Oldenburg
CountryCode: DE

[Tech-C]
Name: Hostmaster
City: Berlin
CountryCode: DE
"""
NOMINET = """\
    Domain name:
        example.co.uk

    Registrant:
        Example Ltd

    Registrant's address:
        Unit 4
        12 High Street
        Reading
        Berkshire
        RG1 1AA
        United Kingdom
"""


def test_form_of_generic_domains_is_read() -> None:
    contacts = contacts_in(ICANN)

    assert contacts["registrant"] == Contact("Boston", "MA", "US", "Jane Doe; Example Inc.")
    assert contacts["admin"] == Contact("Cambridge", "", "US")
    assert contacts["technical"].city == "Mesa"


def test_handles_lead_to_their_blocks() -> None:
    contacts = contacts_in(HANDLES)

    assert contacts["registrant"] == Contact("PARIS", "", "FR", "Exemple SARL")
    assert contacts["admin"] == Contact("Marseille", "", "FR", "Jeanne Dupont")
    assert contacts["technical"].city == "Roubaix"


def test_headed_sections_are_read() -> None:
    contacts = contacts_in(SECTIONS)

    assert contacts["registrant"] == Contact("Oldenburg", "", "DE", "Beispiel GmbH")
    assert contacts["technical"].city == "Berlin"


def test_british_address_lines_are_read() -> None:
    registrant = contacts_in(NOMINET)["registrant"]

    assert (registrant.city, registrant.country) == ("Reading", "United Kingdom")


@pytest.mark.parametrize(
    ("reply", "server"),
    [
        ("refer:        whois.denic.de", "whois.denic.de"),
        ("   Registrar WHOIS Server: whois.Example.com", "whois.example.com"),
        ("ReferralServer: whois://whois.example.net:43", "whois.example.net"),
        ("whois: ", ""),
        ("Whois Server: whois.example.com:25", ""),
        ("Whois Server: localhost", ""),
        ("Whois Server: a.example\nrefer: b.example", "a.example"),
        ("% refer: whois.comment.example", ""),
        ("Registrar WHOIS Server: http://bad.example/path?x", ""),
    ],
)
def test_referral(reply: str, server: str) -> None:
    assert referral_in(reply) == server


@given(st.text(max_size=300))
def test_any_text_is_survived(text: str) -> None:
    contacts_in(text)
    referral_in(text)


@pytest.mark.parametrize("piece", [" ", ":", "a: ", "[", "Admin City", "0" * 5 + " "])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    started = time.process_time()

    contacts_in(piece * (65_536 // len(piece)))

    assert time.process_time() - started < 1.0
