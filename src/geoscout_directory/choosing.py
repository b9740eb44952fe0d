"""One entry of what several pages say: which name, address and hours count, and who disagrees.

The website of the thing itself is believed before a directory, markup before text, what more pages
say before what fewer say. What is not chosen is kept: every statement stays with its page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b

from rapidfuzz.fuzz import token_sort_ratio

from geoscout_directory.likeness import name_form, normal_form
from geoscout_directory.opening import days_of
from geoscout_directory.records import (
    Contradiction,
    DirectoryEntry,
    MergeReason,
    NamePlace,
    PageEntry,
    street_line,
)
from geoscout_directory.websites import domain_of
from geoscout_places.model import Address, Precision

_PLACES = {NamePlace.HEADING: 1, NamePlace.LINE: 2, NamePlace.TITLE: 3, NamePlace.SITE: 4}
_PRECISIONS = tuple(Precision)
_MOST_PHONES, _MOST_MAILS, _MOST_CATEGORIES = 8, 5, 4
_ANOTHER_NAME = 70  # of 100; names less alike than this contradict each other
_MOST_VALUES = 5  # of a contradiction


def make_entry(said: Sequence[PageEntry], reasons: tuple[MergeReason, ...]) -> DirectoryEntry:
    """The entry of all that was said of one thing."""
    ordered = sorted(said, key=_trust)
    name = _chosen_name(ordered)
    address, place_id = _chosen_address(ordered)
    hours = [entry.hours for entry in ordered if entry.hours]
    return DirectoryEntry(
        id=_id(name, ordered),
        name=name,
        address=address,
        place_id=place_id,
        phones=_all(ordered, lambda entry: entry.phones)[:_MOST_PHONES],
        mails=_all(ordered, lambda entry: entry.mails)[:_MOST_MAILS],
        hours=max(hours, key=days_of, default=""),
        categories=_all(ordered, lambda entry: entry.categories)[:_MOST_CATEGORIES],
        website=next((entry.website for entry in ordered if entry.website), ""),
        said=tuple(ordered),
        reasons=reasons,
        contradictions=tuple(_contradictions(name, ordered)),
    )


def _trust(entry: PageEntry) -> tuple[bool, int, str]:
    """The order of trust, the most trusted first."""
    return (
        not entry.is_own,
        _PLACES.get(NamePlace(entry.evidence), 0) if _is_text(entry) else 0,
        entry.url,
    )


def _is_text(entry: PageEntry) -> bool:
    return entry.evidence in tuple(NamePlace)


def _chosen_name(ordered: Sequence[PageEntry]) -> str:
    """The name that the thing's own site gives it, or that most sites give it."""
    own = [entry for entry in ordered if entry.is_own]
    sites: dict[str, set[str]] = {}
    for entry in own or ordered:
        sites.setdefault(name_form(entry.name), set()).add(domain_of(entry.url))
    rank = {form: (-len(found), position) for position, (form, found) in enumerate(sites.items())}
    best = min(rank, key=lambda form: rank[form])
    return next(entry.name for entry in ordered if name_form(entry.name) == best)


def _chosen_address(ordered: Sequence[PageEntry]) -> tuple[Address | None, int]:
    placed = [(e.address, e.place_id) for e in ordered if e.address]
    if not placed:
        return None, 0
    return min(placed, key=lambda pair: (not pair[0].street, _rank(pair[0])))


def _rank(address: Address) -> int:
    return _PRECISIONS.index(address.precision) if address.precision else len(_PRECISIONS)


def _all(ordered: Sequence[PageEntry], of: Callable[[PageEntry], Sequence[str]]) -> tuple[str, ...]:
    """All values of a field: those of the own site first, then what most pages say."""
    counts = Counter(value for entry in ordered for value in of(entry))
    own = {value for entry in ordered if entry.is_own for value in of(entry)}
    first = {value: place for place, value in enumerate(counts)}
    return tuple(sorted(counts, key=lambda v: (v not in own, -counts[v], first[v])))


def _id(name: str, ordered: Sequence[PageEntry]) -> str:
    forms = [normal_form(entry) for entry in ordered]
    where = min((form.house for form in forms if form.house), default="")
    where = where or min((form.town for form in forms if form.town), default="")
    phone = "" if where else min((p for form in forms for p in form.phones), default="")
    return blake2b(f"{name_form(name)}\n{where}\n{phone}".encode(), digest_size=8).hexdigest()


def _contradictions(name: str, ordered: Sequence[PageEntry]) -> Iterator[Contradiction]:
    names = [(e.name, e.url) for e in ordered if _is_another(e.name, name)]
    if names:
        yield _contradiction("name", [(name, ordered[0].url), *names])
    for field, of in (
        ("hours", lambda entry: entry.hours),
        ("website", lambda entry: domain_of(entry.website) if entry.website else ""),
        ("address", lambda entry: street_line(entry.address).casefold() if entry.address else ""),
    ):
        values = [(of(entry), entry.url) for entry in ordered if of(entry)]
        if field == "address":
            forms = {normal_form(entry).house for entry in ordered} - {""}
            values = values if len(forms) > 1 else []
        if len({value for value, _ in values}) > 1:
            yield _contradiction(field, values)
    yield from _phones_apart(ordered)


def _phones_apart(ordered: Sequence[PageEntry]) -> Iterator[Contradiction]:
    """Telephone numbers of which no page has two: the number has changed, or one is wrong."""
    given = [(entry.phones, entry.url) for entry in ordered if entry.phones]
    if len(given) > 1 and any(set(given[0][0]).isdisjoint(phones) for phones, _ in given[1:]):
        yield _contradiction("phones", [(", ".join(phones), url) for phones, url in given])


def _is_another(one: str, other: str) -> bool:
    return token_sort_ratio(name_form(one), name_form(other)) < _ANOTHER_NAME


def _contradiction(field: str, values: Sequence[tuple[str, str]]) -> Contradiction:
    first = dict(reversed(values))
    kept = dict.fromkeys(value for value, _ in values)
    return Contradiction(field, tuple((v, first[v]) for v in list(kept)[:_MOST_VALUES]))
