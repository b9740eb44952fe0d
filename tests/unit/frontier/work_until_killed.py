"""A process that works on a frontier, commits group after group, and says so, until it is killed.

python -m tests.unit.frontier.work_until_killed FOLDER
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from geoscout.frontier.frontier import Frontier
from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.store.sqlite.database import open_database
from geoscout_places.model import Request

GROUPS = 400
GROUP_TABLE = "CREATE TABLE IF NOT EXISTS done_group (number INTEGER PRIMARY KEY);"


def work(frontier: Frontier) -> Iterator[int]:
    """Do the same things on every frontier; stops at the end of each group, none in flight."""
    chance = random.Random(7)
    for group in range(1, GROUPS + 1):
        for _ in range(5):
            frontier.put([_request(chance) for _ in range(40)])
            request = frontier.next(group)
            if request is None:
                continue
            outcome = chance.random()
            if outcome < 0.6:
                frontier.done(request, group, 0.5)
            else:
                # Far away: a request whose time comes is moved when the process looks, and
                # two processes look at different times.
                frontier.fail(request, group, 0.5, 1e9 if outcome < 0.8 else None)
        frontier.reprioritise([(_request(chance), chance.random()) for _ in range(5)])
        yield group


def _request(chance: random.Random) -> Request:
    host, page = chance.randrange(200), chance.randrange(500)
    return Request(f"http://host{host}.example/{page}", round(chance.random(), 3), parent="x" * 50)


def main(folder: Path) -> None:
    connection = open_database(folder, [TABLES, GROUP_TABLE])
    frontier = SqliteFrontier(connection)
    for group in work(frontier):
        connection.execute("INSERT INTO done_group VALUES (?)", (group,))
        frontier.flush()
        connection.commit()
        print(group, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
