"""Which lines before an address can be the name of what is there, and how well each fits.

For every address the lines before it are weighed: how near they are, whether they are headings,
whether the title names them, what their words look like. Of a title, the part that names the thing
counts, without the tail of the site. Weights are few and were set by hand on the development part
of `benchmarks/directory_labels.tsv`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Protocol

from geoscout_directory.categories import (
    has_legal_form,
    is_kind_of_thing,
    lists_things,
    names_business,
    names_institution,
)
from geoscout_directory.lines import (
    PageLines,
    TextLine,
    can_be_name,
    clean_line,
    is_detail,
    is_headline,
    is_label,
    is_request,
    says_address,
    without_label,
)
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Address, Outline, Page, Part, Point
from geoscout_places.urls import domain_of

PROSE_WORDS = 5  # in lower case, in the line of an address
LOWER_WORD = re.compile(r"(?<!\w)[^\W\d_A-Z]{2,}(?!\w)")
# The name at the end of a sentence: "… at the Museum of Bath", with its small words.
_LAST_NAME = re.compile(
    r"(?:(?-i:[A-ZÄÖÜÉ])[\w.'’&+-]*\s*(?:(?:&|\+|und|and|of|der|für|de|du|la|for)\s+(?=[A-ZÄÖÜÉ]))*)+$"
)
_SEAMS = re.compile(r"\s+[|–—·»›•:]\s+|\s+-\s+|\s*[|»›]\s*|:\s+")
_PLACE_IN_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")


def title_parts(title: str) -> list[str]:
    """The parts of a title, cleaned.

    >>> title_parts("Corner Inn (Lubbock, TX) - Hours | Guide")
    ['Corner Inn', 'Hours', 'Guide']
    """
    parts = (clean_line(_PLACE_IN_BRACKETS.sub("", part)) for part in _SEAMS.split(title))
    return [part for part in parts if part]


def title_of_site(page: Page) -> str:
    """What a page calls its site: og:site_name, or the part of its title that its host has."""
    stated = dict(reversed(page.meta)).get("og:site_name", "").strip()
    if stated:
        return stated
    return next((part for part in title_parts(page.title) if is_of_host(part, page.url)), "")


def is_of_host(name: str, url: str) -> bool:
    """Whether a name is that of a host: "Bäckerei Müller" of baeckerei-mueller.example."""
    label = _label_of(url)
    if len(label) <= _SHORTEST_LABEL:
        return False
    spelled = _NO_LETTERS.sub("", name.lower().translate(_UMLAUTS))
    return _fits(spelled, label) or _fits(fold(name).replace(" ", ""), label)


_SHORTEST_LABEL = 3
_NO_LETTERS = re.compile(r"[\W_]")


@lru_cache(maxsize=256)
def _label_of(url: str) -> str:
    """The first label of the domain of a URL, without marks."""
    return _NO_LETTERS.sub("", domain_of(url).partition(".")[0])


def _fits(form: str, label: str) -> bool:
    return form == label or (len(form) > _SHORTEST_LABEL + 1 and _is_most(form, label))


def _is_most(one: str, other: str) -> bool:
    """Whether one of two words is part of the other, and the larger part of it."""
    short, long = sorted((one, other), key=len)
    return short in long and 3 * len(short) > 2 * len(long)


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def title_names(page: Page, headings: Sequence[str]) -> list[str]:
    """The names that title and first headings give the thing that a page is about, the best first.

    What names the site is left out, unless nothing else is there.
    """
    parts = [part for part in title_parts(page.title) if can_be_name(part)]
    site = fold(title_of_site(page))
    own = [part for part in parts if fold(part) != site and not is_of_host(part, page.url)]
    first = [clean_line(text) for text in headings[:2]]
    agreed = [h for h in first if can_be_name(h) and any(_agree(h, part) for part in parts)]
    return list(dict.fromkeys([*agreed, *own[:1], *(h for h in first[:1] if can_be_name(h))]))


def _agree(heading: str, part: str) -> bool:
    """Whether a heading and a part of the title name the same: one begins with the other."""
    one, other = fold(heading), fold(part)
    return bool(one and other) and (one.startswith(other) or other.startswith(one))


BOLD_LEVEL = 7  # as in `Outline`: bold text, which is not quite a heading
FEW = 3  # addresses of a page that can be about one thing
LEAST = 0.3  # with a lower score a line is not a name
_MOST_CANDIDATES = 6  # lines that can be names, before an address
_MOST_LINES = 14  # looked at before an address
# What counts for a candidate, and how much.
_PER_LINE = -0.16
_HEADLINE = 0.5
_TITLE, _HEADING, _BOLD, _LEGAL_FORM, _BUSINESS, _BEFORE_PHONE = 0.9, 0.45, 0.25, 0.6, 0.25, 0.2
_INSTITUTION = 0.5
_RIGHT_BEFORE = 0.9  # a company or club in the line of the address: as much as the title
_AGAIN, _MOST_AGAIN = 0.12, 3
_KIND, _REQUEST, _SUBTITLE = -0.8, -0.8, -0.6
_MENU, _COMMON, _PLACE, _CRUMB, _LOWER, _QUESTION, _LIST_TITLE = (
    -0.6,
    -0.8,
    -0.8,
    -0.5,
    -0.3,
    -0.5,
    -0.6,
)
_TOP_LEVELS = 2  # headings that name the page
_USUAL = 0.3  # for the line where most entries of the page have their name
_LONGEST_HEADING = 100


class IsPlaceNear(Protocol):
    """Whether a text names a place, near a point if one is given."""

    def __call__(self, text: str, near: Point | None) -> bool: ...


@dataclass(slots=True)
class NameCandidate:
    """A line that can be the name of an address."""

    text: str
    folded: str
    distance: int  # in lines that can be names
    index: int  # of the line
    lines_before: int
    score: float = 0.0


class NameCandidates:
    """The candidates of the addresses of one page."""

    def __init__(
        self, page: Page, outline: Outline, lines: PageLines, is_place: IsPlaceNear
    ) -> None:
        self._page, self._lines, self._is_place = page, lines, is_place
        self.levels = {
            fold(clean_line(text)): level
            for level, text in reversed(outline.headings)
            if len(text) <= _LONGEST_HEADING
        }
        headings = [text for level, text in outline.headings if level <= _TOP_LEVELS]
        anywhere = partial(is_place, near=None)
        self.titles = [
            name
            for name in title_names(page, headings)
            if not (lists_things(name) or is_kind_of_thing(name, anywhere))
        ]
        self.title = fold(page.title)
        self.distinct = 0  # addresses of the page that are not only its site's
        self._folded_titles = frozenset(map(fold, self.titles))
        self._first_title = fold(self.titles[0]) if self.titles else ""
        self._offered: Counter[str] = Counter()  # how many addresses a line was a candidate of

    def of(self, addresses: Sequence[Address]) -> list[list[NameCandidate]]:
        """The candidates of each address with their scores; addresses are in their order."""
        own = [a for a in addresses if not a.of_site]
        houses = {(fold(a.street)[:5], a.house_number, a.postcode, a.unit) for a in own}
        self.distinct = len(houses)
        borders = [0, *(address.end for address in addresses)]
        offers = [list(self._before(a, b)) for a, b in zip(addresses, borders, strict=False)]
        for offer in offers:
            self._offered.update({each.folded for each in offer})
        for address, offer in zip(addresses, offers, strict=True):
            for each in offer:
                each.score = (
                    1 + _PER_LINE * each.distance + self._looks(each, address) + self._stands(each)
                )
        self._prefer_usual(offers)
        return offers

    def _prefer_usual(self, offers: Sequence[Sequence[NameCandidate]]) -> None:
        """Raise the lines that are as far from their address as most names of the page."""
        bests = [max(offer, key=lambda each: each.score) for offer in offers if offer]
        usual = _usual([best.lines_before for best in bests])
        self.is_regular = usual >= 0
        for offer in offers if self.is_regular else ():
            for each in offer:
                if each.lines_before == usual:
                    each.score += _USUAL

    is_regular = False  # whether the page is a list: most names are equally far from addresses

    def _before(self, address: Address, border: int) -> Iterator[NameCandidate]:
        """Lines before an address that can be its name, the nearest first."""
        lines = self._lines.lines
        at = self._lines.at(address.start)
        line = lines[at]
        before = clean_line(without_label(self._page.text[max(line.start, border) : address.start]))
        if at and says_address(lines[at - 1].text):
            before = ""  # what stands between the label and the street is a building
        if len(LOWER_WORD.findall(before)) >= PROSE_WORDS:
            before = named[0] if (named := _LAST_NAME.search(before)) else ""
        distance = 0
        if before and not is_label(before):
            if not is_detail(before) and can_be_name(before):
                yield NameCandidate(before, fold(before), 0, at, 0)
            distance += 1
        for index in range(at - 1, max(at - 1 - _MOST_LINES, -1), -1):
            line = lines[index]
            if line.end <= border or distance >= _MOST_CANDIDATES or _is_elsewhere(line, lines[at]):
                return
            text = self._cleaned(index, border)
            if not text or is_label(text) or is_label(line.text) or is_detail(text):
                continue
            if can_be_name(text):
                found = NameCandidate(text, fold(text), distance, index, at - index)
                yield found
                if self.levels.get(found.folded, BOLD_LEVEL) < BOLD_LEVEL or self._is_first_line(
                    found
                ):
                    return  # what stands above a heading is of something else
            distance += 1

    def _cleaned(self, index: int, border: int) -> str:
        lines = self._lines.lines
        line = lines[index]
        text = clean_line(without_label(line.text[max(0, border - line.start) :]))
        if text.startswith("&") and index and lines[index - 1].start >= border:
            return f"{clean_line(lines[index - 1].text)} {text}"  # a broken line
        return text

    def _looks(self, each: NameCandidate, address: Address) -> float:
        """What the words of a candidate tell."""
        text, score = each.text, _wording(each.text)
        if not each.lines_before and has_legal_form(text):
            score += _RIGHT_BEFORE
        if is_of_host(text, self._page.url):
            score += _BUSINESS
        if is_kind_of_thing(text, partial(self._is_place, near=address.point)):
            score += _KIND
        if is_request(text):
            score += _REQUEST
        if each.folded == fold(address.city) or self._is_place(text, near=address.point):
            score += _PLACE if each.folded != self._first_title else 0
        elif each.folded in self._lines.crumbs:
            score += _CRUMB
        return score

    def _stands(self, each: NameCandidate) -> float:
        """What the place of a candidate on the page tells."""
        folded, lines = each.folded, self._lines.lines
        score = self._in_title(folded)
        level = self.levels.get(folded)
        if level is None and self._is_second_line(each):
            return _SUBTITLE
        if level is not None or self._is_first_line(each):
            is_heading = level is None or (level < BOLD_LEVEL and not each.distance)
            score += _HEADING if is_heading else _BOLD
        if is_headline(lines[each.index].text):
            score += _HEADLINE
        if lines[each.index].part is Part.NAVIGATION:
            score += _MENU
        if self._offered[folded] >= FEW:
            score += _COMMON
        elif self.distinct <= FEW:
            again = self._lines.folded.count(f" {folded} ") - 1
            score += _AGAIN * min(again, _MOST_AGAIN)
        if each.index + 1 < len(lines) and _is_phone(lines[each.index + 1].text):
            score += _BEFORE_PHONE
        return score

    def _is_first_line(self, each: NameCandidate) -> bool:
        """Whether a heading has two lines, and this is the first of them."""
        return each.index + 1 < len(self._lines.lines) and self._is_heading(each.index)

    def _is_second_line(self, each: NameCandidate) -> bool:
        """Whether a heading has two lines, and this is the second of them."""
        return each.index > 0 and self._is_heading(each.index - 1)

    def _is_heading(self, index: int) -> bool:
        """Whether two lines are one heading."""
        one, other = self._lines.lines[index], self._lines.lines[index + 1]
        if len(one.text) + len(other.text) > _LONGEST_HEADING:
            return False
        return self.levels.get(fold(f"{one.text} {other.text}"), BOLD_LEVEL) < BOLD_LEVEL

    def _in_title(self, folded: str) -> float:
        """The title names what the page is about: one thing, or the list of many."""
        if folded not in self.title or len(folded) < 3:
            return 0.0
        if self.distinct > FEW:
            return _LIST_TITLE if self._offered[folded] > 1 else 0.0
        is_first = self.title.startswith(folded) or folded in self._folded_titles
        return _TITLE if is_first else _BOLD


def _is_elsewhere(line: TextLine, address: TextLine) -> bool:
    """Whether an address stands in the footer, and a line does not: the site is there, no more."""
    return address.part is Part.FOOTER is not line.part


def _wording(text: str) -> float:
    """What the words of a line tell, whatever page it is on."""
    score = 0.0
    if names_institution(text):
        score += _INSTITUTION
    elif has_legal_form(text):
        score += _LEGAL_FORM
    elif names_business(text):
        score += _BUSINESS
    if text[0].islower():
        score += _LOWER
    if text.endswith(("?", "!", ":")):
        score += _QUESTION
    return score


def _is_phone(text: str) -> bool:
    return len(text) < 40 and sum(map(str.isdigit, text)) >= 7


def _usual(numbers: Sequence[int]) -> int:
    """The number that half of at least three have; -1 for none."""
    if len(numbers) < FEW:
        return -1
    ((number, count),) = Counter(numbers).most_common(1)
    return number if 2 * count >= len(numbers) else -1
