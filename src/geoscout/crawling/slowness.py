"""Why a crawl is slow: the few figures that explain it, each as a sentence with its weight.

The causes are those a user can act on: politeness towards few hosts, servers that answer slowly,
failures that are tried again, hosts that are left alone, an empty frontier.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from geoscout.frontier.base import HostState, WaitReason
from geoscout.state.base import CrawlView
from geoscout.store.reader import CrawlFigures

_HOSTS_LOOKED_AT = 2000
_RECENT = 300  # responses
_MANY = 0.5  # a share that deserves a sentence
_SLOW_SECONDS = 2.0
_FAILING_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause."""

    cause: str
    sentence: str
    share: float  # of the waiting requests, or of the recent responses; 0 to 1


@dataclass(frozen=True, slots=True)
class Slowness:
    """What the crawl waits for, and what that means."""

    waiting_for: Mapping[str, int]  # waiting requests by reason, the most first
    hosts_ready: int
    response_seconds: float  # the mean time of the last responses
    causes: Sequence[Cause]


_Waiting = tuple[HostState, str]  # a host, and what it waits for


def why_slow(crawl: CrawlView) -> Slowness:
    """The reasons for which requests wait, and sentences about the weighty ones."""
    now = time.time()
    found = (host for host in crawl.frontier.hosts(_HOSTS_LOOKED_AT) if host.waiting)
    hosts = [(host, str(host.waits_for(now)[0])) for host in found]
    reasons: Counter[str] = Counter()
    for host, reason in hosts:
        reasons[reason] += host.waiting
    seconds, failing = _recent(crawl.reader)
    return Slowness(
        dict(reasons.most_common()),
        sum(reason == WaitReason.READY for _, reason in hosts),
        round(seconds, 3),
        [*_about_frontier(hosts, reasons), *_about_servers(seconds, failing)],
    )


def _about_frontier(hosts: Sequence[_Waiting], reasons: Counter[str]) -> list[Cause]:
    total = sum(reasons.values())
    if not total:
        return [
            _cause("empty frontier", "Nothing waits: every link found has been asked for.", 1.0)
        ]
    causes = []
    largest = hosts[0][0]
    first = largest.waiting / total
    if first >= _MANY and len(hosts) > 1:
        sentence = f"{first:.0%} of what waits is on {largest.host}, asked one page at a time."
        causes.append(_cause("one host", sentence, first))
    if len(hosts) == 1:
        sentence = f"Only {largest.host} has pages left, and it is asked one page at a time."
        causes.append(_cause("one host", sentence, 1.0))
    for reason, requests in reasons.most_common():
        share = requests / total
        if reason != WaitReason.READY and share >= _MANY / 5:
            count = sum(waits_for == reason for _, waits_for in hosts)
            sentence = _SENTENCES.get(reason, f"Hosts that are not asked ({reason}): {{count:,}}.")
            causes.append(_cause(reason, sentence.format(count=count), share))
    return causes


def _about_servers(seconds: float, failing: float) -> list[Cause]:
    causes = []
    if seconds >= _SLOW_SECONDS:
        sentence = (
            f"Servers take {seconds:.1f} s for a response, and the pause after it grows with that."
        )
        causes.append(_cause("slow servers", sentence, min(1.0, seconds / 10)))
    if failing >= _FAILING_SHARE:
        sentence = f"{failing:.0%} of the recent attempts failed and are tried again later."
        causes.append(_cause("failures", sentence, failing))
    return causes


def _recent(crawl: CrawlFigures) -> tuple[float, float]:
    """The mean time of the last responses, and the share of failures among the last attempts."""
    responses = crawl.recent(_RECENT)
    failures = crawl.failures_since(min((response.at for response in responses), default=0.0))
    seconds = sum(response.seconds for response in responses) / max(len(responses), 1)
    return seconds, failures / max(len(responses) + failures, 1)


def _cause(cause: str, sentence: str, share: float) -> Cause:
    return Cause(cause, sentence, round(share, 3))


_SENTENCES: dict[str, str] = {
    WaitReason.BUDGET: "Hosts that have had all the requests one host may take: {count:,}.",
    WaitReason.HELD: "Hosts with only links that wait for their registrants: {count:,}.",
    WaitReason.POLITENESS: "Hosts in the pause that politeness asks for: {count:,}.",
    WaitReason.RETRY: "Hosts with only pages that failed and are tried again later: {count:,}.",
}
