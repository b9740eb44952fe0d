"""Entries of the directory as JSON, as the API has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from geoscout.entries import EntryFactsJson, EntryJson
from geoscout.store.records import date_text
from geoscout_directory.contacts import domain_of, shown_phone
from geoscout_directory.formats import contact_row, where_row
from geoscout_directory.listing.finding import EntryStory, ListedEntry, SourcePage
from geoscout_directory.records import DirectoryEntry, PageEntry

LONGEST_NAME = 300  # letters; a hostile page may give one of megabytes


class StatementJson(EntryFactsJson):
    """What one page says of an entry."""

    url: str
    n: int | None  # of the visit
    fetched_at: str | None
    evidence: str  # where the name stands: a kind of markup, line, heading, title or site
    own_site: bool  # the page is part of the entry's website


class MergeJson(TypedDict):
    """Why what two pages say is about the same thing."""

    one: str
    other: str
    why: str


class SaidValueJson(TypedDict):
    """A value, and the first page that says it."""

    value: str
    url: str


class EntryChangeJson(TypedDict):
    """A line of the history of an entry."""

    at: str
    what: str  # changed, renamed, gone or returned
    field: str
    before: str
    after: str


class EntryStoryJson(EntryJson):
    """An entry with what each page says of it, and its history."""

    crawl: str
    said: list[StatementJson]
    merged: list[MergeJson]
    contradictions: dict[str, list[SaidValueJson]]  # by field; the chosen value first
    history: list[EntryChangeJson]
    gone: bool  # no page names it any more
    followed_by: str  # id of the entry that pages name in its place; "" for none


def entry_json(listed: ListedEntry) -> EntryJson:
    entry = listed.entry
    return {
        "id": listed.id,
        **_facts(entry),
        "shown_phones": [shown_phone(phone) for phone in entry.phones],
        "pages": len({said.url for said in entry.said}),
        "sites": len({domain_of(said.url) for said in entry.said}),
        "source": entry.said[0].url,
        "first_seen": date_text(listed.first_seen),
        "last_seen": date_text(listed.last_seen),
        "disagreements": len(entry.contradictions),
    }


def _facts(entry: DirectoryEntry | PageEntry) -> EntryFactsJson:
    return {"name": entry.name[:LONGEST_NAME], **where_row(entry), **contact_row(entry)}  # type: ignore[typeddict-item]


def story_json(story: EntryStory, crawl: str, most: int) -> EntryStoryJson:
    """An entry with everything known of it; of what pages say, the first `most`."""
    entry = story.listed.entry
    return {
        **entry_json(story.listed),
        "crawl": crawl,
        "said": _statements(entry.said[:most], story.pages),
        "merged": [
            {"one": reason.one, "other": reason.other, "why": reason.why}
            for reason in entry.reasons[:most]
        ],
        "contradictions": {
            found.field: [{"value": value, "url": url} for value, url in found.values]
            for found in entry.contradictions
        },
        "history": [
            {
                "at": date_text(change.at),
                "what": str(change.what),
                "field": change.field,
                "before": change.before,
                "after": change.after,
            }
            for change in story.history
        ],
        "gone": story.is_gone,
        "followed_by": story.followed_by,
    }


def _statements(said: Sequence[PageEntry], pages: Mapping[str, SourcePage]) -> list[StatementJson]:
    made: list[StatementJson] = []
    for statement in said:
        page = pages.get(statement.url)
        made.append(
            {
                **_facts(statement),
                "url": statement.url,
                "n": page.visit if page else None,
                "fetched_at": date_text(page.answered_at) if page else None,
                "evidence": statement.evidence,
                "own_site": statement.is_own,
            }
        )
    return made
