"""Learns from labelled texts the weights that say which names are places.

    python -m tools.train.toponyms --folder CORPORA --passages PACKAGES TEXTS [--folds 5]

Each text is a line of JSON with "text" and "toponyms" (start, end, name, lat, lon); a set is a file
`NAME.jsonl` of the folder. Of the labelled passages of web pages (benchmarks/passages) the part dev
is learned from; --passages names the folders of their pages. Needs numpy and scipy, which geoscout
itself does not. With --folds it only measures, each text by models that have not seen it; without,
it writes the table of belief that ships with geoscout; `tools.train.senses` learns from the same
sets which place a name means. Nothing of the texts gets into the tables: the features are classes
of words.
"""

import argparse
import json
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.passages.score import FREE_TOKEN
from benchmarks.passages.truth import Folders, read_passages
from benchmarks.passages.truth import read_texts as read_passage_texts
from scipy import optimize, sparse

from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.geo.mentions import find, knowledge
from geoscout_places.geo.mentions.binding import Explained
from geoscout_places.geo.mentions.find import PageHints, believe
from geoscout_places.geo.mentions.linear_models import (
    BeliefModel,
    context_features,
    name_features,
    page_features,
)
from geoscout_places.geo.mentions.recognise import NameSpan, look, spoken_parts
from geoscout_places.geo.mentions.resolve import PageEvidence
from geoscout_places.model import Mention

HIT_KM = 161.0
OUT = Path("src/geoscout_places/geo/mentions")
PASSAGES = "passages"
# Sets for belief, with their weights; those that label people's adjectives too; those that label
# one name a page, which serve for senses only.
BELIEF_SETS = {
    "lgl": 1.5,
    "geovirus": 1.0,
    "tudloc2013": 1.0,
    "mobie_de_dev": 1.0,
    "geocorpora": 0.5,
    "smartdata_de": 0.5,
    PASSAGES: 2.0,
}
UNPLACED_SETS = {"smartdata_de"}  # label places without coordinates
DEMONYM_SETS = {"lgl"}
# Some of its texts are only the home of an account ("Pittsburgh, PA"), and nobody labelled these.
HOME_SETS = {"geocorpora"}
SENSE_SETS = {"wiktor": 0.06}
_LONGEST_HOME = 5  # words
_LEAST_SEEN = 8
_BELIEF_PENALTY = 3.0
_ROUNDS = 2


@dataclass
class Text:
    """One labelled text with what the present models see in it."""

    set: str
    text: str
    toponyms: list[dict[str, Any]]
    fold: int
    spans: list[NameSpan] = field(default_factory=list)
    labels: list[tuple[bool | None, dict[str, Any] | None]] = field(default_factory=list)
    explained: Explained = field(default_factory=dict)
    evidence: PageEvidence = field(default_factory=lambda: PageEvidence(()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--passages", type=Path, nargs=2, required=True)
    parser.add_argument("--folds", type=int, default=0)
    options = parser.parse_args()
    known = knowledge.NameKnowledge.load(open_gazetteer())
    texts = list(read_texts(options.folder, options.folds or 1))
    packages, saved = options.passages
    pages = Folders(options.folder.parent, packages, saved)
    texts += read_dev_passages(pages, options.folds or 1)
    if options.folds:
        measure(texts, known, options.folds, learn)
        return
    learn(texts, known)
    write_weights(OUT / "belief.tsv", sorted(known.belief.weights.items()))


def read_texts(folder: Path, folds: int, *, with_senses: bool = False) -> Iterator[Text]:
    for name in (*BELIEF_SETS, *(SENSE_SETS if with_senses else ())):
        if name == PASSAGES:
            continue
        with (folder / f"{name}.jsonl").open(encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                row = json.loads(line)
                if name not in HOME_SETS or len(row["text"].split()) > _LONGEST_HOME:
                    yield Text(name, row["text"], row["toponyms"], number * 7919 % folds)


def read_dev_passages(pages: Folders, folds: int) -> Iterator[Text]:
    """The passages that may be learned from; those of a host are in one fold."""
    passages = [passage for passage in read_passages() if passage.part == "dev"]
    for found in read_passage_texts(passages, pages):
        labels = [
            {"start": x.start, "end": x.end, "name": x.name, "lat": 0.0 if x.counts else None}
            for x in found.labels
        ]
        fold = zlib.crc32(found.passage.host.encode()) % folds
        yield Text(PASSAGES, found.text, labels, fold)


def learn(texts: Sequence[Text], known: knowledge.NameKnowledge) -> None:
    """Leaves the learned model of belief in `known`."""
    # What was left out in one round would be unknown in the next, and come back.
    known.prunes = False
    set_belief(known, {})
    for round in range(_ROUNDS + 1):
        for text in texts:
            look_at(text, known)
        set_belief(known, learn_belief(texts, with_page=round > 0))
    known.prunes = True
    known.forget()


def set_belief(known: knowledge.NameKnowledge, weights: dict[str, float]) -> None:
    """Exchange the belief model."""
    known.belief = BeliefModel(weights)
    known.forget()


def look_at(text: Text, known: knowledge.NameKnowledge) -> None:
    text.spans, text.explained, evidence, _ = believe(
        look(text.text, known, spoken_parts(text.text, "", None)).spans,
        text.text,
        known,
        PageHints(),
    )
    text.evidence = PageEvidence(*evidence.sources)
    text.labels = list(label(text))


def label(text: Text) -> Iterator[tuple[bool | None, dict[str, Any] | None]]:
    """For each span whether it is a place (None: do not count) and its gold record."""
    if text.set == PASSAGES:
        yield from label_passage(text)
        return
    unused = list(text.toponyms)
    for span in text.spans:
        gold = next((t for t in unused if is_match(t, span, text.text)), None)
        if gold is not None:
            unused.remove(gold)
            is_placed = gold["lat"] is not None or text.set in UNPLACED_SETS
            yield (True if is_placed else None), gold
        else:
            uncounted = span.facts.is_demonym and text.set not in DEMONYM_SETS
            yield (None if uncounted else False), None


def label_passage(text: Text) -> Iterator[tuple[bool | None, dict[str, Any] | None]]:
    """By overlap, as passages are scored; parts of URLs and words for people do not count."""
    tokens = [match.span() for match in FREE_TOKEN.finditer(text.text)]
    for span in text.spans:
        labels = [t for t in text.toponyms if t["start"] < span.end and span.start < t["end"]]
        if labels:
            yield (True if any(t["lat"] is not None for t in labels) else None), None
        else:
            is_free = any(start < span.end and span.start < end for start, end in tokens)
            yield (None if is_free or span.facts.is_demonym else False), None


def is_match(gold: dict[str, Any], span: NameSpan, text: str) -> bool:
    apart = abs(gold["start"] + gold["end"] - span.start - span.end) / 2
    return bool(apart < 10 and text[span.start : span.end].lower() == gold["name"].lower())


def span_features(span: NameSpan, *, with_page: bool) -> list[str]:
    sort = span.facts.sort
    features = [*name_features(sort, span.facts.features)]
    features += context_features(sort, span.before, span.after, span.case, span.line)
    return features + ([*page_features(sort, span.flags)] if with_page else [])


def learn_belief(texts: Iterable[Text], *, with_page: bool) -> dict[str, float]:
    rows: list[list[str]] = []
    truth: list[float] = []
    weights: list[float] = []
    for text in texts:
        for span, (is_place, _) in zip(text.spans, text.labels, strict=True):
            if is_place is not None and text.set in BELIEF_SETS:
                rows.append(span_features(span, with_page=with_page))
                truth.append(float(is_place))
                weights.append(BELIEF_SETS[text.set])
    return fit_logistic(rows, np.array(truth), np.array(weights))


def fit_logistic(rows: Sequence[Sequence[str]], truth: Any, weights: Any) -> dict[str, float]:
    """Weights of the features that occur often enough, with an L2 penalty."""
    names: dict[str, int] = {}
    cells = [(r, names.setdefault(f, len(names))) for r, row in enumerate(rows) for f in row]
    row_numbers, columns = np.array(cells).T
    ones = np.ones(len(cells))
    matrix = sparse.csr_matrix((ones, (row_numbers, columns)), (len(rows), len(names)))
    frequent = np.asarray(matrix.sum(axis=0)).ravel() >= _LEAST_SEEN
    matrix = matrix[:, frequent]

    kept = [name for name, column in names.items() if frequent[column]]
    start = np.zeros(len(kept))

    def loss(vector: Any) -> tuple[float, Any]:
        scores = matrix @ vector
        chances = 1 / (1 + np.exp(-scores))
        value = weights @ (np.logaddexp(0, scores) - truth * scores)
        slope = matrix.T @ (weights * (chances - truth))
        return value + _BELIEF_PENALTY / 2 * vector @ vector, slope + _BELIEF_PENALTY * vector

    found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return dict(zip(kept, (round(float(w), 3) for w in found), strict=True))


def distance(gold: dict[str, Any], point: Any) -> float:
    north, east = math.radians(gold["lat"]), math.radians(gold["lon"])
    latitude, longitude = math.radians(point.latitude), math.radians(point.longitude)
    half = math.sin((latitude - north) / 2) ** 2
    half += math.cos(north) * math.cos(latitude) * math.sin((longitude - east) / 2) ** 2
    return 12742 * math.asin(min(1.0, math.sqrt(half)))


def measure(
    texts: Sequence[Text],
    known: knowledge.NameKnowledge,
    folds: int,
    learn: Callable[[Sequence[Text], knowledge.NameKnowledge], object],
) -> None:
    """Prints end-to-end scores by set, every text read by models that have not seen it."""
    counts = {text.set: [0, 0, 0, 0] for text in texts}
    for fold in range(folds):
        learn([text for text in texts if text.fold != fold], known)
        for text in texts:
            if text.fold == fold:
                add_counts(counts[text.set], text, known)
    print_counts(counts)


def print_counts(counts: dict[str, list[int]]) -> None:
    for name, (gold, given, found, hits) in counts.items():
        print(
            f"{name}: e2e F1 {f1(hits, given, gold):.4f}, recall {hits / max(1, gold):.3f},"
            f" span F1 {f1(found, given, gold):.3f} P {found / max(1, given):.3f}"
            f" R {found / max(1, gold):.3f}, within 161 km {hits / max(1, found):.3f}"
        )


def f1(right: int, given: int, wanted: int) -> float:
    return 2 * right / max(1, given + wanted)


def add_counts(counts: list[int], text: Text, known: knowledge.NameKnowledge) -> None:
    mentions = [
        mention
        for mention in find.find_mentions(text.text, known)
        if mention.place and (mention.kind != "demonym" or text.set in DEMONYM_SETS)
    ]
    if text.set == PASSAGES:
        add_passage_counts(counts, text, mentions)
        return
    is_placed = text.set not in UNPLACED_SETS
    gold = [t for t in text.toponyms if t["lat"] is not None or not is_placed]
    counts[0] += len(gold)
    counts[1] += len(mentions)
    for want in gold:
        for mention in mentions:
            apart = abs(want["start"] + want["end"] - mention.start - mention.end) / 2
            if apart < 10 and mention.text.lower() == want["name"].lower():
                counts[2] += 1
                point = mention.place.point if mention.place and is_placed else None
                counts[3] += point is not None and distance(want, point) < HIT_KM
                mentions.remove(mention)
                break


def add_passage_counts(counts: list[int], text: Text, mentions: Sequence[Mention]) -> None:
    """Names are found where a mention overlaps them; whether its place is right is not asked."""
    tokens = [match.span() for match in FREE_TOKEN.finditer(text.text)]
    wanted = [(t["start"], t["end"]) for t in text.toponyms if t["lat"] is not None]
    free = [(t["start"], t["end"]) for t in text.toponyms] + tokens
    spans = [(mention.start, mention.end) for mention in mentions]
    found = sum(overlaps(name, spans) for name in wanted)
    counts[0] += len(wanted)
    counts[1] += found + sum(not overlaps(span, free) for span in spans)
    counts[2] += found


def overlaps(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def write_weights(path: Path, weights: Iterable[tuple[str, float]]) -> None:
    lines = [f"{feature}\t{weight:g}\n" for feature, weight in weights]
    path.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
