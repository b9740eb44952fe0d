from __future__ import annotations

from httpx import Client


def test_site_names_what_is_served(client: Client) -> None:
    site = client.get("/api/site").json()

    assert [crawl["crawl"] for crawl in site["crawls"]] == ["lisbon"]
    assert site["reports"] == ["first"]


def test_status_has_the_counts_of_the_crawl(client: Client) -> None:
    status = client.get("/api/status").json()

    assert (status["visits"], status["pages"], status["running"]) == (7, 7, False)
    assert status["harvest"] == round(status["relevant"] / 7, 4)
    assert status["failures"] == {"timeout": 1}
    assert status["statuses"] == {"200": 8, "404": 2}
    assert status["links_left_out"] == {"nofollow": 3}
    assert status["region"] == ["Lisbon, Portugal", "Lisbon, New Hampshire"]


def test_curve_ends_with_the_totals(client: Client) -> None:
    curve = client.get("/api/curve").json()
    status = client.get("/api/status").json()

    assert (curve["visits"][-1], curve["relevant"][-1]) == (7, status["relevant"])
    assert curve["seconds"][-1] == 6.0


def test_hosts_say_what_they_wait_for(client: Client) -> None:
    hosts = {host["host"]: host for host in client.get("/api/hosts").json()}

    assert hosts["waiting.example"]["reason"] == "ready"
    assert hosts["later.example"]["reason"] == "retry"
    assert 2400 < hosts["later.example"]["seconds"] <= 3600  # the crawl was made a while ago
    assert hosts["closed.example"]["reason"] == "robots.txt"
    assert hosts["pizzaria.example"]["reason"] == "nothing"


def test_frontier_is_counted_by_priority_with_the_best_first(client: Client) -> None:
    frontier = client.get("/api/frontier").json()

    assert frontier["best"][0]["url"] == "http://waiting.example/menu"
    assert frontier["best"][0]["parent"] == "http://pizzaria.example/"
    assert sum(bin["requests"] for bin in frontier["bins"]) == 2


def test_slowness_names_its_causes(client: Client) -> None:
    slowness = client.get("/api/slowness").json()

    assert slowness["waiting_for"] == {"ready": 1, "retry": 1, "robots.txt": 1}
    assert {cause["cause"] for cause in slowness["causes"]} == {"retry", "robots.txt"}


def test_a_crawl_without_nodes_has_one(client: Client) -> None:
    nodes = client.get("/api/nodes").json()

    assert [(node["node"], node["visits"], node["waiting"]) for node in nodes] == [("", 7, 3)]


def test_pages_on_the_map_are_those_with_a_point(client: Client) -> None:
    first = client.get("/api/visits", params={"limit": 3}).json()
    rest = client.get("/api/visits", params={"after": first["last"]}).json()

    urls = [page["url"] for page in first["pages"] + rest["pages"]]
    assert "http://pizzaria.example/" in urls
    assert "http://bikes.example/" not in urls
    assert (first["more"], rest["more"]) == (True, False)


def test_a_position_that_no_answer_gave_is_refused(client: Client) -> None:
    answer = client.get("/api/visits", params={"after": "yesterday"})

    assert answer.status_code == 400
    assert "not a position in this crawl" in answer.text


def test_region_of_a_crawl_can_be_drawn(client: Client) -> None:
    region = client.get("/api/region").json()

    assert region["properties"]["name"].startswith("Lisbon, Portugal; ")
    assert region["geometry"]["coordinates"]


def test_a_crawl_in_a_folder_has_neither_workers_nor_partitions(client: Client) -> None:
    found = client.get("/api/workers").json()

    assert found == {"ended": False, "workers": [], "partitions": []}


def test_curve_counts_entries_by_the_response_that_named_them(client: Client) -> None:
    curve = client.get("/api/curve").json()
    status = client.get("/api/status").json()

    assert curve["visits"] == [1, 2, 3, 4, 5, 6, 7]
    assert curve["entries"] == [0, 0, 0, 1, 1, 1, 2]  # the fourth page has one, and the last
    assert status["entries"] == 2
