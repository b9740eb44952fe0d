"""A job that is not a crawl, by the engine of the cluster: words are counted by their first letter.

Any number of processes call `work` with one address. They share the partitions, and when one is
killed the others take what it had: each word is counted once.
"""

from collections import Counter
from collections.abc import Iterable

from geoscout_cluster.engine import base, exchange, leases, roster
from geoscout_cluster.postgres.database import connect, create_tables, read_address

COUNTS = "CREATE TABLE count (word text PRIMARY KEY, times integer NOT NULL)"
ADD = """INSERT INTO count VALUES (%s, %s)
ON CONFLICT (word) DO UPDATE SET times = count.times + excluded.times"""


def begin(address: str, words: Iterable[str], partitions: int = 4) -> None:
    """Make the job: its partitions, and the words of each."""
    with connect(address) as connection, connection.cursor() as cursor:
        create_tables(connection, read_address(address), [base.TABLES, COUNTS])
        cursor.executemany(
            "INSERT INTO partition (number) VALUES (%s)", [(n,) for n in range(partitions)]
        )
        sent = ((ord(word[0]) % partitions, word) for word in words)
        exchange.send_from_outside(cursor, sent, lambda some: " ".join(some).encode())


def work(address: str) -> int:
    """Count until nothing is left; returns how many words this process has counted."""
    counted, held = 0, []
    me = roster.Identity(leases.this_process(), "here", "1")
    with connect(address) as connection:
        while True:
            with connection.transaction(), connection.cursor() as cursor:
                if roster.say_alive(cursor, me, 10.0, 30.0, {}).has_ended:
                    return counted
                if lease := leases.claim(cursor, me.name):
                    held.append(lease)
            for lease in held:
                with connection.transaction(), connection.cursor() as cursor:
                    if leases.renew(cursor, lease):  # else another has taken it over
                        counted += count(cursor, lease)


def count(cursor, lease: leases.Lease) -> int:
    """Count what was sent to a partition; one transaction covers all of it."""
    inbox = exchange.Inbox.open(cursor, lease.partition)
    packed = inbox.take(exchange.waiting_parcels(cursor, [inbox]))
    words = Counter(b" ".join(packed).decode().split())
    cursor.executemany(ADD, list(words.items()))
    inbox.cut()(cursor)
    rest = "" if words else "empty"
    roster.say_rest(
        cursor, {"number": lease.partition, "epoch": lease.epoch, "rest": rest, "granted": None}
    )
    return words.total()
