"""What to type where a crawl has not one page."""

from __future__ import annotations

from collections.abc import Mapping

# By the beginning of the failure's kind.
_ADVICE = {
    "private-address": "the seeds are on a private network; add --allow-private",
    "dns": "the names of the seeds are unknown; check their spelling and your network",
    "refused": "no server answers at the seeds; check host and port",
    "unreachable": "no server answers at the seeds; check host and port",
    "timeout": "the servers of the seeds do not answer in time; try again later",
    "robots": "robots.txt of the seeds does not allow it; name other seeds",
}


def advice_for(failures: Mapping[str, int], *, visits: int, is_replay: bool) -> str:
    """Why a crawl has not one page, and what to do about it."""
    if not failures:
        what = "the archive has none of the seeds" if is_replay else "no answer was a page"
        return f"{what} ({visits:,} answers)"
    kind = max(failures, key=lambda known: failures[known])
    named = next((text for known, text in _ADVICE.items() if kind.startswith(known)), "")
    return f"{named or 'every request failed'} ({kind}: {failures[kind]:,})"
