def test_a_name_may_mean_several_places(client):
    found = client.get("/api/places", params={"name": "Lisbon", "limit": 20}).json()

    assert found[0]["label"] == "Lisbon, Portugal"
    assert "Lisbon, New Hampshire, United States" in [place["label"] for place in found]


def test_an_unknown_name_gets_suggestions(client):
    answer = client.get("/api/places", params={"name": "Lisbonn"})

    assert answer.status_code == 404
    assert any("Lisbon" in text for text in answer.json()["suggestions"])


def test_the_end_of_a_text_is_completed_with_as_many_words_as_a_name_has(client):
    for text, name, start in (("pizza in lis", "Lisbon", 9), ("hotel new yor", "New York", 6)):
        first = client.get("/api/places/complete", params={"text": text}).json()[0]

        assert (first["place"]["name"].startswith(name), first["start"]) == (True, start)


def test_hierarchy_goes_down_to_where_pages_are(client):
    top = client.get("/api/hierarchy").json()
    europe = next(
        node["place"]["id"] for node in top["children"] if node["place"]["name"] == "Europe"
    )

    branch = client.get("/api/hierarchy", params={"place": europe}).json()

    counts = {node["place"]["name"]: node["pages"] for node in branch["children"]}
    assert counts["Portugal"] >= 3
    assert "Norway" not in counts


def test_outline_of_a_country_is_known_and_of_a_town_estimated(client):
    country = client.get("/api/places/2264397/outline").json()
    town = client.get("/api/places/2267057/outline").json()

    assert (country["properties"]["name"], country["properties"]["estimated"]) == (
        "Portugal",
        False,
    )
    assert (town["properties"]["name"], town["properties"]["estimated"]) == ("Lisbon", True)
    assert all(line[0] == line[-1] for line in town["geometry"]["coordinates"])


def test_a_place_that_is_not_there_is_a_problem(client):
    assert client.get("/api/places/1").status_code == 404


def test_countries_come_packed_with_their_outlines(client):
    answer = client.get("/api/map/countries")

    assert answer.headers["content-encoding"] == "gzip"
    assert len(answer.json()) > 200
    assert all(country["rings"] for country in answer.json())


def test_regions_are_those_in_view(client):
    found = client.get("/api/map/regions", params={"bbox": "-98,30,-97,31"}).json()

    assert [region["name"] for region in found] == ["Texas"]


def test_regions_are_found_across_the_antimeridian(client):
    found = client.get("/api/map/regions", params={"bbox": "170,62,-170,70"}).json()

    assert "Chukotka" in " ".join(region["name"] for region in found)


def test_labels_have_the_large_places_first(client):
    asked = {"bbox": "-10,36,-6,42", "zoom": 7}

    found = client.get("/api/map/labels", params=asked).json()

    towns = [label["name"] for label in found if label["kind"] == "city"]
    assert towns[:2] == ["Lisbon", "Porto"]
    assert len(towns) <= 120


def test_a_box_that_is_none_is_a_problem(client):
    for box in ("1,2,3", "0,50,0,40", "a,b,c,d", "0,0,0,91", "nan,0,0,0"):
        answer = client.get("/api/map/regions", params={"bbox": box})

        assert (box, answer.status_code) == (box, 400)
