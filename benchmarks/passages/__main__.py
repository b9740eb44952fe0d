"""Scores the geoparser on passages of ordinary web pages, by language and by where a name stands.

    python -m benchmarks.passages [--corpora DIR] [--packages DIR] [--texts DIR]
                                  [--part dev|test] [--language de] [--whole-pages] [--errors]

Pages are looked for in --corpora (or GEOSCOUT_CORPORA, ../shared/corpora), --packages (or
PASSAGES_PACKAGES; `python -m benchmarks.passages.fetch` fills it) and --texts (or PASSAGES_TEXTS).
Passages whose page is missing or has changed are left out, and counted. Each passage is read on
its own, as a text; with --whole-pages its page is read and the names in the passage are taken.
--errors prints what was missed and what was wrong in the part dev; nobody who works on the
geoparser looks at those of the part test. README.md says what counts.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from benchmarks.passages.score import Outcome, Prediction, Score, judge, predictions_of
from benchmarks.passages.truth import Folders, PassageText, read_passages, read_texts
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.geo import Geoparser
from geoscout_places.parse import parse_text

LONG_LIST = 5  # names; in the column `F1 even` no passage weighs more
HEADS = ("", "names", "wrong", "P", "R", "F1", "placed", "F1 placed", "F1 even")
SETTINGS = ("running text", "short line", "address")


def main() -> None:
    """Score and print."""
    args = _arguments()
    passages = [
        passage
        for passage in read_passages()
        if args.part in {None, passage.part} and args.language in {None, passage.language}
    ]
    texts = list(read_texts(passages, Folders(args.corpora, args.packages, args.texts)))
    print(f"{len(texts)} passages; {len(passages) - len(texts)} have no page here or another text")
    if not texts:
        return
    geoparser = Geoparser(open_gazetteer())
    outcomes = [outcome for text in texts for outcome in judge(text, _read(text, geoparser, args))]
    report(outcomes)
    if args.errors:
        print_errors([outcome for outcome in outcomes if outcome.passage.part == "dev"])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(__file__).parents[3] / "shared" / "corpora"
    folders = {"corpora": default, "packages": Path("packages"), "texts": Path("texts")}
    for name, folder in folders.items():
        variable = "GEOSCOUT_CORPORA" if name == "corpora" else f"PASSAGES_{name.upper()}"
        given = os.environ.get(variable, folder)
        parser.add_argument(f"--{name}", type=Path, default=Path(given))
    parser.add_argument("--part", choices=["dev", "test"])
    parser.add_argument("--language")
    parser.add_argument("--whole-pages", action="store_true")
    parser.add_argument("--errors", action="store_true")
    return parser.parse_args()


def _read(
    text: PassageText, geoparser: Geoparser, args: argparse.Namespace
) -> Sequence[Prediction]:
    if args.whole_pages and text.page is not None:
        start = text.passage.start
        return predictions_of(geoparser.read(text.page), start, start + text.passage.length)
    url = text.page.url if text.page else text.passage.page
    return predictions_of(geoparser.read(parse_text(text.text, url)), 0, len(text.text))


def report(outcomes: Sequence[Outcome]) -> None:
    """Print a table by language and by how names stand, for both parts and for each."""
    print("\n| " + " | ".join(HEADS) + " |\n|" + "---|" * len(HEADS))
    for part in ("", "dev", "test"):
        here = [x for x in outcomes if part in {"", x.passage.part}]
        _print_row(part or "all", here)
        for language in sorted({x.passage.language for x in here}):
            _print_row(f"{part} {language}", [x for x in here if x.passage.language == language])
        for setting in SETTINGS:
            _print_row(f"{part} {setting}", [x for x in here if x.setting == setting])


def _print_row(title: str, outcomes: Sequence[Outcome]) -> None:
    if outcomes:
        score = Score.of(outcomes)
        even = Score.of(outcomes, most=LONG_LIST)
        figures = (score.precision, score.recall, score.f1, score.placed, score.f1_placed, even.f1)
        shown = " | ".join(f"{figure:.3f}" for figure in figures)
        print(f"| {title.strip()} | {score.names:.0f} | {score.wrong:.0f} | {shown} |")


def print_errors(outcomes: Sequence[Outcome]) -> None:
    """Print names that were missed, wrong ones, and those that were taken for another place."""
    groups = {
        "missed": [x for x in outcomes if x.label and not x.found],
        "wrong": [x for x in outcomes if not x.label],
        "another place": [x for x in outcomes if x.label and x.found and not x.is_placed],
    }
    for title, group in groups.items():
        print(f"\n{title}: {len(group)}")
        for x in group:
            print(f"  {x}")


if __name__ == "__main__":
    main()
