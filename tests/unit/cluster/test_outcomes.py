"""What one worker tells the others, and what they make of it."""

from collections.abc import Sequence

import pytest

from geoscout.strategy import LinkOutcome, Scored, Scores, Source, abilities_of
from geoscout.strategy.base import StrategyTraits
from geoscout_cluster.outcomes import NotingStrategy, OutcomeFeed, thinned
from geoscout_cluster.postgres.database import Connection, connect, create_tables, read_address
from geoscout_cluster.postgres.engine import TABLES
from geoscout_places.model import Link, Request


class Listener:
    """Notes what it learns."""

    traits = StrategyTraits(least_share=0.3)

    def __init__(self) -> None:
        self.heard: list[LinkOutcome] = []

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [Scored(0.5) for _ in links]

    def learn(self, outcome: LinkOutcome) -> None:
        self.heard.append(outcome)


@pytest.fixture
def connection(postgres_address):
    with connect(postgres_address) as opened:
        create_tables(opened, read_address(postgres_address), [TABLES])
        opened.execute("INSERT INTO partition (number) SELECT generate_series(0, 2)")
        yield opened


def outcome(number: int, *, relevant: bool = False) -> LinkOutcome:
    request = Request(f"http://a.example/{number}", 0.0, 3, 2, "http://b.example/", features=b"f")
    return LinkOutcome(request, 200, relevant, duplicate=number == 1)


def commit(connection: Connection, lane: NotingStrategy, partition: int) -> None:
    """As a group does: its number is one more when the notes are written."""
    connection.execute("UPDATE partition SET groups = groups + 1 WHERE number = %s", (partition,))
    lane.cut()(connection.cursor())


def test_another_worker_hears_what_was_learned(connection):
    strategy = Listener()
    lane = NotingStrategy(strategy, "ann", 1)
    lane.learn(outcome(1, relevant=True))
    lane.learn(outcome(2))
    commit(connection, lane, 1)

    assert OutcomeFeed("ben").read(connection.cursor()) == strategy.heard
    assert len(strategy.heard) == 2


def test_everything_is_heard_once_and_not_by_its_writer(connection):
    feeds = {name: OutcomeFeed(name) for name in ("ann", "ben")}
    lane = NotingStrategy(Listener(), "ann", 1)
    heard = []
    for number in range(3):
        lane.learn(outcome(number))
        commit(connection, lane, 1)
        heard.append(len(feeds["ben"].read(connection.cursor())))

    assert heard == [1, 1, 1]
    assert feeds["ann"].read(connection.cursor()) == []


def test_a_partition_that_changes_hands_is_heard_on(connection):
    feed = OutcomeFeed("carl")
    for worker in ("ann", "ben"):
        lane = NotingStrategy(Listener(), worker, 1)
        lane.learn(outcome(1))
        commit(connection, lane, 1)

    assert len(feed.read(connection.cursor())) == 2


def test_a_worker_with_a_loaded_model_hears_only_what_comes(connection):
    lane = NotingStrategy(Listener(), "ann", 0)
    lane.learn(outcome(1))
    commit(connection, lane, 0)
    feed = OutcomeFeed.from_now_on(connection.cursor(), "ben")
    assert feed.read(connection.cursor()) == []
    lane.learn(outcome(2))
    commit(connection, lane, 0)

    assert [found.request.url for found in feed.read(connection.cursor())] == ["http://a.example/2"]


def test_a_group_without_outcomes_writes_nothing(connection):
    commit(connection, NotingStrategy(Listener(), "ann", 0), 0)

    assert connection.execute("SELECT count(*) FROM outcome").fetchone() == (0,)


def test_old_rows_are_deleted_by_their_partition(connection):
    lane = NotingStrategy(Listener(), "ann", 0)
    lane.learn(outcome(1))
    commit(connection, lane, 0)
    connection.execute("UPDATE outcome SET at = at - interval '1 hour'")
    lane.learn(outcome(2))
    commit(connection, lane, 0)

    assert connection.execute("SELECT count(*) FROM outcome").fetchone() == (1,)


def test_a_lane_has_the_abilities_of_its_strategy():
    lane = abilities_of(NotingStrategy(Listener(), "ann", 0))

    assert lane.traits.least_share == 0.3
    assert lane.due(5) == 0
    assert lane.save() == b""
    assert lane.rescore([Request("http://a.example/", 0.4)]) == [0.4]


def test_too_much_is_thinned_to_the_relevant_and_a_sample():
    many = [outcome(number, relevant=number % 100 == 0) for number in range(1000)]
    kept = thinned(many, 100)

    assert sum(found.relevant for found in kept) == 10
    assert 90 <= len(kept) <= 100
    numbers = [int(found.request.url.rpartition("/")[2]) for found in kept]
    assert numbers == sorted(numbers)
    assert max(numbers) > 900  # from all of them, not from the first
    assert thinned(many[:50], 100) == many[:50]


class Keeping(Listener):
    """Has something to save."""

    def save(self) -> bytes:
        return b"learned"

    def load(self, state: bytes) -> None:
        pass


def test_a_lane_that_ends_often_saves_once_in_a_while_and_in_the_end():
    lane = NotingStrategy(Keeping(), "ann", 1)
    saved = [lane.save(), lane.save()]
    lane.save_soon()

    assert saved == [b"learned", b""]
    assert lane.save() == b"learned"
