"""By the extended anchor text: the node of the city mentioned nearest to the link.

Nearest is fewest words from the anchor; a mention inside it is at 0. Between equals the one before
the link wins, then the more populous city (G-6). How far the text around a link reaches is not
printed in the paper; here it is 25 words on either side, over the borders of blocks. The city and
its state may stand on both sides of the link's border: `<a>Glendale</a>, CA`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from geoscout.collaborate.base import ClaimingCollaboration, Collaboration, CollaborationAim, Origin
from geoscout.collaborate.owned_names import OwnedMentionFinder, OwnedNames
from geoscout.collaborate.policy import Claim, Claims, CollaborationOptions, Policy, best_place
from geoscout_places.model import Link
from geoscout_places.plugins import read_options, setting
from geoscout_places.windows import widened


@dataclass(frozen=True, slots=True)
class AnchorOptions(CollaborationOptions):
    """What may be read differently around links."""

    window: int = setting(25, "how much text on either side counts; not printed", "words")
    capitals: bool = setting(default=True, reason="names are written with a capital")


def create(aim: CollaborationAim) -> Collaboration:
    """The collaboration that reads what stands around links."""
    return ByAnchor(aim, read_options("anchor", AnchorOptions, aim.options))


class ByAnchor(ClaimingCollaboration):
    """The city mentioned nearest to the link."""

    def __init__(self, aim: CollaborationAim, options: AnchorOptions) -> None:
        super().__init__(aim.partition, Policy(aim.partition, options))
        self._names = OwnedNames(aim.partition.targets, aim.gazetteer)
        self._finder = OwnedMentionFinder(self._names, capitals=options.capitals)
        self._window = options.window

    def claims(self, origin: Origin, links: Sequence[Link]) -> Sequence[Claims]:
        return list(map(self._claims, widened(links, origin.page, self._window)))

    def label(self, origin: Origin) -> int:
        """The city nearest to the beginning of the title; a page has no anchor of its own."""
        return best_place(self._nearest("", origin.page.title, ""))

    def _claims(self, link: Link) -> Claims:
        anchor = link.anchor or link.alt or link.title
        return self._nearest(link.before, anchor, link.after)

    def _nearest(self, before: str, anchor: str, after: str) -> Claims:
        text = f"{before}{anchor}{after}"
        start, end = len(before), len(before) + len(anchor)
        ranked: dict[int, tuple[int, bool, int]] = {}
        for found in self._finder.find(text):
            place = self._names.meaning(found.name, found.region) if found.name else 0
            if not place:
                continue
            distance = _distance(text, (found.start, found.end), (start, end))
            if distance <= self._window:
                rank = (distance, found.start >= start, -self._names.population(place))
                ranked[place] = min(ranked.get(place, rank), rank)
        nearest = sorted(ranked.items(), key=lambda item: (item[1], item[0]))
        return [Claim(place, 1 / (1 + rank[0])) for place, rank in nearest]


def _distance(text: str, mention: tuple[int, int], anchor: tuple[int, int]) -> int:
    """How many words from the anchor a mention is: 0 inside, 1 right next to it."""
    if mention[1] <= anchor[0]:
        return len(text[mention[1] : anchor[0]].split()) + 1
    if mention[0] >= anchor[1]:
        return len(text[anchor[1] : mention[0]].split()) + 1
    return 0
