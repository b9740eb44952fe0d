"""Entries in the text of a page: the name next to an address, with what stands around both.

`name_candidates.py` weighs the lines before an address. The lines from a name to the next name are
one entry; its telephone numbers, mails, hours and links are looked for there.

Persons are left out unless `persons` asks for them. A hairdresser may have no other name than her
own; she is left out as well, since a directory of places of business has to do without her rather
than be a list of people.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from geoscout_directory.categories import (
    has_legal_form,
    names_business,
    names_institution,
    word_list,
)
from geoscout_directory.contacts import is_about_site
from geoscout_directory.lines import PageLines, TextLine, can_be_name, clean_line, says_home
from geoscout_directory.name_candidates import (
    BOLD_LEVEL,
    LEAST,
    LOWER_WORD,
    PROSE_WORDS,
    IsPlaceNear,
    NameCandidate,
    NameCandidates,
    title_of_site,
)
from geoscout_directory.records import NamePlace
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Address, Outline, Page, Part

_AFTER_LINES = 14  # that belong to an entry after its address, if no other begins
# The scores of names that the page or its site has; in a footer the site comes before links.
_BY_TITLE, _BY_FOOTER, _BY_SITE = 1.3, 1.2, 0.9
_LONGEST_LINE = 200


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
class _Named:
    address: Address
    name: str
    place: NamePlace
    start: int  # of the stretch: of the name's line, or of the address
    score: float


def _without(line: TextLine, address: Address) -> str:
    """The text of a line outside of an address."""
    start, end = (
        min(max(at - line.start, 0), len(line.text)) for at in (address.start, address.end)
    )
    return f"{line.text[:start]} {line.text[end:]}" if start < end else line.text


class TextEntryReader:
    """Reads the entries of one page."""

    def __init__(
        self,
        page: Page,
        outline: Outline,
        is_place: IsPlaceNear,
        *,
        is_person: Callable[[str], bool] | None = None,
    ) -> None:
        """`is_person` tells names of people, which are left out; None keeps them."""
        self._page, self._is_person = page, is_person
        self._lines = PageLines(page)
        self._names = NameCandidates(page, outline, self._lines, is_place)

    def read(self, addresses: Sequence[Address]) -> list[TextEntry]:
        """The entries of the addresses that stand in the text, in its order."""
        written = sorted((a for a in addresses if a.end), key=lambda a: a.start)
        borders = [0, *(address.end for address in written)]
        offers = self._names.of(written)
        named = [
            self._name(a, offer, border)
            for a, offer, border in zip(written, offers, borders, strict=False)
        ]
        starts = [*(each.start for each in named[1:]), None]
        is_only = self._names.distinct <= 1 and not self._names.is_regular
        entries = [
            self._entry(each, start, is_only) for each, start in zip(named, starts, strict=False)
        ]
        return [entry for entry in entries if entry is not None]

    def _name(self, address: Address, offer: Sequence[NameCandidate], border: int) -> _Named:
        if self._is_in_prose(address):
            offer = [each for each in offer if names_business(each.text)]
        best = max(offer, key=lambda each: each.score, default=None)
        named = self._named_by_page(address)
        if best is not None and best.score >= max(LEAST, named.score):
            named = self._named_by_line(address, best, border)
        if self._is_person is not None and named.name and self._is_person(named.name):
            return self._instead(named, offer, border)
        return named

    def _instead(self, named: _Named, offer: Sequence[NameCandidate], border: int) -> _Named:
        """The institution at an address where a person was found; the person, if there is none."""
        others = [each for each in offer if names_institution(each.text) and each.score >= LEAST]
        best = max(others, key=lambda each: each.score, default=None)
        return named if best is None else self._named_by_line(named.address, best, border)

    def _named_by_line(self, address: Address, best: NameCandidate, border: int) -> _Named:
        level = self._names.levels.get(best.folded, BOLD_LEVEL)
        return _Named(
            address,
            self._without_remark(best.text),
            NamePlace.HEADING if level < BOLD_LEVEL else NamePlace.LINE,
            max(min(self._lines.lines[best.index].start, address.start), border),
            best.score,
        )

    def _without_remark(self, text: str) -> str:
        """A heading without what follows its colon, if the title has what is before it.

        Of "Host: Xing AG" it is the company.
        """
        name, _, rest = text.partition(": ")
        if has_legal_form(rest) and not has_legal_form(name):
            return rest
        is_whole = name == text or not can_be_name(name) or fold(name) not in self._names.title
        return text if is_whole else name

    def _named_by_page(self, address: Address) -> _Named:
        """An address by what the page or its site is called; the score is 0 where it is nothing."""
        site, is_in_footer = title_of_site(self._page), self._line_of(address).part is Part.FOOTER
        if address.of_site or (is_in_footer and site):
            score = (_BY_FOOTER if is_in_footer else _BY_SITE) if site else 0.0
            return _Named(address, site, NamePlace.SITE, address.start, score)
        if self._names.titles and self._names.distinct == 1:
            name = self._names.titles[0]
            if self._is_in_prose(address) and not names_business(name):
                name = ""
            return _Named(address, name, NamePlace.TITLE, address.start, _BY_TITLE)
        if self._names.distinct == 1 and is_about_site(self._page.url):
            return _Named(address, site, NamePlace.SITE, address.start, _BY_SITE if site else 0.0)
        return _Named(address, "", NamePlace.LINE, address.start, 0.0)

    def _is_in_prose(self, address: Address) -> bool:
        """Whether an address stands in a sentence: the title then says what the text is about.

        A business that is named above it says so by its words.
        """
        return len(LOWER_WORD.findall(_without(self._line_of(address), address))) >= PROSE_WORDS

    def _line_of(self, address: Address) -> TextLine:
        return self._lines.lines[self._lines.at(address.start)]

    def _entry(self, named: _Named, next_start: int | None, is_only: bool) -> TextEntry | None:  # noqa: FBT001
        """The entry of a name; None for the home of somebody."""
        lines = self._lines.lines
        at = self._lines.at(named.address.start)
        if self._is_person and says_home([line.text for line in lines[max(at - 2, 0) : at]]):
            return None
        last = min(self._lines.at(named.address.end - 1) + _AFTER_LINES, len(lines) - 1)
        end = lines[last].end if lines else named.address.end
        if next_start is not None:
            end = max(min(end, next_start), named.address.end)
        first = self._lines.at(named.start)
        nearby = tuple(
            _without(line, named.address)
            for line in lines[first : last + 1]
            if line.end <= end
            and len(line.text) < _LONGEST_LINE
            and (named.name not in line.text or clean_line(line.text) != named.name)
        )
        return TextEntry(
            name=named.name,
            place=named.place,
            address=named.address,
            start=named.start,
            end=end,
            nearby=nearby,
            is_only=is_only,
            score=named.score,
        )


_TITLES = re.compile(
    r"(?<!\w)(?:herr|frau|mr|mrs|ms|dres|dr|prof|dipl|ing|med|dent|vet|rer|nat|phil|jur|mag|inh"
    r"|msc|bsc|mba|ll ?\.?m|h\.?\s?c|kfm|kffr|betriebsw|inhaber(?:in)?)(?!\w)[.\s,-]*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*\.?")
_PARTICLES = frozenset("von van de der den zu zur da di del la le und & and u".split())
_FEWEST_WORDS, _MOST_WORDS = 2, 4
_FOOD = re.compile(r"\bburger\b", re.IGNORECASE)  # is a surname, too
_SAINTS = frozenset(("st", "saint", "sankt", "san", "santa", "sainte"))  # churches and shops
_GIVEN = word_list("given_names")


_PERSONAL_PAGE = re.compile(
    r"/~|/(?:users?|homes?|people|personnel|staff|faculty|members?)/[^/]+", re.IGNORECASE
)
_HOME_PAGE = re.compile(r"\b(?:personal )?home ?page\b", re.IGNORECASE)


def is_of_person(name: str, url: str) -> bool:
    """Whether a page names a person, by the name or because it is a personal page.

    >>> is_of_person("Yufeng", "http://cs.example/~yufeng/")
    True
    >>> is_of_person("Example University", "http://cs.example/~yufeng/")
    False
    """
    if is_person(name):
        return True
    is_personal = _PERSONAL_PAGE.search(url.partition("://")[2]) or _HOME_PAGE.search(name)
    return bool(is_personal) and not names_business(name)


def is_person(name: str) -> bool:
    """Whether a name looks like that of one person or two, and not of a business.

    Registers write the surname first.

    >>> is_person("Dr. med. Anna Weber"), is_person("Salon Anna Weber"), is_person("Anna's Inn")
    (True, False, False)
    >>> is_person("Weber, Anna"), is_person("Weber Anna Dipl.Kfm."), is_person("Deutsches Museum")
    (True, True, False)
    """
    without_title = _TITLES.sub(" ", name).strip(" ,")
    has_title = without_title != name.strip(" ,")
    if names_business(_FOOD.sub(" ", without_title)) or re.search(
        r"[^\w\s.,'’&-]|\d|\s-\s", without_title
    ):
        return False
    words = _WORD.findall(without_title.replace(",", " "))
    rest = [word for word in words if word.lower() not in _PARTICLES]
    if not all(word[0].isupper() for word in rest) or len(rest) > _MOST_WORDS:
        return False
    if has_title:
        return bool(rest)
    given = [not _GIVEN.isdisjoint((w.lower(), w.lower().partition("-")[0])) for w in rest]
    if len(rest) < _FEWEST_WORDS or rest[0].rstrip(".").lower() in _SAINTS:
        return False
    return given[0] or given[-1] or (given[1] and len(rest[-1].rstrip(".")) == 1)
