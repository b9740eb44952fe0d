"""Scores the Markdown of pages against texts that people took from them, beside other tools.

    python -m benchmarks.markdown FOLDER

FOLDER has html/NAME.html and txt/NAME.txt, such as the tests/data of the source distribution of
newspaper4k. Precision, recall and F1 are those of runs of four words (letters in scripts without
spaces). trafilatura and resiliparse are run too in an environment that has them.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import mean

from geoscout_places.parse.markdown import to_markdown

_MARKS = re.compile(r"\]\([^)]*\)|[\\*`#>|\[]")
_WITHOUT_SPACES = re.compile(r"[\u0e00-\u0e7f\u1000-\u109f\u3040-\u30ff\u4e00-\u9fff]")
Scores = tuple[float, float, float]


def main() -> None:
    """Print the mean of each tool, and its worst page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    texts = [text for text in sorted(folder.glob("txt/*.txt")) if page_of(text).is_file()]
    for name, read in tools():
        found = {
            text.stem: score(read(page_of(text).read_bytes()), text.read_text(encoding="utf-8"))
            for text in texts
        }
        means = ", ".join(f"{mean(column):.2f}" for column in zip(*found.values(), strict=True))
        worst = min(found, key=lambda name: found[name][2])
        print(f"{name}: {means} on {len(found)} pages, worst {worst} {found[worst][2]:.2f}")


def page_of(text: Path) -> Path:
    """The page of a text."""
    return text.parent.parent / "html" / f"{text.stem}.html"


def tools() -> Iterator[tuple[str, Callable[[bytes], str]]]:
    """The tools that are there."""
    yield "geoscout", lambda body: _MARKS.sub("", to_markdown(body, "http://page.example/"))
    if find_spec("trafilatura"):
        extract = import_module("trafilatura").extract
        yield "trafilatura", lambda body: extract(body) or ""
    if find_spec("resiliparse"):
        plain = import_module("resiliparse.extract.html2text").extract_plain_text
        detect = import_module("resiliparse.parse.encoding").detect_encoding
        yield (
            "resiliparse",
            lambda body: plain(body.decode(detect(body), "replace"), main_content=True),
        )


def score(found: str, wanted: str) -> Scores:
    """Precision, recall and F1 of runs of four."""
    by_letter = 4 * len(_WITHOUT_SPACES.findall(wanted)) > len(wanted)
    ours, theirs = runs(found, by_letter=by_letter), runs(wanted, by_letter=by_letter)
    hits = (ours & theirs).total()
    precision, recall = hits / max(1, ours.total()), hits / max(1, theirs.total())
    return precision, recall, 2 * hits / max(1, ours.total() + theirs.total())


def runs(text: str, *, by_letter: bool) -> Counter[tuple[str, ...]]:
    """Each four words, or letters, that follow each other."""
    words = re.findall(r"\w" if by_letter else r"\w+", text.lower())
    return Counter(zip(words, words[1:], words[2:], words[3:], strict=False))


if __name__ == "__main__":
    main()
