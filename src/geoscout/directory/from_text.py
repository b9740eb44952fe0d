"""Entries in the text of a page: the name next to an address, with what stands around both.

For every address the lines before it are weighed: how near they are, whether they are headings,
whether the title names them, what their words look like. Weights are few and were set by hand on
the development part of `benchmarks/directory/labels.tsv`. The lines from a name to the next
name are one entry; its telephone numbers, mails, hours and links are looked for there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from geoscout.directory.business_words import (
    has_legal_form,
    is_kind_of_thing,
    lists_things,
    names_business,
)
from geoscout.directory.lines import (
    PageLines,
    can_be_name,
    clean_line,
    is_detail,
    is_headline,
    is_label,
    is_request,
    says_address,
)
from geoscout.directory.records import NamePlace
from geoscout.directory.titles import is_of_host, title_names, title_of_site
from geoscout.gazetteer.names import fold
from geoscout.model import Address, Page, Part, Point
from geoscout.parse.outline import Outline

_MOST_CANDIDATES = 6  # lines that can be names, before an address
_MOST_LINES = 14  # looked at before an address
_AFTER_LINES = 14  # that belong to an entry after its address, if no other begins
_FEW = 3  # addresses of a page that can be about one thing
# What counts for a candidate, and how much.
_PER_LINE = -0.16
_HEADLINE = 0.5
_TITLE, _HEADING, _BOLD, _LEGAL_FORM, _BUSINESS, _BEFORE_PHONE = 0.9, 0.45, 0.25, 0.6, 0.25, 0.2
_AGAIN, _MOST_AGAIN = 0.12, 3
_KIND, _REQUEST = -0.8, -0.8
_MENU, _COMMON, _PLACE, _CRUMB, _LOWER, _QUESTION, _LIST_TITLE = (
    -0.6,
    -0.8,
    -0.8,
    -0.5,
    -0.3,
    -0.5,
    -0.6,
)
_BOLD_LEVEL = 7  # as in `Outline`: bold text, which is not quite a heading
_TOP_LEVELS = 2  # headings that name the page
_USUAL = 0.3  # for the line where most entries of the page have their name
_BY_TITLE, _BY_SITE = 1.3, 0.9  # the scores of names that the page or its site has
_LEAST = 0.3  # with a lower score a line is not a name


class IsPlaceNear(Protocol):
    """Whether a text names a place, near a point if one is given."""

    def __call__(self, text: str, near: Point | None) -> bool: ...


@dataclass(frozen=True, slots=True)
class TextEntry:
    """An address of the text with its name, and the stretch of text that belongs to it."""

    name: str
    place: NamePlace
    address: Address
    start: int
    end: int
    nearby: tuple[str, ...]  # lines of the stretch that are neither name nor address
    is_only: bool  # nothing else on the page has an address
    score: float  # of the name; higher is surer


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A line that can be the name of an address."""

    text: str
    distance: int  # in lines that can be names
    index: int  # of the line
    lines_before: int
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class _Named:
    address: Address
    name: str
    place: NamePlace
    start: int  # of the stretch: of the name's line, or of the address
    score: float


class TextEntryReader:
    """Reads the entries of one page."""

    def __init__(self, page: Page, outline: Outline, is_place: IsPlaceNear) -> None:
        self._page, self._is_place = page, is_place
        self._lines = PageLines(page)
        self._levels = {fold(clean_line(text)): level for level, text in reversed(outline.headings)}
        headings = [text for level, text in outline.headings if level <= _TOP_LEVELS]
        named = title_names(page, headings)
        anywhere = partial(is_place, near=None)
        self._titles = [
            name for name in named if not (lists_things(name) or is_kind_of_thing(name, anywhere))
        ]
        self._title = fold(page.title)
        self._offered: Counter[str] = Counter()  # how many addresses a line was a candidate of
        self._distinct = 0  # addresses of the page that are not only its site's
        self._usual = -1  # how many lines before an address its name stands in most entries

    def read(self, addresses: Sequence[Address]) -> list[TextEntry]:
        """The entries of the addresses that stand in the text, in its order."""
        written = sorted((a for a in addresses if a.end), key=lambda a: a.start)
        own = [a for a in written if not a.of_site]
        houses = {(fold(a.street)[:5], a.house_number, a.postcode, a.unit) for a in own}
        self._distinct = len(houses)
        borders = [0, *(address.end for address in written)]
        offers = [list(self._candidates(a, b)) for a, b in zip(written, borders, strict=False)]
        for offer in offers:
            self._offered.update({fold(each.text) for each in offer})
        bests = [self._best(a, offer) for a, offer in zip(written, offers, strict=True)]
        self._usual = _usual([best.lines_before for best in bests if best])
        named = [
            self._name(a, offer, border)
            for a, offer, border in zip(written, offers, borders, strict=False)
        ]
        starts = [*(each.start for each in named[1:]), None]
        return [self._entry(each, start) for each, start in zip(named, starts, strict=False)]

    def _candidates(self, address: Address, border: int) -> Iterator[_Candidate]:
        """Lines before an address that can be its name, the nearest first."""
        at = self._lines.at(address.start)
        line = self._lines.lines[at]
        before = clean_line(self._page.text[max(line.start, border) : address.start])
        if at and says_address(self._lines.lines[at - 1].text):
            before = ""  # what stands between the label and the street is a building
        distance = 0
        if before and not is_label(before):
            if can_be_name(before):
                yield _Candidate(before, 0, at, 0)
            distance += 1
        for index in range(at - 1, max(at - 1 - _MOST_LINES, -1), -1):
            line = self._lines.lines[index]
            if line.end <= border or distance >= _MOST_CANDIDATES:
                return
            text = clean_line(line.text[max(0, border - line.start) :])
            if text.startswith("&") and index and self._lines.lines[index - 1].start >= border:
                text = f"{clean_line(self._lines.lines[index - 1].text)} {text}"  # a broken line
            if is_label(line.text) or is_label(text) or is_detail(text):
                continue
            if can_be_name(text):
                yield _Candidate(text, distance, index, at - index)
                if self._levels.get(fold(text), _BOLD_LEVEL) < _BOLD_LEVEL:
                    return  # what stands above a heading is of something else
            distance += 1

    def _best(self, address: Address, offer: Sequence[_Candidate]) -> _Candidate | None:
        """The candidate with the best score, the nearest of equal ones; None without any."""
        scored = [replace(each, score=self._score(each, address)) for each in offer]
        return max(scored, key=lambda each: each.score, default=None)

    def _score(self, each: _Candidate, address: Address) -> float:
        score = 1 + _PER_LINE * each.distance + self._looks(each.text, address) + self._stands(each)
        return score + (_USUAL if each.lines_before == self._usual else 0)

    def _name(self, address: Address, offer: Sequence[_Candidate], border: int) -> _Named:
        best, of_page = self._best(address, offer), self._named_by_page(address)
        if best is None or best.score < max(_LEAST, of_page.score):
            return of_page
        level = self._levels.get(fold(best.text), _BOLD_LEVEL)
        return _Named(
            address,
            self._without_remark(best.text),
            NamePlace.HEADING if level < _BOLD_LEVEL else NamePlace.LINE,
            max(min(self._lines.lines[best.index].start, address.start), border),
            best.score,
        )

    def _without_remark(self, text: str) -> str:
        """A heading without what follows its colon, if the title has what is before it."""
        name = text.partition(": ")[0]
        is_whole = name == text or not can_be_name(name) or fold(name) not in self._title
        return text if is_whole else name

    def _named_by_page(self, address: Address) -> _Named:
        """An address by what the page or its site is called; the score is 0 where it is nothing."""
        if address.of_site:
            name = title_of_site(self._page)
            return _Named(address, name, NamePlace.SITE, address.start, _BY_SITE if name else 0.0)
        if self._titles and self._distinct == 1:
            return _Named(address, self._titles[0], NamePlace.TITLE, address.start, _BY_TITLE)
        return _Named(address, "", NamePlace.LINE, address.start, 0.0)

    def _looks(self, text: str, address: Address) -> float:
        """What the words of a candidate tell."""
        folded = fold(text)
        score = 0.0
        if has_legal_form(text):
            score += _LEGAL_FORM
        elif names_business(text):
            score += _BUSINESS
        if is_of_host(text, self._page.url):
            score += _BUSINESS
        if text[0].islower():
            score += _LOWER
        if text.endswith(("?", "!", ":")):
            score += _QUESTION
        if is_kind_of_thing(text, partial(self._is_place, near=address.point)):
            score += _KIND
        if is_request(text):
            score += _REQUEST
        if folded == fold(address.city) or self._is_place(text, near=address.point):
            score += _PLACE if folded not in map(fold, self._titles[:1]) else 0
        elif folded in self._lines.crumbs:
            score += _CRUMB
        return score

    def _stands(self, each: _Candidate) -> float:
        """What the place of a candidate on the page tells."""
        folded, lines = fold(each.text), self._lines.lines
        score = self._in_title(folded)
        level = self._levels.get(folded)
        if level is not None:
            score += _HEADING if level < _BOLD_LEVEL and not each.distance else _BOLD
        if is_headline(lines[each.index].text):
            score += _HEADLINE
        if lines[each.index].part is Part.NAVIGATION:
            score += _MENU
        if self._offered[folded] >= _FEW:
            score += _COMMON
        elif self._distinct <= _FEW:
            again = self._lines.folded.count(f" {folded} ") - 1
            score += _AGAIN * min(again, _MOST_AGAIN)
        if each.index + 1 < len(lines) and _is_phone(lines[each.index + 1].text):
            score += _BEFORE_PHONE
        return score

    def _in_title(self, folded: str) -> float:
        """The title names what the page is about: one thing, or the list of many."""
        if folded not in self._title or len(folded) < 3:
            return 0.0
        if self._distinct > _FEW:
            return _LIST_TITLE if self._offered[folded] > 1 else 0.0
        return (
            _TITLE if self._title.startswith(folded) or folded in map(fold, self._titles) else _BOLD
        )

    def _entry(self, named: _Named, next_start: int | None) -> TextEntry:
        lines = self._lines.lines
        last = min(self._lines.at(named.address.end - 1) + _AFTER_LINES, len(lines) - 1)
        end = lines[last].end if lines else named.address.end
        if next_start is not None:
            end = max(min(end, next_start), named.address.end)
        first = self._lines.at(named.start)
        nearby = tuple(
            line.text
            for line in lines[first : last + 1]
            if line.end <= end and clean_line(line.text) != named.name and len(line.text) < 200
        )
        return TextEntry(
            name=named.name,
            place=named.place,
            address=named.address,
            start=named.start,
            end=end,
            nearby=nearby,
            is_only=self._distinct <= 1,
            score=named.score,
        )


def _is_phone(text: str) -> bool:
    return sum(map(str.isdigit, text)) >= 7 and len(text) < 40


def _usual(numbers: Sequence[int]) -> int:
    """The number that half of at least three have; -1 for none."""
    if len(numbers) < _FEW:
        return -1
    ((number, count),) = Counter(numbers).most_common(1)
    return number if 2 * count >= len(numbers) else -1
