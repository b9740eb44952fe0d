"""The geoparser as those use it who install nothing else."""

import threading

import pytest

from geoscout_places import Places
from geoscout_places.reading import Document
from tests.pdfs import pdf_of

TEXT = "We moved from Lisbon to Porto."


@pytest.fixture(scope="module")
def places(gazetteer):
    return Places(gazetteer)


def named(places: Places, text: str, name: str) -> str:
    """The place that the first occurrence of a given name means, as a label; "" for none."""
    start = text.index(name)
    (mention,) = places.resolve(text, [(start, start + len(name))])
    return places.gazetteer.label(mention.place) if mention.place else ""


def test_a_text_has_mentions_with_offsets_points_and_a_country(places):
    found = places.read(TEXT)

    assert [(m.text, m.place and m.place.country) for m in found.mentions] == [
        ("Lisbon", "PT"),
        ("Porto", "PT"),
    ]
    assert all(found.text[m.start : m.end] == m.text for m in found.mentions)
    assert found.scope[0].place.country == "PT"


@pytest.mark.parametrize(
    "document",
    [
        "<p>We are at Theaterwall 47, 26122 Oldenburg</p>",
        b"<p>We are at Theaterwall 47, 26122 Oldenburg</p>",
    ],
)
def test_a_page_is_a_string_that_is_said_to_be_html_or_bytes(places, document):
    found = places.read(document, html=True)

    assert found.text == "We are at Theaterwall 47, 26122 Oldenburg"
    assert found.addresses[0].city == "Oldenburg"


def test_a_string_is_plain_text_as_it_stands(places):
    found = places.read("<b>Lisbon")

    assert [(m.start, m.text) for m in found.mentions] == [(3, "Lisbon")]


def test_a_pdf_is_known_by_its_first_bytes(places):
    pytest.importorskip("pypdfium2")

    found = places.read(pdf_of([(72, 700, "The museum of Lisbon")]))

    assert [m.text for m in found.mentions] == ["Lisbon"]


def test_any_bytes_are_survived(places):
    assert places.read(bytes(range(256)) * 3).mentions == ()


def test_what_has_a_point_is_a_feature(places):
    features = places.read("Theaterwall 47, 26122 Oldenburg").as_geojson()["features"]

    assert {f["properties"]["what"] for f in features} == {"toponym", "address"}
    assert all(f["geometry"]["type"] == "Point" for f in features)
    assert all("lat" not in f["properties"] for f in features)


def test_several_processes_give_the_same_in_the_same_order(places):
    texts = [f"Number {n} is in {city}." for n in range(20) for city in ("Lisbon", "Porto")]

    alone, shared = list(places.read_many(texts)), list(places.read_many(texts, processes=2))

    assert [found.as_dict() for found in shared] == [found.as_dict() for found in alone]
    assert len(shared) == 40


def test_documents_may_come_with_their_url_and_without_an_end(places):
    def endless() -> object:
        while True:
            yield Document("http://www.example.de/", b"<p>Oldenburg", "text/html")

    first = next(places.read_many(endless()))  # type: ignore[arg-type]

    assert [m.text for m in first.mentions] == ["Oldenburg"]


def test_threads_may_share_one(places):
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(len(places.read(TEXT).mentions)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [2, 2, 2, 2]


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("The mayor of Paris, Texas, spoke.", "Paris", "Paris, Texas, United States"),
        (
            "Boston and Springfield are in Massachusetts.",
            "Springfield",
            "Springfield, Massachusetts",
        ),
        ("He flew to the U.S. yesterday.", "U.S.", "United States"),
        ("Flooding in the Lake Charles area.", "Lake Charles area", "Lake Charles, Louisiana"),
        ("a tweet about lisbon", "lisbon", "Lisbon"),
        ("PARIS - Police said", "PARIS", "Paris, Île-de-France, France"),
        ("Reading is a city in Lyon County, Kansas.", "Reading", "Reading, Kansas"),
    ],
)
def test_a_given_name_is_resolved_by_its_text(places, text, name, label):
    assert named(places, text, name).startswith(label)


def test_a_given_name_that_no_table_has_is_no_place(places):
    (mention,) = places.resolve("Qwxzyville is nice.", [(0, 10)])

    assert (mention.place, mention.confidence) == (None, 0.0)


def test_a_given_name_of_too_many_places_may_be_left_open(places):
    text = "We met in Springfield."
    (sure,) = places.resolve(text, [(10, 21)])
    (asked,) = places.resolve(text, [(10, 21)], least=0.99)

    assert (sure.place is not None, asked.place, asked.confidence) == (True, None, sure.confidence)


def test_a_mention_says_how_sure_its_name_and_its_place_are(places):
    plain, open_ = (
        places.read(f"We live in {name}.").as_dict()["toponyms"][0]
        for name in ("Lisbon", "Portland")
    )

    assert plain["confidence"] > open_["confidence"]
    assert all(one["confidence"] <= one["name_confidence"] <= 1.0 for one in (plain, open_))


def test_given_names_come_back_in_the_order_given_also_twice(places):
    found = places.resolve(TEXT, [(24, 29), (14, 20), (24, 29)])

    assert [m.text for m in found] == ["Porto", "Lisbon", "Porto"]
    assert found[0] == found[2]


def test_a_name_is_looked_up(places):
    assert places.find("Lisbon", "PT")[0].place.country == "PT"
