"""Draws passages at random, without asking any geoparser.

    python -m benchmarks.passages.draw --corpora DIR --packages DIR --out DIR --language de

Writes DIR/de.txt, each passage under a line `=== de001 HOST`, for a person to read and label, and
DIR/de.tsv, the rows for passages.tsv. README.md says by which rule.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.passages.sources import SavedPage, all_pages, digest_of
from geoscout_places.model import Page

SEED = 20261116
SHORTEST, WANTED, LONGEST = 200, 300, 600
MOST_OF_HOST, MOST_OF_LARGE_HOST = 3, 24
TRIES = 12  # passages of a page before another page is taken
LARGE_SOURCES = {"archive:munich", "archive:usdirs", "archive:schoolswiki"}
DEVELOPED_ON = {"muenchen.de"}  # crawls of it are looked at while the geoparser is worked on
LETTERS = 2 / 3
FUNCTION_WORDS = 1 / 25
WORDS = {
    "en": "the of and to in is for on with this that you your are from by as at be or an we our",
    "de": "der die das und ist den von zu mit für auf ein eine nicht sich des im dem als auch"
    " wir sie",
    "fr": "le la les des et est du une un pour dans sur que qui au aux avec par vous votre nous ce",
    "it": "il di che la e per un una del della con non sono le gli dei nel alla da si i tuo",
    "es": "el la de que y los en un una por con para las del se su al es más tu lo como",
    "nl": "de het een en van voor met op is dat niet te zijn aan ook bij naar je uw deze of wij",
    "pt": "o de que não em uma para com os do da é mais por as dos ao na no você se um seu",
    "da": "og at det er en på for af med til den ikke som har du vi kan fra din eller jeg der af",
    "sv": "och att det som är en på för av med till den inte om ett har du vi kan från din eller",
}
LISTS = {language: frozenset(words.split()) for language, words in WORDS.items()}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A passage that was drawn."""

    saved: SavedPage
    text_digest: str
    start: int
    text: str


def language_of(text: str) -> str:
    """The language whose function words are the most frequent, or "" where there are few."""
    words = re.findall(r"\w+", text.lower())
    counts = {name: sum(word in words_ for word in words) for name, words_ in LISTS.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] > len(words) * FUNCTION_WORDS else ""


def part_of(host: str) -> str:
    """`dev` or `test`: all passages of a host are in the same part."""
    if host in DEVELOPED_ON:
        return "dev"
    return "test" if hashlib.sha256(f"{SEED} {host}".encode()).digest()[0] % 2 else "dev"


def cut(page: Page, first: int) -> tuple[int, int]:
    """Where the passage that begins with a block begins and ends."""
    start = page.blocks[first].start
    ends = [b.end for b in page.blocks[first:] if b.end <= start + LONGEST]
    if ends and (ends[-1] - start >= WANTED or first + len(ends) == len(page.blocks)):
        return start, ends[-1]
    end = page.text.rfind(" ", start, start + LONGEST)
    return start, end if end > start else min(len(page.text), start + LONGEST)


def is_good(text: str, language: str, earlier: Sequence[str]) -> bool:
    """Whether a passage can be kept."""
    told = sum(letter.isalpha() or letter.isspace() for letter in text)
    lines = [line for line in text.split("\n") if line.strip()]
    known = sum(any(line in other for other in earlier) for line in lines)
    return (
        len(text) >= SHORTEST
        and told >= len(text) * LETTERS
        and language_of(text) in {language, ""}
        and known * 2 < len(lines)
    )


def draw_from(
    saved: SavedPage, language: str, earlier: list[str], chance: random.Random
) -> Drawn | None:
    """A passage of a page, or None where twelve tries give none."""
    page = saved.parse()
    if not page.blocks or language_of(page.text) != language:
        return None
    for _ in range(TRIES):
        start, end = cut(page, chance.randrange(len(page.blocks)))
        text = page.text[start:end]
        if is_good(text, language, earlier):
            return Drawn(saved, digest_of(page.text), start, text)
    return None


def draw(pages: Sequence[SavedPage], language: str, count: int) -> Iterator[Drawn]:
    """Passages of the sources in turn, each of a host that has given the fewest so far."""
    chance = random.Random(f"{SEED} {language}")
    earlier: dict[str, list[str]] = defaultdict(list)
    sources = {saved.source: by_host(pages, saved.source) for saved in pages}
    given = 0
    while sources and given < count:
        for source in chance.sample(sorted(sources), len(sources)):
            hosts = sources[source]
            host = min(hosts, key=lambda host: (len(earlier[host]), chance.random()))
            drawn = _draw_from_host(hosts[host], language, earlier[host], chance)
            if drawn and given < count:
                given += 1
                earlier[host].append(drawn.text)
                yield drawn
            if drawn is None or len(earlier[host]) >= _most(drawn.saved):
                del hosts[host]
        sources = {source: hosts for source, hosts in sources.items() if hosts}


def _most(saved: SavedPage) -> int:
    return MOST_OF_LARGE_HOST if saved.source in LARGE_SOURCES else MOST_OF_HOST


def _draw_from_host(
    pages: list[SavedPage], language: str, earlier: list[str], chance: random.Random
) -> Drawn | None:
    for saved in chance.sample(pages, min(TRIES, len(pages))):
        drawn = draw_from(saved, language, earlier, chance)
        if drawn:
            return drawn
    return None


def by_host(pages: Sequence[SavedPage], source: str) -> dict[str, list[SavedPage]]:
    """The pages of a source by host."""
    hosts: dict[str, list[SavedPage]] = defaultdict(list)
    for saved in pages:
        if saved.source == source:
            hosts[saved.host].append(saved)
    return hosts


def main() -> None:
    """Draw and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("corpora", "packages", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--language", required=True, choices=sorted(WORDS))
    parser.add_argument("--count", type=int, default=60)
    args = parser.parse_args()
    every = all_pages(args.corpora, args.packages)
    pages = [saved for saved in every if language_of(saved.parse().text) == args.language]
    print(f"{len(pages)} pages of {len({saved.host for saved in pages})} hosts")
    write(list(draw(pages, args.language, args.count)), args.language, args.out)


def write(passages: Sequence[Drawn], language: str, folder: Path) -> None:
    """Write the passages for reading, and their rows."""
    rows = ["id\tsource\tpage\ttext\tstart\tlength\tlanguage\tpart\thost"]
    texts = []
    for number, drawn in enumerate(passages, 1):
        name, saved = f"{language}{number:03d}", drawn.saved
        fields = (saved.source, saved.path, drawn.text_digest, drawn.start, len(drawn.text))
        cells = (name, *fields, language, part_of(saved.host), saved.host)
        rows.append("\t".join(map(str, cells)))
        texts.append(f"=== {name} {saved.host}\n{drawn.text}\n")
    (folder / f"{language}.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / f"{language}.txt").write_text("\n".join(texts), encoding="utf-8")


if __name__ == "__main__":
    main()
