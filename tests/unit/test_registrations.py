import pytest

from geoscout.registrations import (
    Contact,
    RegistrationRecord,
    make_record,
    read_registrations,
    registration_of,
    visible,
    write_registrations,
)
from geoscout_places.errors import UsageError

RECORD = RegistrationRecord("example.co.uk", "Reading", "", "GB", "admin", source="whois")


def test_table_is_read_as_it_was_written(tmp_path):
    write_registrations(tmp_path / "table.tsv", [RECORD])

    assert read_registrations(tmp_path / "table.tsv") == {"example.co.uk": RECORD}


def test_columns_may_be_few(tmp_path):
    (tmp_path / "table.tsv").write_text("domain\tcity\na.example\tOldenburg\n")

    record = read_registrations(tmp_path / "table.tsv")["a.example"]
    assert record == RegistrationRecord("a.example", "Oldenburg", source="table")


def test_tabs_and_line_breaks_do_not_break_the_table(tmp_path):
    write_registrations(tmp_path / "t.tsv", [RegistrationRecord("a.example", "Old\tTown\n")])

    assert read_registrations(tmp_path / "t.tsv")["a.example"].city == "Old Town"


@pytest.mark.parametrize("text", ["", "city\nOldenburg\n", "domain\tcolour\n"])
def test_other_table_is_refused(tmp_path, text):
    (tmp_path / "table.tsv").write_text(text)

    with pytest.raises(UsageError, match="line one must name columns"):
        read_registrations(tmp_path / "table.tsv")


def test_missing_table_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot read"):
        read_registrations(tmp_path / "none.tsv")


def test_record_is_found_by_any_host_of_the_domain():
    records = {"example.co.uk": RECORD}

    assert registration_of("www.shop.example.co.uk", records) == RECORD
    assert registration_of("other.co.uk", records) is None


def test_record_without_parts_has_no_place():
    assert RECORD.has_place
    assert not RegistrationRecord("a.example").has_place


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
def test_hidden_part_is_empty(text):
    assert visible(text) == ""


@pytest.mark.parametrize("town", ["Paris", "Saint-Denis", "Null-Neuhof", "Nonesuch", "Ō-saka"])
def test_town_is_visible(town):
    assert visible(f"  {town}\t") == town


def test_administrative_contact_comes_first():
    record = make_record("a.example", {"registrant": MESA, "admin": BOSTON}, "whois")

    assert record == RegistrationRecord("a.example", "Boston", "MA", "US", "admin", source="whois")


def test_contacts_are_not_mixed():
    state, hoster = Contact("REDACTED FOR PRIVACY", "MA", "US"), Contact("Berlin", "", "DE")
    contacts = {"technical": hoster, "registrant": state, "admin": Contact("redacted")}

    record = make_record("a.example", contacts, "rdap")

    assert record == RegistrationRecord("a.example", "", "MA", "US", "registrant", source="rdap")
    assert make_record("a.example", {"technical": hoster}, "rdap").city == "Berlin"


def test_place_of_a_proxy_is_not_the_holders():
    proxy = Contact("Tempe", "Arizona", "US", "Domains By Proxy, LLC")

    assert not make_record("a.example", {"registrant": proxy}, "whois").has_place


def test_no_contacts_make_an_empty_record():
    assert make_record("a.example", {}, "rdap") == RegistrationRecord("a.example", source="rdap")
