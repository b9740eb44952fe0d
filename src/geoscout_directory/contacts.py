"""How to reach an entry: telephone numbers, mail addresses and its website.

Numbers have the one form that all countries share (E.164). `phonenumbers` knows the numbers of
every country, but its own search takes a millisecond for every few lines. A pattern finds what can
be a number; the library judges only that. Mail addresses are also found where they are written so
that machines miss them. A website is a link next to the entry, or the site that the page is part
of.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from operator import itemgetter
from typing import NamedTuple

import phonenumbers

from geoscout_directory.categories import word_list
from geoscout_places.model import Page
from geoscout_places.urls import WHO_WE_ARE, domain_of, normalise, split

_NUMBER = re.compile(
    r"(?<![\w.,/@+-])(?:\+|00(?=[1-9])|\(\+)?[\d(]"
    r"[\d ()/.\u00a0\u2009\u2010-\u2013-]{4,22}\d(?![\w@]|[.,]\d)"
)
_FAX = re.compile(r"(?:\b(?:tele)?fax\b|\bf\b)[^\d\n+(]{0,12}\Z", re.IGNORECASE)
_FAX_AFTER = re.compile(r"[ \t]?(?:[(\[]\s?fax|fax\b(?![^\n]{0,6}\d))", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:\b(?:tel|telefon\w*|telephone|phone|ph|fon|call|mobil\w*|handy|cell|hotline|t|m|tél\w*|"
    r"teléfono|telefono|telefoon)\b[^\d\n+(]{0,14}|[\u260e\u2706\U0001f4de\U0001f4f1]\s*\ufe0f?)\Z",
    re.IGNORECASE,
)
_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d|(?:19|20)\d\d\s?[-–]\s?(?:19|20)?\d\d")
_FEWEST, _MOST = 7, 15  # digits
_LOOK_BACK = 24
_TRUNK_ZERO = "(0)"
_MOST_GROUPS_OFF = 3
_LINES_AFTER = 5  # from an address to its first number
_LINES_BETWEEN = 3  # of two numbers of one entry


class FoundPhone(NamedTuple):
    start: int
    end: int
    number: str  # E.164
    is_fax: bool


def find_phones(
    text: str, country: str, start: int = 0, end: int | None = None
) -> list[FoundPhone]:
    """The telephone numbers in a part of a text.

    `country` is where numbers without a country code belong, as an ISO code; with "" only numbers
    with a code are found.
    """
    return list(_find(text, country, start, len(text) if end is None else end))


def _find(text: str, country: str, start: int, end: int) -> Iterator[FoundPhone]:
    at = start
    while match := _NUMBER.search(text, at, end):
        at = match.end()
        first = match.start()
        before = text[max(start, first - _LOOK_BACK) : first].rpartition("\n")[2]
        is_fax = bool(_FAX.search(before) or _FAX_AFTER.match(text, match.end(), end))
        is_labelled = bool(_LABEL.search(before))
        for written in _beginnings(match[0]):
            if is_labelled or is_fax or _looks_like_phone(written, country):
                number = normal_phone(written, country)
                if number:
                    at = first + len(written)
                    yield FoundPhone(first, at, number, is_fax)
                    break


def numbers_of_entry(found: Sequence[FoundPhone], text: str, end: int) -> Sequence[FoundPhone]:
    """The numbers of one entry: those that stand together, near the `end` of its address.

    After more lines a number belongs to something else, whose address is not known.
    """
    most = _LINES_AFTER
    for place, phone in enumerate(found):
        if phone.start > end and text.count("\n", end, phone.start) > most:
            return found[:place]
        end, most = max(end, phone.end), _LINES_BETWEEN
    return found


def _beginnings(written: str) -> Iterator[str]:
    """A number, then the number without its last groups: another number may follow without a word.

    Only groups that a space sets apart are taken off, and not many.
    """
    yield written
    for _ in range(_MOST_GROUPS_OFF):
        written = written.rpartition(" ")[0].rstrip(" /.-(")
        if sum(map(str.isdigit, written)) < _FEWEST:
            return
        yield written


def _looks_like_phone(written: str, country: str) -> bool:
    """Whether a number without any word for it can be a telephone number.

    Dates, years and plain numbers are more frequent than telephone numbers.
    """
    if _DATE.search(written) or written.count(".") > 3:
        return False
    if written.startswith(("+", "00", "(+")):
        return True
    return len(re.split(r"\D+", written.strip("("))) >= _groups(country)


def _groups(country: str) -> int:
    """How many groups of digits a number has at least: a plain number has one."""
    return 3 if country in ("US", "CA") else 2


@lru_cache(maxsize=4096)
def normal_phone(written: str, country: str) -> str:
    """A number as E.164; "" for what is not a number of the country, or lacks its area code.

    >>> normal_phone("089 / 2 10-13", "DE"), normal_phone("(907) 274-2739", "US")
    ('+498921013', '+19072742739')
    >>> normal_phone("2185 1920", "DE")
    ''
    """
    plain = written.replace(_TRUNK_ZERO, "") if "+" in written else written
    if not _FEWEST <= sum(map(str.isdigit, plain)) <= _MOST + 2:
        return ""
    if not _is_whole(plain, country):
        return ""
    quick = _quick_number(plain, country)
    if quick is not None:
        return quick
    try:
        number = phonenumbers.parse(plain, country or None)
    except phonenumbers.NumberParseException:
        return ""
    if number.extension or not phonenumbers.is_valid_number(number):
        return ""
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


class _Plan(NamedTuple):
    """What the numbers of a country look like that shares its code with no other."""

    code: str
    prefix: str
    lengths: frozenset[int]
    number: re.Pattern[str]


@cache
def _plan(country: str) -> _Plan | None:
    """The plan of a country; None where only the library can tell."""
    metadata = phonenumbers.PhoneMetadata.metadata_for_region(country, None)
    if metadata is None or metadata.national_prefix != metadata.national_prefix_for_parsing:
        return None
    code = metadata.country_code or 0
    if (
        len(phonenumbers.COUNTRY_CODE_TO_REGION_CODE.get(code, "")) > 1
        or not metadata.national_prefix
    ):
        return None
    kinds = [
        kind
        for kind in (getattr(metadata, name) for name in _KINDS)
        if kind is not None and kind.national_number_pattern
    ]
    general = metadata.general_desc
    if general is None or not general.national_number_pattern:
        return None
    patterns = "|".join(f"(?:{kind.national_number_pattern})" for kind in kinds)
    return _Plan(
        str(code),
        metadata.national_prefix,
        frozenset(general.possible_length),
        re.compile(rf"(?=(?:{general.national_number_pattern})\Z)(?:{patterns})\Z"),
    )


_KINDS = (
    "fixed_line", "mobile", "toll_free", "premium_rate", "shared_cost", "personal_number", "voip",
    "pager", "uan", "voicemail",
)  # fmt: skip
_DIGITS = re.compile(r"\D+")


def _quick_number(written: str, country: str) -> str | None:
    """A plain national number as E.164, as the library writes it, in a tenth of its time.

    None for whatever is not plain: other countries, or what the plan does not say.
    """
    plan = _plan(country)
    digits = _DIGITS.sub("", written)
    if plan is None or "+" in written or not digits.startswith(plan.prefix):
        return None
    national = digits[len(plan.prefix) :]
    if national.startswith(plan.prefix) or len(national) not in plan.lengths:
        return None
    return f"+{plan.code}{national}" if plan.number.match(national) else None


def _is_whole(written: str, country: str) -> bool:
    """Whether a number has its area code: where those begin with 0, others are local."""
    digits = written.lstrip("( ")
    if digits.startswith(("+", "00")):
        return True
    metadata = phonenumbers.PhoneMetadata.metadata_for_region(country, None)
    if metadata is None:
        return False
    return metadata.national_prefix != "0" or digits.startswith("0")


def shown_phone(number: str) -> str:
    """A number of E.164 as people write it: +49 89 21013."""
    try:
        parsed = phonenumbers.parse(number, None)
    except phonenumbers.NumberParseException:
        return number
    return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.INTERNATIONAL)


_AT = r"(?:@|\s?[\[({<]\s?(?:at|ät|@)\s?[\])}>]\s?|\s(?:at|AT)\s(?=[\w-]+\s?[\[({]))"
_DOT = r"(?:\.|\s?[\[({<]\s?(?:dot|punkt|\.)\s?[\])}>]\s?)"
_MAIL = re.compile(
    rf"(?<![\w.+-])([A-Za-z0-9][\w.+-]{{0,63}}){_AT}((?:[A-Za-z0-9-]{{1,63}}{_DOT}){{1,4}}[A-Za-z]{{2,18}})(?![\w@-])",
    re.IGNORECASE,
)
_DOTS = re.compile(_DOT, re.IGNORECASE)
# Names of pictures for screens with more dots, and what forms show as an example.
_NO_HOST = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|css|js)$|^(?:example|domain|email|mail)\.\w+$")


def find_mails(text: str, start: int = 0, end: int | None = None) -> list[str]:
    """The mail addresses in a part of a text, in lower case, each once.

    >>> find_mails("Write to info [at] inn.example or to Post@Inn.Example")
    ['info@inn.example', 'post@inn.example']
    >>> find_mails("look at photo@2x.png")
    []
    """
    part = text[start:end]
    if "@" not in part and "at" not in part.lower() and "ät" not in part:
        return []
    return list(dict.fromkeys(filter(None, (_plain(m) for m in _MAIL.finditer(part)))))


def _plain(match: re.Match[str]) -> str:
    host = _DOTS.sub(".", match[2]).lower()
    if _NO_HOST.search(host):
        return ""
    return f"{match[1].lower().rstrip('.')}@{host}"


# Where many have a page, and nobody a site.
_SHARED = word_list("shared_hosts")
_WRITTEN = re.compile(
    r"(?<![\w@.])(?:https?://[^\s<>\"]{4,200}|www\.[\w-]+(?:\.[\w-]+){1,3}(?:/[^\s<>\"]{0,100})?)",
    re.IGNORECASE,
)
_ABOUT_US = re.compile(WHO_WE_ARE, re.IGNORECASE)


def home_of(url: str) -> str:
    """The home page of the site that a URL is part of."""
    return normalise(f"{url.partition('://')[0]}://{split(url).host}/") or url


def is_shared(url: str) -> bool:
    """Whether a URL is at a service where many have a page."""
    site = domain_of(url)
    return not site or site in _SHARED or site.partition(".")[0] in _SHARED


def is_about_site(url: str) -> bool:
    """Whether a page tells who its site is: its home, its imprint, its contact page."""
    path = url.partition("://")[2].partition("/")[2]
    return not path or _ABOUT_US.search(path) is not None


class LinkPlaces:
    """Where the links of a page to other sites stand in its text.

    A `Link` has no offsets. Links are in the order of the page, so each is looked for after the
    one before; the first place that has its words is never behind the true one.
    """

    def __init__(self, page: Page) -> None:
        self._own, at = domain_of(page.url), 0
        self._found: list[tuple[int, str]] = []
        for link in page.links:
            anchor = link.anchor or link.alt
            position = page.text.find(anchor, at) if link.anchor else at
            at = max(at, position)
            self._found.append((position if position >= 0 else at, link.url))

    def between(self, start: int, end: int) -> list[str]:
        """The links to other sites in a stretch of the text."""
        first = bisect_left(self._found, start, key=itemgetter(0))
        last = bisect_right(self._found, end, key=itemgetter(0))
        found = (url for _, url in self._found[first:last])
        return [url for url in found if domain_of(url) != self._own and not is_shared(url)]


def written_website(lines: Sequence[str], own_site: str) -> str:
    """The first URL that lines of a text spell out; "" for none. Links of the own site are none."""
    for line in lines:
        for match in _WRITTEN.finditer(line):
            text = match[0].rstrip(".,;:)]")
            url = normalise(text if "://" in text else f"http://{text}")
            if url and not is_shared(url) and domain_of(url) != own_site:
                return url
    return ""
