"""Derives the words of questions: those that say nothing, and those that name a sort of thing.

Which words say nothing is told by two sources together: a collection of function words
(stopwords-iso) has them, and they are among the most frequent of their language (wordfreq). The
first alone has "computer" and "world". They go into the files of `geoscout_places/language`.

What a sort of thing is called comes from the presets of OpenStreetMap's editor (id-tagging-schema),
which its community translates: names, aliases, and long search terms that stand for one preset
only, but not the English ones, which are everyday words ("safe" for a bank). They go into
`geoscout_directory/data/category_words.tsv.xz`, for the categories that `categories.tsv` has and
for other sorts of things that may have opening hours. What its form calls an address, a telephone
and the like stands before them on pages, too: `address_words.txt` and `field_words.txt`.
"""

import json
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.derive.pins import Source
from tools.derive.sources import Library, format_rows, write_xz
from tools.derive.word_counts import COUNTS, counted_languages, read_counts, word_list
from tools.derive.words import FUNCTION_WORDS

from geoscout_places.language import shipped_languages

PRESETS = Source(
    "npm",
    "@openstreetmap/id-tagging-schema",
    "6.19.2",
    "openstreetmap-id-tagging-schema-6.19.2.tgz",
    "c8d410007593ce458f7d38381458f20bf73412f7e2c2c075c147a7f916e95555",
    licence="ISC",
)
_MOST_FREQUENT = 150  # words of a language
_LONGEST = 3  # words of a name
_KEYS = frozenset("amenity craft healthcare historic leisure office shop tourism".split())
_LONG = 8  # letters of a search term that is hardly a word of every day
_STOP_WORDS = re.compile(r"^stop_words = (?:'''.*?'''|'[^']*')$", re.DOTALL | re.MULTILINE)
_LINE = 98  # letters
_FIELDS = ("phone", "email", "website", "fax", "opening_hours")


def derive(library: Library, languages: Path, directory: Path) -> None:
    """Rewrite the lists of stop words, and write the table of categories."""
    function_words = library.read_json(FUNCTION_WORDS, "stopwords-iso.json")
    members = set(library.members(COUNTS))
    for language in counted_languages():
        counts = read_counts(word_list(library, members, language.code))
        frequent = [word for word, _ in counts][:_MOST_FREQUENT]
        known = set(function_words[language.code]).intersection(frequent)
        path = languages / f"{language.code}.toml"
        words = sorted(known.union(language.query.stop_words))
        path.write_text(_STOP_WORDS.sub(_wrapped(words), path.read_text("utf-8"), count=1), "utf-8")
    rows = list(category_rows(library, set(_tags(directory / "categories.tsv"))))
    size = write_xz(
        directory / "category_words.tsv.xz", format_rows(("tag", "names", "terms"), rows)
    )
    print(f"category_words: {len(rows):,} rows, {size:,} bytes", file=sys.stderr)
    for name, fields in (("address", ("address",)), ("field", _FIELDS)):
        text = textwrap.fill(" ".join(sorted(field_words(library, fields))), _LINE)
        (directory / f"{name}_words.txt").write_text(f"{text}\n", "utf-8")


def field_words(library: Library, fields: Sequence[str]) -> set[str]:
    """What the form of the editor calls some fields, in one word, in our languages."""
    ours = {language.code for language in shipped_languages()}
    found: set[str] = set()
    for member, content in library.read_ending(PRESETS, ".json"):
        code = Path(member).stem
        if member.startswith("dist/translations/") and code.partition("-")[0] in ours:
            texts = json.loads(content).get(code, {}).get("presets", {}).get("fields", {})
            found.update(texts.get(name, {}).get("label", "").strip().lower() for name in fields)
    return {word for word in found if word and " " not in word and "<" not in word}


def _wrapped(words: Iterable[str]) -> str:
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > _LINE:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    text = "\n".join(lines)
    return f"stop_words = '''\n{text}\n'''"


def _tags(table: Path) -> Iterator[str]:
    for line in table.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            yield line.partition("\t")[0]


def category_rows(library: Library, ours: set[str]) -> Iterator[list[str]]:
    """For each tag its names and further terms, in all languages that we know.

    The tags of `categories.tsv`, and those of other things that may have opening hours.
    """
    presets = library.read_json(PRESETS, "dist/presets.json")
    tags = ours | {preset.replace("/", "=") for preset in presets if _is_open(preset, presets)}
    named: dict[str, tuple[dict[str, None], dict[str, None]]] = {t: ({}, {}) for t in sorted(tags)}
    for language in shipped_languages():
        member = f"dist/translations/{language.code}.json"
        texts = library.read_json(PRESETS, member)[language.code]["presets"]["presets"]
        for preset, (names, terms) in own_words(texts).items():
            if found := named.get(preset.replace("/", "=", 1)):
                found[0].update(dict.fromkeys(names))
                found[1].update(dict.fromkeys(terms if language.code != "en" else ()))
    for tag, (own, further) in named.items():
        if own:
            yield [tag, ",".join(own), ",".join(word for word in further if word not in own)]


def _is_open(preset: str, presets: Mapping[str, Any]) -> bool:
    """Whether something is of a sort that businesses, clubs and offices are."""
    key, _, value = preset.partition("/")
    if key not in _KEYS or not value or "/" in value or not presets[preset].get("searchable", True):
        return False
    return "opening_hours" in {*_fields(preset, presets), *_fields(preset, presets, "moreFields")}


def _fields(preset: str, presets: Mapping[str, Any], kind: str = "fields") -> Iterator[str]:
    """The fields of a preset: its own, else its parent's; "{office}" means those of another."""
    own = presets.get(preset, {}).get(kind)
    if own is None and "/" in preset:
        yield from _fields(preset.rpartition("/")[0], presets, kind)
    for name in own or ():
        if name.startswith("{") and name != f"{{{preset}}}":
            yield from _fields(name.strip("{}"), presets, kind)
        else:
            yield name


def own_words(
    presets: Mapping[str, Mapping[str, Any]],
) -> dict[str, tuple[list[str], list[str]]]:
    """The names of each preset, and its long terms that no other preset has, in lower case.

    A name that two presets have is that of the shorter path: shop=bakery before craft/bakery/….
    """
    owner: dict[str, str] = {}
    for preset in sorted(presets, key=lambda preset: (preset.count("/"), preset)):
        for word in _texts(presets[preset], "name", "aliases"):
            owner.setdefault(word, preset)
    told = {preset: set(_texts(texts, "terms")) for preset, texts in presets.items()}
    used = Counter(word for words in told.values() for word in words)
    found: dict[str, tuple[list[str], list[str]]] = {preset: ([], []) for preset in presets}
    for word, preset in owner.items():
        found[preset][0].append(word)
    for preset, words in told.items():
        mine = (w for w in words if used[w] == 1 and len(w) >= _LONG and w not in owner)
        found[preset][1].extend(sorted(mine))
    return found


def _texts(texts: Mapping[str, Any], *fields: str) -> Iterator[str]:
    for field in fields:
        for text in re.split(r"[,\n]", texts.get(field, "")):
            word = " ".join(text.lower().split())
            if len(word) > 2 and len(word.split()) <= _LONGEST and "<" not in word:
                yield word


if __name__ == "__main__":
    derive(
        Library(Path(".cache/sources")),
        Path("src/geoscout_places/language"),
        Path("src/geoscout_directory/data"),
    )
