"""By what a link stands under: the city of its line, of its row, or of the heading of its list.

Gao, Lee and Miao (2006) name features of the document's structure as future work. A directory says
"Reno" once, in a heading or in the first cell of a row, and lists firms below it, none of which
names the town. So a link without a city in its own line gets that of the lines between it and the
link before, such as the other cells of its row, else that of the heading above its list. A list is
a run of links in the same elements; a heading is a short line without a link. Each block of a page
is a line of its text, or several.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from geoscout.collaborate.base import ClaimingCollaboration, Collaboration, CollaborationAim, Origin
from geoscout.collaborate.owned_names import OwnedMentionFinder, OwnedNames
from geoscout.collaborate.policy import Claim, Claims, CollaborationOptions, Policy, best_place
from geoscout_places.model import Link, Page
from geoscout_places.plugins import read_options

_LONGEST_HEADING = 120  # characters
_HEADINGS = 3  # above a list that are looked at: a section is below a chapter
_NOTHING: Claims = ()


def create(aim: CollaborationAim) -> Collaboration:
    """The collaboration that reads what links stand under."""
    return ByDom(aim, read_options("dom", CollaborationOptions, aim.options))


class ByDom(ClaimingCollaboration):
    """The city of the line, row or heading of a link."""

    def __init__(self, aim: CollaborationAim, options: CollaborationOptions) -> None:
        super().__init__(aim.partition, Policy(aim.partition, options))
        self._names = OwnedNames(aim.partition.targets, aim.gazetteer)
        self._finder = OwnedMentionFinder(self._names)

    def claims(self, origin: Origin, links: Sequence[Link]) -> Sequence[Claims]:
        found = PlacedLinks(origin.page, links)
        return [self._first(found.texts_of(number)) for number in range(len(links))]

    def label(self, origin: Origin) -> int:
        """The city of the title, which the whole page stands under."""
        return best_place(self._first(iter([origin.page.title])))

    def _first(self, texts: Iterator[str]) -> Claims:
        """The cities of the first text that names any, the last named first."""
        for text in texts:
            found = [
                self._names.meaning(mention.name, mention.region)
                for mention in self._finder.find(text)
                if mention.name
            ]
            if cities := [place for place in reversed(found) if place]:
                ranked = dict.fromkeys(cities)
                return [Claim(place, 1 / rank) for rank, place in enumerate(ranked, 1)]
        return _NOTHING


class PlacedLinks:
    """The lines of a page's text, and in which of them its links are."""

    def __init__(self, page: Page, links: Sequence[Link]) -> None:
        self._links = links
        self._lines = page.text.split("\n") if any(link.start >= 0 for link in links) else []
        starts = list(accumulate((len(line) + 1 for line in self._lines), initial=0))
        self._at = [bisect_right(starts, link.start) - 1 for link in links]
        self._linked = set(self._at)
        self._first_of_list = self._firsts()

    def texts_of(self, number: int) -> Iterator[str]:
        """What a link stands in and under, the nearest first."""
        link, at = self._links[number], self._at[number]
        if link.start < 0 or at < 0:
            yield f"{link.before} {link.anchor or link.alt or link.title} {link.after}"
            return
        yield link.alt or link.title if link.start == link.end else ""
        yield self._lines[at]
        for previous in range(at - 1, -1, -1):
            if previous in self._linked:
                break
            yield self._lines[previous]
        yield from self._headings(self._at[self._first_of_list[number]])

    def _firsts(self) -> list[int]:
        """For each link the first of the run of links in the same elements."""
        firsts: list[int] = []
        for number, link in enumerate(self._links):
            is_same = number and link.tag_path == self._links[number - 1].tag_path
            firsts.append(firsts[-1] if is_same else number)
        return firsts

    def _headings(self, at: int) -> Iterator[str]:
        left = _HEADINGS
        for number in range(at - 1, -1, -1):
            if number not in self._linked and len(self._lines[number]) <= _LONGEST_HEADING:
                yield self._lines[number]
                left -= 1
                if not left:
                    return
