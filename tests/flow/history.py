"""What a history of a cluster says: overlaps, losses, doubles and late writes.

    python -m tests.flow.history FILE

A history is a file of JSON lines, each an event with `what` it was and `at` which time, in seconds
of the machine's steady clock. This reads nothing else, and knows no code of geoscout. `by` is a
process, `p` a partition, `e` the epoch of a claim, `g` the number of a group of visits.

    begun      crawl                      what follows is of a new crawl
    page       url                        there is such a page
    request    host address url until status pause          the web answered, or was left at `until`
    fetch      by p e url                 a worker asks for a page
    committed  by p e g urls              a worker was told by PostgreSQL that a group lasts
    row        p e g owner until          PostgreSQL changed the row of a partition, in this order
    kept       p e g url                  a visit as it is stored in the end, and by whom
    ended      whole                      the crawl has ended; `whole`: by itself
    harm       did                        what was done to it

Every change of a lease is a `row`: a claim has a new epoch, a commit a new group, all others make
the lease longer or give it back (`until` is 0).
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

Event = dict[str, Any]
OVERLAP, HASTE, LOSS, DOUBLE, LATE = "overlap", "haste", "loss", "double", "late write"
_TICK = 0.005  # seconds: two processes do not read the clock at one moment
_MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that must not be."""

    kind: str
    text: str


@dataclass(slots=True)
class Verdict:
    """What a history says."""

    findings: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    shortest_pause: float = float("inf")  # as a share of the pause that was due
    longest_takeover: float = 0.0  # seconds from the end of a lease to the next claim

    def __str__(self) -> str:
        counts = ", ".join(f"{count:,} {what}" for what, count in self.counts.items())
        found = Counter(finding.kind for finding in self.findings)
        kinds = (OVERLAP, HASTE, LOSS, DOUBLE, LATE)
        return "\n".join([
            counts,
            f"shortest pause: {self.shortest_pause:.3f} of what was due",
            f"longest takeover: {self.longest_takeover:.1f} s after the end of a lease",
            ", ".join(f"{kind} {found[kind]}" for kind in kinds),
            *(f"{each.kind}: {each.text}" for each in self.findings[:_MOST_SHOWN]),
        ])  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Claim:
    at: float
    epoch: int
    owner: str


def read_history(path: Path) -> Iterator[Event]:
    """The events of a file; a last line that was cut off by a kill is left out."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):
                yield json.loads(line)


def check_history(events: Iterable[Event]) -> Verdict:
    """Look at every crawl of a history."""
    verdict = Verdict()
    crawl: list[Event] = []
    for event in events:
        if event["what"] == "begun" and crawl:
            _check_crawl(crawl, verdict)
            crawl = []
        crawl.append(event)
    _check_crawl(crawl, verdict)
    return verdict


def _check_crawl(events: list[Event], verdict: Verdict) -> None:
    by_what: defaultdict[str, list[Event]] = defaultdict(list)
    for event in events:
        by_what[event["what"]].append(event)
    claims = _claims(by_what["row"])
    for what in ("page", "request", "fetch", "committed"):
        verdict.counts[f"{what}s" if what != "committed" else "commits heard of"] += len(
            by_what[what]
        )
    verdict.counts["commits"] += len(_commits(by_what["row"]))
    verdict.counts["claims"] += sum(map(len, claims.values()))
    verdict.counts["rows of leases"] += len(by_what["row"])
    verdict.counts["visits kept"] += len(by_what["kept"])
    verdict.counts["crawls"] += len(by_what["ended"])
    verdict.counts["harms"] += len(by_what["harm"])
    for found in (
        _overlapping_requests(by_what["request"]),
        _hasty_requests(by_what["request"], verdict),
        _overlapping_leases(by_what["row"], verdict),
        _late_fetches(by_what["fetch"], claims),
        _losses(by_what),
        _missing_groups(by_what["row"]),
        _doubles(by_what["kept"]),
        _late_writes(by_what, claims),
    ):
        verdict.findings += found


def _claims(rows: Iterable[Event]) -> dict[int, list[_Claim]]:
    """The claims of each partition, in their order."""
    claims: defaultdict[int, list[_Claim]] = defaultdict(list)
    for row in rows:
        known = claims[row["p"]]
        if row["e"] > (known[-1].epoch if known else 0):
            known.append(_Claim(row["at"], row["e"], row["owner"]))
    return claims


def _commits(rows: Iterable[Event]) -> list[tuple[int, int, int, float]]:
    """Partition, group, epoch and time of each commit, as PostgreSQL has them."""
    last: Counter[int] = Counter()
    commits = []
    for row in rows:
        if row["g"] != last[row["p"]]:
            last[row["p"]] = row["g"]
            commits.append((row["p"], row["g"], row["e"], row["at"]))
    return commits


def _overlapping_requests(requests: Iterable[Event]) -> Iterator[Finding]:
    """Two requests at a time, at one host or address."""
    for name, group in _by_server(requests):
        last: Event | None = None  # of those so far the one that ended last
        for request in group:
            if last is not None and request["at"] < last["until"] - _TICK:
                text = f"{request['url']} at {request['at']:.3f} while {last['url']} was under way"
                yield Finding(OVERLAP, f"{name}: {text} until {last['until']:.3f}")
            if last is None or request["until"] > last["until"]:
                last = request


def _hasty_requests(requests: Iterable[Event], verdict: Verdict) -> Iterator[Finding]:
    """A request too soon after an answer; one that was left tells late that it was."""
    for name, group in _by_server(requests):
        for first, second in pairwise(group):
            if first["status"] and first["pause"]:
                pause = second["at"] - first["until"]
                verdict.shortest_pause = min(verdict.shortest_pause, pause / first["pause"])
                if pause < first["pause"] - _TICK:
                    yield Finding(HASTE, f"{name}: {second['url']} after {pause:.3f} s")


def _by_server(requests: Iterable[Event]) -> Iterator[tuple[str, list[Event]]]:
    groups: defaultdict[str, list[Event]] = defaultdict(list)
    for request in requests:
        for kind in ("host", "address"):
            groups[f"{kind} {request[kind]}"].append(request)
    for name, group in groups.items():
        yield name, sorted(group, key=itemgetter("at"))


def _overlapping_leases(rows: Iterable[Event], verdict: Verdict) -> Iterator[Finding]:
    """A claim before the lease of the owner before had ended."""
    last: dict[int, Event] = {}
    for row in rows:
        before = last.get(row["p"])
        is_claim = before is not None and row["e"] > before["e"]
        if is_claim and before and before["until"]:
            took = row["at"] - before["until"]
            verdict.longest_takeover = max(verdict.longest_takeover, took)
        if is_claim and before and row["at"] < before["until"] - _TICK:
            text = f"claimed with epoch {row['e']} at {row['at']:.3f}, leased until"
            yield Finding(OVERLAP, f"partition {row['p']} {text} {before['until']:.3f}")
        last[row["p"]] = row


def _late_fetches(fetches: Iterable[Event], claims: dict[int, list[_Claim]]) -> Iterator[Finding]:
    """A fetch by an owner that another one had replaced."""
    for fetch in fetches:
        for claim in claims.get(fetch["p"], ()):
            if claim.epoch > fetch["e"] and fetch["at"] > claim.at + _TICK:
                text = f"{fetch['url']} by epoch {fetch['e']} at {fetch['at']:.3f}"
                claimed = f"epoch {claim.epoch} was claimed at {claim.at:.3f}"
                yield Finding(OVERLAP, f"partition {fetch['p']}: {text}, {claimed}")
                break


def _losses(by_what: dict[str, list[Event]]) -> Iterator[Finding]:
    """What should be there and is not."""
    kept = {event["url"] for event in by_what["kept"]}
    for event in by_what["committed"]:
        for url in event["urls"]:
            if url not in kept:
                text = f"{url} of partition {event['p']}, group {event['g']}"
                yield Finding(LOSS, f"{text} was told to last")
    for event in by_what["ended"]:
        if not event["whole"]:
            why = event.get("why", "")
            yield Finding(LOSS, f"the crawl did not come to its end: {why}".removesuffix(": "))
    if any(event["whole"] for event in by_what["ended"]):
        for event in by_what["page"]:
            if event["url"] not in kept:
                yield Finding(LOSS, f"{event['url']} was never kept")


def _missing_groups(rows: Iterable[Event]) -> Iterator[Finding]:
    """A commit that follows one which PostgreSQL does not have."""
    last: Counter[int] = Counter()
    for partition, group, _, _ in _commits(rows):
        if group != last[partition] + 1:
            text = f"group {group} follows group {last[partition]}"
            yield Finding(LOSS, f"partition {partition}: {text}")
        last[partition] = group


def _doubles(kept: Iterable[Event]) -> Iterator[Finding]:
    """What is there more than once."""
    for url, count in Counter(event["url"] for event in kept).items():
        if count > 1:
            yield Finding(DOUBLE, f"{url} is kept {count} times")


def _late_writes(
    by_what: dict[str, list[Event]], claims: dict[int, list[_Claim]]
) -> Iterator[Finding]:
    """What an owner wrote that had been replaced, or never was one."""
    wrote = {}
    for partition, group, epoch, at in _commits(by_what["row"]):
        wrote[partition, group] = epoch
        for claim in claims[partition]:
            if claim.epoch > epoch and at > claim.at:
                text = f"group {group} by epoch {epoch} at {at:.3f}"
                yield Finding(LATE, f"partition {partition}: {text} after epoch {claim.epoch}")
                break
    for what in ("committed", "kept"):
        for event in by_what[what]:
            epoch = wrote.get((event["p"], event["g"]))
            if epoch is not None and epoch != event["e"]:
                text = f"group {event['g']} is of epoch {epoch}, and {what} by epoch {event['e']}"
                yield Finding(LATE, f"partition {event['p']}: {text}")
            elif epoch is None:
                text = f"no group {event['g']}, which epoch {event['e']} has {what}"
                yield Finding(LOSS, f"partition {event['p']}: {text}")


def main() -> int:
    verdict = check_history(read_history(Path(sys.argv[1])))
    print(verdict)
    return 1 if verdict.findings else 0


if __name__ == "__main__":
    sys.exit(main())
