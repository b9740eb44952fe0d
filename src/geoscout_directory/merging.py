"""Statements of many pages about the same things, brought together.

Two statements with a house number are about one thing only in one house, and two statements of
different towns never are. So statements are merged town by town (`town_partition`), which needs
little memory and can be done again for the towns that have changed. In a town, statements are
compared only in blocks: those of one house, and for those without a house the ones with the same
telephone number, website or word of the name. In a large block each is compared with its neighbours
by name. So the work grows with the number of statements.

The surest pairs are joined first. What is joined never has two houses, nor two statements of one
page, so a statement without a house cannot make two branches of a chain one. The result does not
depend on the order of the statements.

Of what is joined one entry is made (`make_entry`). The website of the thing itself is believed
before a directory, markup before text, what more pages say before what fewer say. What is not
chosen is kept: every statement stays with its page.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

from rapidfuzz.fuzz import token_sort_ratio

from geoscout_directory.likeness import Likeness, NormalForm, likeness, name_form, normal_form
from geoscout_directory.opening import days_of
from geoscout_directory.records import (
    Contradiction,
    DirectoryEntry,
    MergeReason,
    NamePlace,
    PageEntry,
    street_line,
)
from geoscout_places.model import Address, Precision
from geoscout_places.urls import domain_of

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
        price=next((entry.price for entry in ordered if entry.price), ""),
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


_ALL_PAIRS = 24  # statements of a block that are all compared with each other
_NEIGHBOURS = 8  # that each is compared with in a larger block
_NAME_KEYS = 3  # words of a name that make blocks, the longest
_SHORTEST_KEY = 3
_Key = tuple[str, str]


def town_partition(form: NormalForm) -> str:
    """Which statements a statement can be merged with: those of its town.

    "" for a statement without a town that has a telephone number, and may be of any town. Others
    without a town are with those of the same website.
    """
    if form.town:
        return form.town
    return "" if form.phones else f"site {form.site}" if form.site else f"name {form.name}"


def lost_partition(form: NormalForm) -> str:
    """The partition of a statement without a town whose telephone number tells of none either."""
    return f"site {form.site}" if form.site else f"phone {min(form.phones)}"


def merge_entries(entries: Iterable[PageEntry]) -> list[DirectoryEntry]:
    """The things that statements are about, in the order of their names; the same for any order.

    All are held in memory; `storage.DirectoryFile` does the same with files.
    """
    partitions: dict[str, list[PageEntry]] = defaultdict(list)
    towns: dict[str, set[str]] = defaultdict(set)  # by telephone number
    roaming: list[tuple[NormalForm, PageEntry]] = []
    for entry in entries:
        form = normal_form(entry)
        partition = town_partition(form)
        if not partition:
            roaming.append((form, entry))
            continue
        partitions[partition].append(entry)
        for phone in form.phones if form.town else ():
            towns[phone].add(partition)
    for form, entry in roaming:
        partitions[roamer_partition(form, (towns.get(phone, ()) for phone in form.phones))].append(
            entry
        )
    made = (entry for said in partitions.values() for entry in merge_partition(said))
    return sorted(made, key=order_of)


def roamer_partition(form: NormalForm, towns: Iterable[Iterable[str]]) -> str:
    """The partition of a statement without a town: the one town that its numbers are of."""
    found = {town for some in towns for town in some}
    return found.pop() if len(found) == 1 else lost_partition(form)


def order_of(entry: DirectoryEntry) -> tuple[str, str]:
    """What entries are sorted by."""
    return entry.name.casefold(), entry.id


def merge_partition(entries: Iterable[PageEntry]) -> list[DirectoryEntry]:
    """The things that the statements of one partition are about."""
    groups = _identical(entries)
    forms = [form for form, _ in groups]
    said = [some for _, some in groups]
    clusters = _Clusters(forms, said)
    for pair in sorted(_alike(forms), key=lambda pair: pair.rank):
        clusters.join(pair)
    return [make_entry(some, reasons) for some, reasons in clusters.made()]


def _identical(entries: Iterable[PageEntry]) -> list[tuple[NormalForm, list[PageEntry]]]:
    """The statements in groups that say the same, as the footer of every page of a site does."""
    groups: dict[tuple[str, str, frozenset[str], str], tuple[NormalForm, list[PageEntry]]] = {}
    ordered = sorted(entries, key=lambda e: (e.url, e.name, e.address.text if e.address else ""))
    for entry in ordered:
        form = normal_form(entry)
        key = (form.name, form.house or form.town, form.phones, form.site)
        groups.setdefault(key, (form, []))[1].append(entry)
    return list(groups.values())


class _Pair(NamedTuple):
    rank: tuple[bool, int, int, int]  # the same house first, then by how alike, then by place
    one: int
    other: int
    why: str


def _alike(forms: Sequence[NormalForm]) -> Iterator[_Pair]:
    """The pairs that are about the same thing, by themselves."""
    seen: set[tuple[int, int]] = set()
    for one, other in _pairs(forms):
        if (one, other) in seen:
            continue
        seen.add((one, other))
        found: Likeness | None = likeness(forms[one], forms[other])
        if found is not None:
            yield _Pair((not found.same_house, -found.alike, one, other), one, other, found.why)


def _pairs(forms: Sequence[NormalForm]) -> Iterator[tuple[int, int]]:
    houses: dict[str, list[int]] = defaultdict(list)
    for index, form in enumerate(forms):
        houses[form.house].append(index)
    bare = frozenset(houses.pop("", ()))  # without a house
    for members in houses.values():
        if len(members) > 1:
            yield from _pairs_of(members, forms)
    if bare:
        yield from _pairs_with(bare, forms)


def _pairs_with(bare: frozenset[int], forms: Sequence[NormalForm]) -> Iterator[tuple[int, int]]:
    """The pairs of which at least one has no house."""
    blocks: dict[_Key, list[int]] = defaultdict(list)
    wanted = {key for index in bare for key in _keys(forms[index])}
    for index, form in enumerate(forms):
        for key in _keys(form):
            if key in wanted:
                blocks[key].append(index)
    for members in blocks.values():
        for one, other in _pairs_of(members, forms) if len(members) > 1 else ():
            if one in bare or other in bare:
                yield one, other


def _keys(form: NormalForm) -> Iterator[_Key]:
    for phone in form.phones:
        yield "phone", phone
    if form.site:
        yield "site", form.site
    words = sorted((w for w in form.tokens if len(w) >= _SHORTEST_KEY), key=lambda w: (-len(w), w))
    for word in words[:_NAME_KEYS]:
        yield "word", word


def _pairs_of(members: Sequence[int], forms: Sequence[NormalForm]) -> Iterator[tuple[int, int]]:
    if len(members) <= _ALL_PAIRS:
        for position, one in enumerate(members):
            for other in members[position + 1 :]:
                yield one, other
        return
    ordered = sorted(members, key=lambda index: (forms[index].name, index))
    for position, one in enumerate(ordered):
        for other in ordered[position + 1 : position + 1 + _NEIGHBOURS]:
            yield min(one, other), max(one, other)


class _Clusters:
    """Statements that are about the same things, joined pair by pair."""

    def __init__(self, forms: Sequence[NormalForm], said: Sequence[Sequence[PageEntry]]) -> None:
        self._said = said
        self._above = list(range(len(forms)))
        self._houses = [form.house for form in forms]  # of the cluster, at its first member
        self._urls: dict[int, frozenset[str]] = {}  # of its pages, where it was asked for
        self._reasons: dict[int, list[MergeReason]] = defaultdict(list)

    def join(self, pair: _Pair) -> None:
        """Join the clusters of a pair, unless they are two houses or are on one page."""
        first, second = sorted((self._first(pair.one), self._first(pair.other)))
        house, other = self._houses[first], self._houses[second]
        if first == second or (house and other and house != other):
            return
        pages, others = self._pages(first), self._pages(second)
        if not pages.isdisjoint(others):
            return
        self._above[second] = first
        self._houses[first] = house or other
        self._urls[first] = pages | others
        why = MergeReason(self._said[pair.one][0].url, self._said[pair.other][0].url, pair.why)
        self._reasons[pair.one].append(why)

    def made(self) -> Iterator[tuple[list[PageEntry], tuple[MergeReason, ...]]]:
        """The statements of each cluster, and why they are together."""
        members: dict[int, list[int]] = defaultdict(list)
        for index in range(len(self._said)):
            members[self._first(index)].append(index)
        for indices in members.values():
            said = [entry for index in indices for entry in self._said[index]]
            reasons = (why for index in indices for why in self._reasons.get(index, ()))
            yield said, tuple(reasons)

    def _first(self, member: int) -> int:
        above = self._above
        while above[member] != member:
            above[member] = above[above[member]]
            member = above[member]
        return member

    def _pages(self, first: int) -> frozenset[str]:
        found = self._urls.get(first)
        return frozenset(entry.url for entry in self._said[first]) if found is None else found
