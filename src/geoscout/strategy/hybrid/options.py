"""The options of the hybrid, their ranges, and the signals it can do without."""

from __future__ import annotations

from dataclasses import dataclass

from geoscout.strategy.hybrid.histories import GROUPS
from geoscout_places.errors import UsageError
from geoscout_places.plugins import PluginOptions, setting

# Signals that are numbers, in the order in which the hybrid has them, and those that are terms.
NUMBERS = (*(f"{group} history" for group in GROUPS), "distance", "new host", "cue", "registrant")
AIMS = ("pages", "entities")
TERMS = ("host", "path", "anchor", "around", "list", "part")


@dataclass(frozen=True, slots=True)
class Habits:
    """How it learns and chooses; chosen on webs that were used for nothing else.

    Each is worth at most 3 % of what a crawl finds (docs/results/hybrid.md), so users have no say.
    """

    step: float = 0.5  # how large its steps of learning are at first
    future: float = 0.15  # weight of what a page leads to, besides what it is
    credit: float = 0.5  # what one more page on the way leaves of the credit
    credit_steps: int = 4  # pages on the way that are credited
    rescore_every: int = 5  # responses between two orderings of what waits, in the first 500
    rescore_most: int = 150  # links that are scored again, mostly
    explore: float = 0.01  # share of links to hosts not yet seen that go first
    distance_after: int = 3  # relevant pages before it learns how much link distance counts
    tires_after: float = 100.0  # responses with nothing new that halve a domain's worth; 0: none


@dataclass(frozen=True, slots=True)
class HybridOptions(PluginOptions):
    """What it values, and what it does without."""

    aim: str = setting("pages", "what counts: relevant pages, or entities that are new")
    patience: float = setting(
        0.2, "links with less than this share of the best score that can be fetched in seconds wait"
    )
    registrations: str = setting("", "a table of the registrants of domains; empty for none")
    without: str = setting("", "signals it does without, joined by +, to see how much each helps")

    @property
    def left_out(self) -> frozenset[str]:
        """The signals it does without."""
        return frozenset(filter(None, self.without.split("+")))


def check_hybrid_options(options: HybridOptions) -> None:
    """Complain about what cannot be.

    Raises:
        UsageError: an option is out of its range, or there is no such signal to leave out.
    """
    if options.aim not in AIMS:
        raise UsageError(f"aim is one of {', '.join(AIMS)}, not {options.aim!r}")
    if not 0 <= options.patience <= 1:
        raise UsageError(f"patience is from 0 to 1, not {options.patience}")
    for name in sorted(options.left_out - {*NUMBERS, *TERMS}):
        known = ", ".join((*NUMBERS, *TERMS))
        raise UsageError(f"hybrid has no signal {name!r} to leave out; it has: {known}")
