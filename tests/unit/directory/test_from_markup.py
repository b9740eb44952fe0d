"""What markup says of businesses."""

import json

import pytest

ADDRESS = {
    "@type": "PostalAddress", "streetAddress": "Augsburger Str. 2", "postalCode": "82256",
    "addressLocality": "Fürstenfeldbruck", "addressCountry": "DE",
}  # fmt: skip


def script(*things: dict[str, object]) -> str:
    return f'<script type="application/ld+json">{json.dumps(things)}</script><p>Welcome</p>'


def test_business_is_an_entry(read_html):
    (entry,) = read_html(
        script({
            "@type": "HairSalon", "name": "A2 Haarstudio", "address": ADDRESS,
            "telephone": "08141 526077",
            "email": "mailto:info@a2.example", "openingHours": "Tu-Fr 09:00-18:00", "url": "https://a2.example/",
        })
    )  # fmt: skip

    assert entry.name == "A2 Haarstudio"
    assert entry.address is not None
    assert (entry.address.street, entry.address.house_number) == ("Augsburger Str.", "2")
    assert entry.address.point is not None
    assert entry.place_id > 0
    assert entry.phones == ("+498141526077",)
    assert entry.mails == ("info@a2.example",)
    assert entry.hours == "Tu-Fr 09:00-18:00"
    assert entry.categories == ("shop=hairdresser",)
    assert (entry.website, entry.is_own) == ("https://a2.example/", False)
    assert entry.evidence == "json-ld"


def test_venue_of_an_event_is_an_entry_and_the_event_is_not(read_html):
    venue = {"@type": "Place", "name": "Kunsthalle", "address": ADDRESS}

    entries = read_html(script({"@type": "Event", "name": "Big Show", "location": venue}))

    assert [entry.name for entry in entries] == ["Kunsthalle"]


def test_town_and_publisher_are_not_entries(read_html):
    where = {"addressLocality": "Olching", "postalCode": "82140"}
    town = {"@type": "Place", "name": "Olching", "address": where}
    publisher = {"@type": "Organization", "name": "Daily"}
    article = {"@type": "Article", "name": "News", "publisher": publisher}

    assert read_html(script(town, article)) == []


def test_person_is_left_out_unless_asked_for(read_html):
    html = script({"@type": "Person", "name": "Anna Weber", "address": ADDRESS})

    assert read_html(html) == []
    assert [entry.name for entry in read_html(html, persons=True)] == ["Anna Weber"]


def test_microformat_with_an_organisation_is_named_by_it(read_html):
    html = (
        '<div class="vcard"><span class="fn">Anna Weber</span>'
        ' <span class="org">Weber Bau GmbH</span>'
        '<div class="adr"><span class="street-address">Augsburger Str. 2</span>'
        '<span class="postal-code">82256</span>'
        ' <span class="locality">Fürstenfeldbruck</span></div></div>'
    )

    assert [entry.name for entry in read_html(html)] == ["Weber Bau GmbH"]


def test_name_that_is_the_title_gives_way_to_the_line_at_the_address(read_html):
    title = "Flugwerft bei München: Alle Infos"
    html = (
        f"<title>{title} - Guide</title>"
        + script({"@type": "LocalBusiness", "name": title, "address": ADDRESS})
        + "<h3>Deutsches Museum Flugwerft</h3><p>Augsburger Str. 2<br>82256 Fürstenfeldbruck</p>"
    )

    assert [entry.name for entry in read_html(html)] == ["Deutsches Museum Flugwerft"]


@pytest.mark.parametrize(
    ("stated", "price"),
    [
        ({"priceRange": "€€"}, "€€"),
        ({"priceRange": "call us for a price that is made for you alone, nobody else"}, ""),
        ({"offers": {"@type": "Offer", "price": "12", "priceCurrency": "EUR"}}, "12 EUR"),
        ({"isAccessibleForFree": "true"}, "free"),
        ({}, ""),
    ],
)
def test_price_is_what_markup_states(read_html, stated, price):
    (entry,) = read_html(script({"@type": "Museum", "name": "Heim", "address": ADDRESS, **stated}))

    assert entry.price == price
