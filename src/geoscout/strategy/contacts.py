"""These sites, and of each first the pages that say who it is: contact, imprint, about, hours.

For a list of websites whose facts are wanted, as maps and directories take them. No link leaves the
domain that it stands on. A link is told by its path or its short text; the words are those of the
languages that the directory reads hours in, and of their neighbours. All other links come later,
breadth first: so the home pages of all sites are read before any third page of one.
"""

import re
from collections.abc import Sequence

from geoscout.strategy.base import Scored, Scores, Source, Strategy, StrategyAim, StrategyTraits
from geoscout_places.model import Link
from geoscout_places.plugins import PluginOptions, read_options
from geoscout_places.urls import WHO_WE_ARE, domain_of, split

_FIRST = re.compile(
    rf"{WHO_WE_ARE}|hours|(?:ö|o|oe)ffnungsz|directions|locations?\b|find[-_ ]us|visit"
    r"|horaires?|orari",
    re.IGNORECASE,
)
_LONGEST = 40  # letters of the text of such a link; more is a sentence
_SOONER = 1.0  # than any other link, whose scores are below zero


def create(aim: StrategyAim) -> Strategy:
    """The strategy that stays on the sites of the seeds."""
    read_options("contacts", PluginOptions, aim.options)
    return Contacts()


class Contacts:
    """Pages about the site itself, then minus the depth of the link; other sites never."""

    traits = StrategyTraits(ties_in_order=True)

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        site, depth = domain_of(source.request.url), -float(source.request.depth + 1)
        first, other = Scored(_SOONER + depth / 1000), Scored(depth)
        return [
            None if domain_of(link.url) != site else first if leads_to_facts(link) else other
            for link in links
        ]


def leads_to_facts(link: Link) -> bool:
    """Whether a link seems to lead to a page on which a site says who it is."""
    anchor = link.anchor if len(link.anchor) <= _LONGEST else ""
    return _FIRST.search(anchor) is not None or _FIRST.search(split(link.url).path) is not None
