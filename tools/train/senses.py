"""Learns the weights that choose which place a name means.

    python -m tools.train.senses --folder CORPORA [--folds 5]

The model of belief stays as it is, so train that one first (`tools.train.toponyms`, which says what
the folder holds and how texts are read). With --folds it only measures, each text by a model of
senses that has not seen it; without, it writes `sense.tsv`.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import optimize
from tools.train.toponyms import (
    HIT_KM,
    OUT,
    SENSE_SETS,
    UNPLACED_SETS,
    Text,
    distance,
    look_at,
    measure,
    read_texts,
    write_weights,
)

from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.geo.mentions import knowledge, resolve
from geoscout_places.geo.mentions.binding import NO_KINDS, kinds_beside
from geoscout_places.geo.mentions.find import POSSIBLE, group_by_name
from geoscout_places.geo.mentions.linear_models import (
    BASE_FEATURES,
    PAGE_FEATURES,
    SenseModel,
    base_features,
)

FEATURES = (*BASE_FEATURES, *PAGE_FEATURES)
_PENALTY = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=0)
    options = parser.parse_args()
    known = knowledge.NameKnowledge.load(open_gazetteer())
    texts = read_texts(options.folder, options.folds or 1, with_senses=True)
    placed = [text for text in texts if text.set not in UNPLACED_SETS]
    if options.folds:
        measure(placed, known, options.folds, learn)
    else:
        write_weights(OUT / "sense.tsv", learn(placed, known).items())


def learn(texts: Sequence[Text], known: knowledge.NameKnowledge) -> dict[str, float]:
    """Leaves the learned model in `known`, and gives its weights."""
    for text in texts:
        look_at(text, known)
    weights = dict(zip(FEATURES, fit(texts), strict=True))
    known.sense = SenseModel(weights)
    known.forget()
    return weights


def fit(texts: Iterable[Text]) -> list[float]:
    """The weights that make the right options of all names likeliest, with an L2 penalty."""
    cases = [
        (matrix, right, SENSE_SETS.get(text.set, 1.0))
        for text in texts
        for matrix, right in sense_cases(text)
    ]
    rows, right = pad([case[0] for case in cases]), pad([case[1] for case in cases])
    is_option = pad([np.ones(len(case[1])) for case in cases]) > 0
    weights = np.array([case[2] for case in cases])

    def loss(vector: Any) -> tuple[float, Any]:
        scores = np.where(is_option, rows @ vector, -1e9)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        good = (chances * right).sum(axis=1) + 1e-12
        pull = weights[:, None] * (chances * right / good[:, None] - chances)
        value = _PENALTY / 2 * vector @ vector - weights @ np.log(good)
        return value, _PENALTY * vector - np.einsum("nm,nmk->k", pull, rows)

    start = np.zeros(len(FEATURES))
    found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 150}).x
    return [round(float(weight), 3) for weight in found]


def pad(arrays: Sequence[Any]) -> Any:
    """The arrays as one, each with zeros up to the length of the longest."""
    padded = np.zeros((len(arrays), max(map(len, arrays)), *arrays[0].shape[1:]))
    for number, array in enumerate(arrays):
        padded[number, : len(array)] = array
    return padded


def sense_cases(text: Text) -> Iterator[tuple[Any, Any]]:
    """For each labelled ambiguous name its options' features, and which of them are right."""
    groups = group_by_name(text.spans)
    kinds = kinds_beside([span for span in text.spans if span.score > POSSIBLE], text.text)
    gold = {id(s): g for s, (_, g) in zip(text.spans, text.labels, strict=True) if g}
    for name, group in groups.items():
        point = next((gold[id(s)] for s in group if id(s) in gold), None)
        senses = group[0].facts.senses()
        if point is None or point["lat"] is None or len(senses.ids) == 1:
            continue
        right = np.array([distance(point, one.place.point) < HIT_KM for one in senses.candidates])
        if right.any():
            areas = text.explained.get(name, frozenset())
            beside = kinds.get(name, NO_KINDS)
            pages = resolve.option_features(name, group[0].facts, text.evidence, areas, beside)
            options = zip(senses.candidates, senses.are_namesakes, pages, strict=True)
            rows = [[*base_features(one, is_namesake=same), *page] for one, same, page in options]
            yield np.array(rows), right


if __name__ == "__main__":
    main()
