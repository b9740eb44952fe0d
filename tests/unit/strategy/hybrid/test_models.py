"""Two small models that learn with every answer."""

from __future__ import annotations

import random

import numpy as np
import pytest

from geoscout.strategy.hybrid.models import Logistic, Rate
from geoscout.strategy.terms import Terms, term_number

NO_NUMBERS = np.zeros(1)


def terms(*words: str) -> np.ndarray:
    return np.array([term_number(word) for word in words], np.uint32)


def row(*words: str) -> Terms:
    return Terms.unpack([terms(*words).tobytes()])


def test_prediction_is_the_bias_before_anything_is_learned() -> None:
    model = Logistic([0.0], bias=-1.0, step=0.5)

    likely = model.predict(row("a"), NO_NUMBERS[None, :])[0]

    assert likely == pytest.approx(1 / (1 + np.e))


def test_term_of_relevant_links_gains_weight_and_others_lose_it() -> None:
    model = Logistic([0.0], bias=-1.0, step=0.5)

    for _ in range(50):
        model.learn(terms("good", "common"), NO_NUMBERS, 1.0)
        model.learn(terms("bad", "common"), NO_NUMBERS, 0.0)

    good, bad = (model.predict(row(w, "common"), NO_NUMBERS[None, :])[0] for w in ("good", "bad"))
    assert good > 0.8
    assert bad < 0.2


def test_prediction_is_calibrated_on_chance() -> None:
    chance = random.Random(1)
    model = Logistic([0.0], bias=0.0, step=0.5)

    for _ in range(5000):
        model.learn(terms("any"), NO_NUMBERS, float(chance.random() < 0.2))

    assert model.predict(row("any"), NO_NUMBERS[None, :])[0] == pytest.approx(0.2, abs=0.06)


def test_number_that_tells_gains_weight() -> None:
    model = Logistic([0.0], bias=0.0, step=0.5)

    for _ in range(200):
        model.learn(terms("any"), np.array([1.0]), 1.0)
        model.learn(terms("any"), np.array([-1.0]), 0.0)

    assert model.numbers[0] > 1.0


def test_rate_comes_near_the_mean_count() -> None:
    chance = random.Random(2)
    model = Rate([0.0], bias=-1.0, step=0.3)

    for _ in range(4000):
        model.begin(terms("hub"), NO_NUMBERS)
        for _ in range(chance.choice([0, 2, 4])):
            model.add(terms("hub"), NO_NUMBERS, 1.0)

    assert model.predict(row("hub"), NO_NUMBERS[None, :])[0] == pytest.approx(2.0, rel=0.4)


def test_model_goes_on_from_what_was_saved() -> None:
    model, again = (Logistic([0.1], bias=-1.0, step=0.5) for _ in range(2))
    for n in range(30):
        model.learn(terms(f"w{n % 7}", "x"), np.array([n % 3.0]), float(n % 2))

    again.load("m", model.save("m"))
    for one in (model, again):
        one.learn(terms("w1", "x"), np.array([1.0]), 1.0)

    numbers = np.array([[1.0]])
    assert again.predict(row("w1", "x"), numbers) == model.predict(row("w1", "x"), numbers)


def test_nothing_is_learned_from_what_was_predicted() -> None:
    model = Logistic([0.3], bias=-1.0, step=0.5)
    model.learn(terms("a", "b"), np.array([1.0]), 1.0)
    sums = model.sums(row("a", "b"), np.array([[2.0]]))

    predicted = float(model.predict(row("a", "b"), np.array([[2.0]]))[0])
    model.learn(terms("a", "b"), np.array([2.0]), predicted)

    assert model.sums(row("a", "b"), np.array([[2.0]])) == pytest.approx(sums)
