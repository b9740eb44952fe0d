"""Writes made-up visits to a store for ever, telling after each commit how many are safe.

Run as a program by `test_crash.py`, which kills it. Pages repeat, so that there are revisits, and
archive files are small, so that new ones are begun all the time.
"""

import random
import sys
from pathlib import Path

from geoscout.store.base import Visit
from geoscout_places.model import Request, Response
from tests.stores import Store

LARGEST_FILE = 50_000  # bytes
WAITING = "CREATE TABLE IF NOT EXISTS waiting (n INTEGER PRIMARY KEY);"


def made_up(n: int) -> Visit:
    """The visit of a number is the same in every run."""
    chance = random.Random(n // 2 if n % 5 == 0 else n)
    body = chance.randbytes(chance.randrange(3000))
    url = f"http://a.example/{n}"
    return Visit(Request(url), Response(url, 200, (), body, "", fetched_at=float(n), seconds=0.0))


def main(folder: Path) -> None:
    store = Store(folder, tables=[WAITING], largest_file=LARGEST_FILE)
    n = sum(1 for _ in store.visits())
    while True:
        for _ in range(random.randrange(1, 20)):
            n += 1
            store.database.execute("INSERT INTO waiting VALUES (?)", (n,))
            store.add(made_up(n))
        store.commit()
        print(n, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
