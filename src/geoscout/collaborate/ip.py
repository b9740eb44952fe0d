"""By where the server of the page stands: its node gets all links of the page.

The weakest clue of the paper: servers stand where rent is low. Read as printed the server is that
of the page the link was found on; that no page was fetched twice fits only the server of the link's
target, so that reading is an option (G-8). It needs a table of hosts, for experiments: in a live
crawl the address of a target is not known before it is fetched.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from geoscout.collaborate.base import (
    ClaimingCollaboration,
    Collaboration,
    CollaborationAim,
    CollaborationTraits,
    Locate,
    Origin,
)
from geoscout.collaborate.policy import Claim, Claims, CollaborationOptions, Policy, best_place
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.model import Kind, Link, Place
from geoscout_places.plugins import read_options, setting
from geoscout_places.urls import host_of


@dataclass(frozen=True, slots=True)
class IpOptions(CollaborationOptions):
    """What may be read differently about servers."""

    server: str = setting(
        "page", "whose server counts: that of the page, or of the link's `target`"
    )
    near_km: float = setting(
        50.0, "a server belongs to the nearest owned city not farther away; 0: in it only", "km"
    )
    leave_out: str = setting(
        "", "regions whose servers count as unknown, joined by +; the paper: Alaska+Hawaii"
    )


def create(aim: CollaborationAim) -> Collaboration:
    """The collaboration that asks where servers stand.

    Raises:
        UsageError: it is not known where servers stand.
    """
    options = read_options("ip", IpOptions, aim.options)
    if aim.locations is None:
        raise UsageError("collaboration 'ip' needs a database or a table of where servers stand")
    return ByServer(aim, aim.locations(), options)


class ByServer(ClaimingCollaboration):
    """The city a server stands in."""

    traits = CollaborationTraits(reads_links=False)

    def __init__(self, aim: CollaborationAim, locate: Locate, options: IpOptions) -> None:
        super().__init__(aim.partition, Policy(aim.partition, options))
        self._gazetteer = aim.gazetteer
        self._locate = locate
        self._of_target = options.server == "target"
        self._near_km = options.near_km
        self._left_out = frozenset(options.leave_out.split("+")) - {""}
        self._known: dict[int, Claims] = {}

    def claims(self, origin: Origin, links: Sequence[Link]) -> Sequence[Claims]:
        if self._of_target:
            return [self._of_place(self._locate(host_of(link.url))) for link in links]
        return [self._of_page(origin)] * len(links)

    def label(self, origin: Origin) -> int:
        return best_place(self._of_page(origin))

    def _of_page(self, origin: Origin) -> Claims:
        return self._of_place(self._locate(origin.address or host_of(origin.page.url)))

    def _of_place(self, place: Place | None) -> Claims:
        if place is None:
            return ()
        if place.id not in self._known:
            self._known[place.id] = self._claim(place)
        return self._known[place.id]

    def _claim(self, place: Place) -> Claims:
        above = self._gazetteer.ancestors(place)
        if any(p.kind is Kind.REGION and p.name in self._left_out for p in above):
            return ()
        if self.partition.owner(place.id):
            return (Claim(place.id, 1.0),)
        near = [
            (distance_km(place.point, city.point), id)
            for id, city in self.partition.targets.items()
        ]
        distance, id = min(near, default=(self._near_km + 1, 0))
        return (Claim(id, 1.0),) if distance <= self._near_km else ()
