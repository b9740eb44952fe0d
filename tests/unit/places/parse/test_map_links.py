import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.parse import parse_html
from geoscout_places.parse.structured import read_reference

SPOT = {"latitude": "48.137", "longitude": "-11.575"}


@pytest.mark.parametrize(
    "reference",
    [
        "geo:48.137,-11.575",
        "GEO:48.137,-11.575,500;u=35?z=12",
        "https://www.google.com/maps/@48.137,-11.575,17z",
        "https://www.google.de/maps/place/Inn/@1.0,2.0,17z/data=!3m1!4b1!3d48.137!4d-11.575",
        "https://www.google.com/maps/embed?pb=!1m18!1m12!1m3!1d2662!2d-11.575!3d48.137!2m3!1f0",
        "https://maps.google.com/?q=48.137,-11.575",
        "//maps.google.com/maps?ll=48.137%2C-11.575&z=14",
        "http://maps.google.co.uk/maps?hl=en&q=loc:48.137,-11.575",
        "https://www.google.com/maps/search/?api=1&query=48.137%2C-11.575",
        "https://www.google.com/maps/dir/?api=1&destination=48.137,-11.575",
        "https://www.google.com/maps/place/48.137,-11.575",
        "https://maps.googleapis.com/maps/api/staticmap?center=48.137,-11.575&zoom=12",
        "https://maps.googleapis.com/maps/api/staticmap?markers=color:red%7C48.137,-11.575",
        "https://www.openstreetmap.org/#map=17/48.137/-11.575",
        "https://www.openstreetmap.org/?mlat=48.137&mlon=-11.575#map=5/1.0/2.0",
        "https://www.openstreetmap.org/export/embed.html?bbox=1,2,3,4&marker=48.137%2C-11.575",
        "https://www.bing.com/maps?cp=48.137~-11.575&lvl=16",
        "https://bing.com/maps/default.aspx?sp=point.48.137_-11.575_Inn",
        "https://maps.apple.com/?ll=48.137,-11.575&q=Inn",
        "https://waze.com/ul?ll=48.137,-11.575&navigate=yes",
        "https://www.waze.com/live-map/directions?to=ll.48.137%2C-11.575",
        "https://wego.here.com/?map=48.137,-11.575,15,normal",
        "https://share.here.com/l/48.137,-11.575,Inn",
    ],
)
def test_services_state_a_spot(reference):
    item = read_reference(reference)

    assert item is not None
    assert dict(item.properties).items() >= SPOT.items()


@pytest.mark.parametrize(
    ("reference", "query"),
    [
        ("https://maps.google.com/?q=Hauptplatz+1%2C+4020+Linz", "Hauptplatz 1, 4020 Linz"),
        ("https://www.google.com/maps/place/Zum+Wirt,+Linz/@48.3,14.3,17z", "Zum Wirt, Linz"),
        ("https://maps.apple.com/?address=Hauptplatz%201,Linz", "Hauptplatz 1,Linz"),
    ],
)
def test_services_state_what_to_look_for(reference, query):
    item = read_reference(reference)

    assert item is not None
    assert dict(item.properties)["query"] == query


@pytest.mark.parametrize(
    "reference",
    [
        "https://www.google.com/search?q=48.137,-11.575",
        "https://example.org/maps/@48.137,-11.575,17z",
        "https://www.openstreetmap.org/about",
        "geo:somewhere",
        "mailto:geo@example.org",
        "",
    ],
)
def test_other_references_are_no_maps(reference):
    assert read_reference(reference) is None


def test_links_frames_and_pictures_of_maps_count_once():
    html = (
        '<a href="https://maps.google.com/?q=1.5,2.5">map</a>'
        '<a href="https://maps.google.com/?q=1.5,2.5">map</a>'
        '<iframe src="https://www.google.com/maps/embed?pb=!2d3.5!3d2.5"></iframe>'
        '<img src="https://maps.googleapis.com/maps/api/staticmap?center=3.5,4.5">'
    )

    found = parse_html(html.encode(), "http://example.org/").items

    assert [dict(item.properties)["latitude"] for item in found] == ["1.5", "2.5", "3.5"]


@given(st.text(alphabet=st.sampled_from("0123456789.,-~|%!@3d4d&=?/"), max_size=200))
def test_any_reference_is_survived(text):
    read_reference("https://www.google.com/maps" + text)
