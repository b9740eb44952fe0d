"""The options of the hybrid, their ranges, and the signals it can do without."""

from __future__ import annotations

from dataclasses import dataclass

from geoscout.errors import UsageError
from geoscout.plugins import PluginOptions, setting
from geoscout.strategy.hybrid.histories import GROUPS

# Signals that are numbers, in the order in which the hybrid has them, and those that are terms.
NUMBERS = (*(f"{group} history" for group in GROUPS), "distance", "new host", "cue", "registrant")
AIMS = ("pages", "entities")
TERMS = ("host", "path", "anchor", "around", "list", "part")


@dataclass(frozen=True, slots=True)
class HybridOptions(PluginOptions):
    """How it learns and what it values."""

    aim: str = setting("pages", "what counts: relevant pages, or entities that are new")
    step: float = setting(0.5, "how large its steps of learning are at first")
    window: int = setting(
        0, "words of the text on either side of a link that are read as terms", "words"
    )
    future: float = setting(0.15, "weight of what a page leads to, besides what it is")
    credit: float = setting(0.5, "what one more page on the way leaves of the credit")
    credit_steps: int = setting(4, "pages on the way that are credited", "links")
    rescore_every: int = setting(
        5, "responses between two orderings of what waits, in the first 500", "pages"
    )
    rescore_most: int = setting(150, "links that are scored again, mostly", "links")
    patience: float = setting(
        0.2, "links with less than this share of the best score that can be fetched in seconds wait"
    )
    explore: float = setting(0.01, "share of links to hosts not yet seen that go first")
    distance_after: int = setting(
        3, "relevant pages found before it learns how much link distance counts", "pages"
    )
    tires_after: float = setting(
        100,
        "responses in a row with nothing new that halve the worth of a domain; 0: none",
        "pages",
    )
    diversity: float = setting(0.0, "how much a host loses with each page it has given")
    registrations: str = setting("", "a table of the registrants of domains; empty for none")
    without: str = setting("", "signals it does without, joined by +, to see how much each helps")

    @property
    def left_out(self) -> frozenset[str]:
        """The signals it does without."""
        return frozenset(filter(None, self.without.split("+")))


_RANGES = {
    "step": (0.001, 10),
    "window": (0, 25),
    "future": (0, 100),
    "credit": (0, 1),
    "credit_steps": (0, 100),
    "rescore_every": (0, 1e9),
    "rescore_most": (1, 1e9),
    "patience": (0, 1),
    "explore": (0, 1),
    "diversity": (0, 100),
    "distance_after": (0, 1e9),
    "tires_after": (0, 1e9),
}


def check_hybrid_options(options: HybridOptions) -> None:
    """Complain about what cannot be.

    Raises:
        UsageError: an option is out of its range, or there is no such signal to leave out.
    """
    if options.aim not in AIMS:
        raise UsageError(f"aim is one of {', '.join(AIMS)}, not {options.aim!r}")
    for name, (least, most) in _RANGES.items():
        if not least <= getattr(options, name) <= most:
            raise UsageError(f"{name} is from {least:g} to {most:g}, not {getattr(options, name)}")
    for name in sorted(options.left_out - {*NUMBERS, *TERMS}):
        known = ", ".join((*NUMBERS, *TERMS))
        raise UsageError(f"hybrid has no signal {name!r} to leave out; it has: {known}")
