"""A directory that is changed page by page is the same as one that is made at once."""

from __future__ import annotations

import random
from pathlib import Path

from msgspec.structs import replace

from geoscout_directory.merging import merge_entries
from geoscout_directory.records import DirectoryEntry, PageEntry
from geoscout_directory.storage import DirectoryFile
from tests.unit.directory.test_merging import ADDRESS, SALON

NAMES = ("A2 Haarstudio", "A2 Haarstudio GmbH", "Haarstudio A2", "Salon Anna", "Café Krone")
BARE = replace(ADDRESS, street="", house_number="", text="82256 Fürstenfeldbruck")


def some_page(url: str, chance: random.Random) -> list[PageEntry]:
    """What a page may say: of few things, so that much of it is the same."""
    places = [
        replace(ADDRESS, house_number=number, postcode=code)
        for number in ("2", "40")
        for code in ("82256", "80331")
    ]
    return [
        replace(
            SALON,
            url=url,
            name=chance.choice(NAMES),
            address=chance.choice([*places, BARE, None]),
            phones=tuple(chance.sample(["+498141526077", "+498921013"], chance.randrange(1, 3))),
        )
        for _ in range(chance.randrange(4))
    ]


def update(file: DirectoryFile, changed: dict[str, list[PageEntry]], cursor: str) -> None:
    assert file.begin("test")
    for url, entries in changed.items():
        file.replace(url, entries)
    file.merge(cursor)
    file.commit(cursor)


def made(file: DirectoryFile) -> list[DirectoryEntry]:
    return sorted(file.entries(), key=lambda e: (e.name.casefold(), e.id, e.said[0].url))


def test_changed_pages_give_what_all_pages_give_at_once(tmp_path: Path) -> None:
    for seed in range(12):
        chance, pages = random.Random(seed), dict[str, list[PageEntry]]()
        with DirectoryFile(tmp_path / str(seed)) as file:
            for turn in range(5):
                urls = [f"http://g{chance.randrange(6)}.example/" for _ in range(3)]
                changed = {url: some_page(url, chance) for url in urls}
                pages |= changed
                update(file, changed, str(turn))
                said = [entry for entries in pages.values() for entry in entries]
                expected = merge_entries(said)
                assert made(file) == sorted(
                    expected, key=lambda e: (e.name.casefold(), e.id, e.said[0].url)
                )
                assert file.count() == len(expected)


def test_only_towns_that_have_changed_are_merged_again(tmp_path: Path) -> None:
    elsewhere = replace(SALON, url="http://b.example/", address=replace(ADDRESS, postcode="80331"))
    with DirectoryFile(tmp_path) as file:
        update(file, {SALON.url: [SALON], elsewhere.url: [elsewhere]}, "1")
        file.begin("test")
        file.replace(elsewhere.url, [])
        dirty = list(file._statements.dirty())

    assert dirty == ["DE80331"]
