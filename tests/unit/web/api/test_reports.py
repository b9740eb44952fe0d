from __future__ import annotations

from httpx import Client


def test_reports_are_listed_with_their_strategies(client: Client) -> None:
    (report,) = client.get("/api/reports").json()

    assert report == {"name": "first", "runs": 2, "strategies": ["breadth", "adaptive"]}


def test_a_report_has_its_results_and_files(client: Client) -> None:
    report = client.get("/api/reports/first").json()

    assert report["files"] == ["harvest.png", "report.html", "results.json"]
    assert report["results"]["settings"]["budget"] == 3000


def test_the_page_of_a_report_is_of_no_origin(client: Client) -> None:
    answer = client.get("/api/reports/first/report.html")

    assert answer.headers["content-security-policy"].startswith("sandbox allow-scripts;")


def test_nothing_else_is_served_from_its_folder(client: Client) -> None:
    for file in ("secret.txt", "..%2Flisbon%2Fcrawl.sqlite", "nothing.png"):
        assert client.get(f"/api/reports/first/{file}").status_code == 404
    assert client.get("/api/reports/second").status_code == 404
