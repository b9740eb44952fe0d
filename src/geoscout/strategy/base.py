"""What a strategy is: a function from a link and the page it stands in to a priority."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from geoscout.model import Link, Page, Request


@dataclass(frozen=True, slots=True)
class Source:
    """The page whose links are scored."""

    request: Request
    page: Page
    relevant: bool


# The priority of a link, any finite number: higher is fetched earlier.
Strategy = Callable[[Link, Source], float]
