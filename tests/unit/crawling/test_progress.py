"""What a crawl has done so far."""

from __future__ import annotations

from geoscout.crawling.progress import Progress


def test_visits_are_counted_in_all_and_by_node() -> None:
    progress = Progress()

    progress.add("north", page=True, relevant=True)
    progress.add("north", page=True, relevant=False)
    progress.add("", page=False, relevant=False)

    assert (progress.visits, progress.pages, progress.relevant) == (3, 2, 1)
    assert progress.nodes == {"north": {"visits": 2, "pages": 2, "relevant": 1}}
    assert progress.harvest == 0.5


def test_harvest_of_nothing_is_nothing() -> None:
    assert Progress().harvest == 0.0
    assert Progress().rate == 0.0
