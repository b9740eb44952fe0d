"""Makes passages.tsv and labels.tsv of what a reader wrote.

    python -m benchmarks.passages.collect --from DIR

For each language DIR has LANG.tsv and LANG.txt as `draw` writes them, and labels.LANG.txt, which
has the header of every passage that was read, `=== de001`, and below it a line for each name:

    München | place | DE | 48.14,11.58 | Munich

A name means its first occurrence that no line above has taken; `name#2` the second one in the
passage; `name*` all that are left. `=== de001 drop` leaves a passage out.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import astuple, fields, replace
from pathlib import Path

from benchmarks.passages.draw import part_of
from benchmarks.passages.truth import LABELS, PASSAGES, NameLabel, Passage, read_passages

Span = tuple[int, int]
KINDS = {"place", "address", "org", "demonym", "feature", "free"}


def main() -> None:
    """Collect all languages that are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="folder", type=Path, required=True)
    folder = parser.parse_args().folder
    passages, labels = [], []
    for file in sorted(folder.glob("labels.??.txt")):
        language = file.name.split(".")[1]
        read = dict(_sections(file))
        texts = dict(_sections(folder / f"{language}.txt"))
        for passage in read_passages(folder / f"{language}.tsv"):
            if passage.id not in read or "drop" in read[passage.id][0]:
                continue
            passages.append(replace(passage, part=part_of(passage.host)))
            text = "\n".join(texts[passage.id][1]).rstrip("\n")[: passage.length]
            labels += sorted(labelled(passage.id, text, read[passage.id][1]), key=lambda x: x.start)
    PASSAGES.write_text(_table(Passage, passages), encoding="utf-8")
    LABELS.write_text(_table(NameLabel, labels), encoding="utf-8")
    print(
        f"{len(passages)} passages, {len(labels)} labels, {sum(x.counts for x in labels)} counted"
    )


def _table(kind: type, rows: list[Passage] | list[NameLabel]) -> str:
    head = "\t".join(field.name for field in fields(kind))
    return "\n".join([head, *("\t".join(map(str, astuple(row))) for row in rows)]) + "\n"


def _sections(file: Path) -> Iterator[tuple[str, tuple[str, list[str]]]]:
    for part in file.read_text(encoding="utf-8").split("=== ")[1:]:
        head, *lines = part.split("\n")
        name, _, rest = head.partition(" ")
        yield name, (rest, lines)


def labelled(passage: str, text: str, lines: list[str]) -> Iterator[NameLabel]:
    """The labels that the lines of a passage stand for."""
    taken: list[Span] = []
    for line in lines:
        if not line.strip():
            continue
        written, *cells = (cell.strip() for cell in line.split("|"))
        name = re.sub(r"(\*|#\d+)$", "", written)
        kind, country, where, meant = (cells + [""] * 4)[:4]
        if kind not in KINDS:
            raise SystemExit(f"{passage}: {kind} is not a kind: {line}")
        spans = _places(text, written, name, taken)
        if not spans:
            raise SystemExit(f"{passage}: {written} is not in the text")
        taken += spans
        for start, end in spans:
            yield NameLabel(
                passage=passage, start=start, end=end, name=name,
                kind=kind, country=country, where=where, meant=meant,
            )  # fmt: skip


def _places(
    text: str, written: str, name: str, taken: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    anywhere = re.escape(name)  # for names that damaged letters touch
    found = [m.span() for m in re.finditer(rf"(?<!\w){anywhere}(?!\w)", text)]
    found = found or [m.span() for m in re.finditer(anywhere, text)]
    number = written.removeprefix(name)
    if number.startswith("#"):
        return found[int(number[1:]) - 1 : int(number[1:])]
    free = [(s, e) for s, e in found if not any(s < end and start < e for start, end in taken)]
    return free if number == "*" else free[:1]


if __name__ == "__main__":
    main()
