import orjson

from geoscout.crawling.explain import as_document, explain_url


def test_site_names_what_is_served(client):
    site = client.get("/api/site").json()

    assert [crawl["crawl"] for crawl in site["crawls"]] == ["lisbon"]
    assert site["reports"] == ["first"]


def test_status_has_the_counts_of_the_crawl(client):
    status = client.get("/api/status").json()

    assert (status["visits"], status["pages"], status["running"]) == (7, 7, False)
    assert status["harvest"] == round(status["relevant"] / 7, 4)
    assert status["failures"] == {"timeout": 1}
    assert status["statuses"] == {"200": 8, "404": 2}
    assert status["links_left_out"] == {"nofollow": 3}
    assert status["region"] == ["Lisbon, Portugal", "Lisbon, New Hampshire"]


def test_hosts_say_what_they_wait_for(client):
    hosts = {host["host"]: host for host in client.get("/api/hosts").json()}

    assert hosts["waiting.example"]["reason"] == "ready"
    assert hosts["later.example"]["reason"] == "retry"
    assert 2400 < hosts["later.example"]["seconds"] <= 3600  # the crawl was made a while ago
    assert hosts["closed.example"]["reason"] == "robots.txt"
    assert hosts["pizzaria.example"]["reason"] == "nothing"


def test_frontier_is_counted_by_priority_with_the_best_first(client):
    frontier = client.get("/api/frontier").json()

    assert frontier["best"][0]["url"] == "http://waiting.example/menu"
    assert frontier["best"][0]["parent"] == "http://pizzaria.example/"
    assert sum(bin["requests"] for bin in frontier["bins"]) == 2


def test_slowness_names_its_causes(client):
    slowness = client.get("/api/slowness").json()

    assert slowness["waiting_for"] == {"ready": 1, "retry": 1, "robots.txt": 1}
    assert {cause["cause"] for cause in slowness["causes"]} == {"retry", "robots.txt"}


def test_a_crawl_without_nodes_has_one(client):
    nodes = client.get("/api/nodes").json()

    assert [(node["node"], node["visits"], node["waiting"]) for node in nodes] == [("", 7, 3)]


def test_pages_on_the_map_are_those_with_a_point(client):
    first = client.get("/api/visits", params={"limit": 3}).json()
    rest = client.get("/api/visits", params={"after": first["last"]}).json()

    urls = [page["url"] for page in first["pages"] + rest["pages"]]
    assert "http://pizzaria.example/" in urls
    assert "http://bikes.example/" not in urls
    assert (first["more"], rest["more"]) == (True, False)


def test_a_position_that_no_answer_gave_is_refused(client):
    answer = client.get("/api/visits", params={"after": "yesterday"})

    assert answer.status_code == 400
    assert "not a position in this crawl" in answer.text


def test_region_of_a_crawl_can_be_drawn(client):
    region = client.get("/api/region").json()

    assert region["properties"]["name"].startswith("Lisbon, Portugal; ")
    assert region["geometry"]["coordinates"]


def test_curve_counts_entries_by_the_response_that_named_them(client):
    curve = client.get("/api/curve").json()
    status = client.get("/api/status").json()

    assert curve["visits"] == [1, 2, 3, 4, 5, 6, 7]
    assert (curve["relevant"][-1], curve["seconds"][-1]) == (status["relevant"], 6.0)
    assert curve["entries"] == [0, 0, 0, 1, 1, 1, 2]  # the fourth page has one, and the last
    assert status["entries"] == 2


def read_events(text: str) -> list[tuple[str, dict]]:
    events = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        events.append((name.removeprefix("event: "), orjson.loads(data.removeprefix("data: "))))
    return events


def test_a_finished_crawl_is_told_and_ended(client):
    answer = client.get("/api/events")

    events = read_events(answer.text)
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert [name for name, _ in events] == ["status", "pages", "end"]
    assert events[0][1]["visits"] == events[2][1]["visits"] == 7


def test_only_pages_after_the_last_known_are_told(client):
    (told,) = (
        event for name, event in read_events(client.get("/api/events").text) if name == "pages"
    )

    events = read_events(client.get("/api/events", params={"after": told["last"]}).text)

    assert [name for name, _ in events] == ["status", "end"]


def test_a_cursor_that_nobody_gave_is_a_problem(client):
    response = client.get("/api/events", params={"after": "«"})

    assert response.status_code == 400
    assert "«" in response.json()["detail"]


def test_explanation_is_that_of_the_command(client, site):
    told = client.get("/api/explain", params={"url": "HTTP://Waiting.example/menu"}).json()

    url = "http://waiting.example/menu"
    explanation = as_document(explain_url(site.crawl("").where, url, site.settings))
    assert told == orjson.loads(orjson.dumps(explanation))
    assert (told["url"], told["state"], told["priority"]) == (url, "waiting", 0.7)
    assert "verdict" in told


def test_only_web_addresses_are_explained(client):
    assert client.get("/api/explain", params={"url": "file:///etc/passwd"}).status_code == 400


def test_a_crawl_at_a_glance(client):
    found = client.get("/api/overview").json()

    assert found["pages"] == 7
    assert ("Lisbon", "city") in {(place["name"], place["kind"]) for place in found["places"]}
    assert all(page["relevant"] for page in found["newest"])
    assert found["newest"][0]["n"] == 7


def test_all_pages_on_the_map_are_counted_in_cells(client):
    found = client.get("/api/map/pages").json()

    assert found["is_whole"]
    assert found["pages"] == sum(cell["pages"] for cell in found["cells"]) == 6
    spain = client.get("/api/map/pages", params={"bbox": "-5,40,-3,41"}).json()
    assert [cell["pages"] for cell in spain["cells"]] == [1]


def test_the_box_of_a_cell_is_one_that_can_be_searched(client):
    cells = client.get("/api/map/pages", params={"bbox": "-5,40,-3,41"}).json()["cells"]

    found = client.get("/api/search", params={"bbox": cells[0]["bbox"]}).json()

    assert [hit["title"] for hit in found["hits"]] == ["Pizza in Madrid"]


def test_reports_are_listed_with_their_strategies(client):
    (report,) = client.get("/api/reports").json()

    assert report == {"name": "first", "runs": 2, "strategies": ["breadth", "adaptive"]}


def test_a_report_has_its_results_and_files(client):
    report = client.get("/api/reports/first").json()

    assert report["files"] == ["harvest.png", "report.html", "results.json"]
    assert report["results"]["settings"]["budget"] == 3000


def test_the_page_of_a_report_is_of_no_origin(client):
    answer = client.get("/api/reports/first/report.html")

    assert answer.headers["content-security-policy"].startswith("sandbox allow-scripts;")


def test_nothing_else_is_served_from_its_folder(client):
    for file in ("secret.txt", "..%2Flisbon%2Fcrawl.sqlite", "nothing.png"):
        assert client.get(f"/api/reports/first/{file}").status_code == 404
    assert client.get("/api/reports/second").status_code == 404
