from tests.unit.web.world import HOSTILE_URL

PIZZARIA = {"url": "http://pizzaria.example/"}
MAIN_STREET = {"url": "http://lisbon-nh.example/"}


def test_page_says_why_it_is_relevant(client):
    page = client.get("/api/page", params=MAIN_STREET).json()

    assert page["why"][0].startswith("It is relevant: it has the address “12 Main Street")
    assert "12 Main Street" in page["why"][1]
    assert page["addresses"][0]["inside"] is True


def test_page_without_an_address_is_about_its_scope(client):
    page = client.get("/api/page", params=PIZZARIA).json()

    assert "Lisbon" in [place["name"] for place in page["places"] if place["inside"]]
    assert any(sentence.endswith("which lies in the region.") for sentence in page["why"])


def test_marks_are_where_the_places_stand(client):
    page = client.get("/api/page", params=MAIN_STREET).json()

    marked = {page["text"][mark["start"] : mark["end"]]: mark["kind"] for mark in page["marks"]}
    assert marked["Lisbon"] == "place"
    assert "address" in marked.values()


def test_page_can_be_asked_for_by_its_visit(client):
    page = client.get("/api/page", params={"n": 1}).json()

    assert page["visit"]["url"] == PIZZARIA["url"]


def test_links_have_their_outcome(client):
    links = client.get("/api/links", params=PIZZARIA).json()

    states = {link["url"]: link["state"] for link in links["out"]}
    assert states["http://forno.example/"] == "fetched"
    assert states["http://waiting.example/menu"] == "waiting"
    assert links["into"] == ["http://forno.example/"]
    assert links["looked_at"] == links["pages"]


def test_copy_neither_runs_nor_loads(client):
    copy = client.get("/api/copy", params={"url": HOSTILE_URL})

    assert copy.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert "outside.example" not in copy.text
    assert "javascript:" not in copy.text.lower()
    assert "<script" not in copy.text.lower()
    assert "onload" not in copy.text.lower().replace("&lt;", "")


def test_a_page_is_sent_as_markdown(client):
    page = client.get("/api/pages/1.md")

    assert page.headers["content-type"].startswith("text/markdown")
    assert "Our pizza restaurant is in the old town of Lisbon" in page.text
    assert "<" not in page.text
    assert client.get("/api/pages/999.md").status_code == 404
    assert client.get("/api/pages/x.md").status_code == 422


def test_text_of_a_huge_page_is_cut(client):
    page = client.get("/api/page", params={"url": HOSTILE_URL}).json()

    assert page["text_is_cut"] is True
    assert len(page["text"]) <= 60_000


def test_what_was_not_fetched_is_not_found(client):
    for asked in ({"url": "http://nowhere.example/"}, {"n": 99}):
        assert client.get("/api/page", params=asked).status_code == 404


def test_a_page_needs_an_address(client):
    answer = client.get("/api/page", params={"url": "javascript:alert(1)"})

    assert (answer.status_code, "http(s) URL" in answer.json()["detail"]) == (400, True)


def test_places_of_a_text_are_found(client):
    answer = client.post("/api/geoparse", json={"text": "We met in Lisbon, Portugal."}).json()

    assert [found["name"] for found in answer["toponyms"]][:1] == ["Lisbon"]
    assert answer["scope"][0]["name"] == "Lisbon"
    assert answer["labels"][str(answer["toponyms"][0]["id"])] == "Lisbon, Portugal"


def test_offsets_of_html_count_in_the_text_of_the_answer(client):
    answer = client.post("/api/geoparse", json={"html": "<p>In <b>Lisbon</b>, Portugal</p>"}).json()

    first = answer["toponyms"][0]
    assert answer["text"][first["start"] : first["end"]] == "Lisbon"


def test_one_of_text_and_html_is_needed(client):
    assert client.post("/api/geoparse", json={}).status_code == 400
    assert client.post("/api/geoparse", json={"text": "a", "html": "b"}).status_code == 400


def test_what_is_too_long_is_refused(client):
    long = client.post("/api/geoparse", json={"text": "a" * 1_000_001})
    huge = client.post("/api/geoparse", content=b"x" * 3_000_000)

    assert (long.status_code, huge.status_code) == (422, 413)
    assert "2,097,152 bytes" in huge.json()["detail"]


def test_pages_are_related_by_their_places(client):
    related = client.get("/api/pages/1/related", params={"limit": 3}).json()

    assert related["place"]["name"] in ("Lisbon", "Alfama")
    assert "http://forno.example/" in [page["url"] for page in related["near"]]
    distances = [page["distance_km"] for page in related["near"]]
    assert distances == sorted(distances)
    assert client.get("/api/pages/999/related").status_code == 404
