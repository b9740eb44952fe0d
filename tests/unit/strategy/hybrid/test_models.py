"""Two small models that learn with every answer.

What became of links so far, by group, and the way on which each page was found.
"""

import random

import numpy as np
import pytest

from geoscout.strategy.hybrid.models import GROUPS, Groups, Histories, Logistic, Rate, Trails
from geoscout.strategy.terms import Terms, term_number

NO_NUMBERS = np.zeros(1)


def terms(*words: str) -> np.ndarray:
    return np.array([term_number(word) for word in words], np.uint32)


def row(*words: str) -> Terms:
    return Terms.unpack([terms(*words).tobytes()])


def test_prediction_is_the_bias_before_anything_is_learned():
    model = Logistic([0.0], bias=-1.0, step=0.5)

    likely = model.predict(row("a"), NO_NUMBERS[None, :])[0]

    assert likely == pytest.approx(1 / (1 + np.e))


def test_term_of_relevant_links_gains_weight_and_others_lose_it():
    model = Logistic([0.0], bias=-1.0, step=0.5)

    for _ in range(50):
        model.learn(terms("good", "common"), NO_NUMBERS, 1.0)
        model.learn(terms("bad", "common"), NO_NUMBERS, 0.0)

    good, bad = (model.predict(row(w, "common"), NO_NUMBERS[None, :])[0] for w in ("good", "bad"))
    assert good > 0.8
    assert bad < 0.2


def test_prediction_is_calibrated_on_chance():
    chance = random.Random(1)
    model = Logistic([0.0], bias=0.0, step=0.5)

    for _ in range(5000):
        model.learn(terms("any"), NO_NUMBERS, float(chance.random() < 0.2))

    assert model.predict(row("any"), NO_NUMBERS[None, :])[0] == pytest.approx(0.2, abs=0.06)


def test_number_that_tells_gains_weight():
    model = Logistic([0.0], bias=0.0, step=0.5)

    for _ in range(200):
        model.learn(terms("any"), np.array([1.0]), 1.0)
        model.learn(terms("any"), np.array([-1.0]), 0.0)

    assert model.numbers[0] > 1.0


def test_rate_comes_near_the_mean_count():
    chance = random.Random(2)
    model = Rate([0.0], bias=-1.0, step=0.3)

    for _ in range(4000):
        model.begin(terms("hub"), NO_NUMBERS)
        for _ in range(chance.choice([0, 2, 4])):
            model.add(terms("hub"), NO_NUMBERS, 1.0)

    assert model.predict(row("hub"), NO_NUMBERS[None, :])[0] == pytest.approx(2.0, rel=0.4)


def test_model_goes_on_from_what_was_saved():
    model, again = (Logistic([0.1], bias=-1.0, step=0.5) for _ in range(2))
    for n in range(30):
        model.learn(terms(f"w{n % 7}", "x"), np.array([n % 3.0]), float(n % 2))

    again.load("m", model.save("m"))
    for one in (model, again):
        one.learn(terms("w1", "x"), np.array([1.0]), 1.0)

    numbers = np.array([[1.0]])
    assert again.predict(row("w1", "x"), numbers) == model.predict(row("w1", "x"), numbers)


def test_nothing_is_learned_from_what_was_predicted():
    model = Logistic([0.3], bias=-1.0, step=0.5)
    model.learn(terms("a", "b"), np.array([1.0]), 1.0)
    sums = model.sums(row("a", "b"), np.array([[2.0]]))

    predicted = float(model.predict(row("a", "b"), np.array([[2.0]]))[0])
    model.learn(terms("a", "b"), np.array([2.0]), predicted)

    assert model.sums(row("a", "b"), np.array([[2.0]])) == pytest.approx(sums)


def groups(*numbers: int) -> Groups:
    return np.array(numbers, np.uint32)


def evidence(histories: Histories, *numbers: int) -> dict[str, float]:
    """What the four groups of one link add."""
    return dict(zip(GROUPS, histories.evidence(groups(*numbers)[None, :])[0], strict=True))


def test_group_without_outcomes_says_nothing():
    assert evidence(Histories(), 1, 2, 3, 4) == dict.fromkeys(GROUPS, 0.0)


def test_more_relevant_pages_are_more_evidence():
    histories = Histories()
    good, bad = (1, 2, 3, 4), (5, 6, 7, 8)
    for n in range(10):
        histories.add(groups(*good), 1.0)
        histories.add(groups(*bad), 0.0)
        if n == 0:
            early = [evidence(histories, *one)["host"] for one in (good, bad)]

    late = [evidence(histories, *one)["host"] for one in (good, bad)]

    assert late[1] < early[1] < 0 < early[0]
    assert np.isfinite(late).all()


def test_folder_adds_only_what_its_host_does_not_say():
    histories = Histories()
    for n in range(20):
        histories.add(groups(1, 100 + n % 2, 3, 4), float(n % 2))

    good, bad = evidence(histories, 1, 101, 3, 4), evidence(histories, 1, 100, 3, 4)
    new = evidence(histories, 1, 999, 3, 4)

    assert good["host"] == bad["host"] == new["host"] > 0
    assert new["folder"] == pytest.approx(0)
    assert bad["folder"] < -0.5 < 0.5 < good["folder"]


def test_links_of_a_page_are_looked_up_at_once():
    histories = Histories()
    histories.add(groups(1, 2, 3, 4), 1.0)

    found = histories.evidence(np.array([[1, 2, 3, 4], [1, 9, 3, 9]], np.uint32))

    assert found.shape == (2, 4)
    assert found[0, 0] == found[1, 0] > 0
    assert (found[0, [1, 3]] > 0).all()
    assert found[1, [1, 3]] == pytest.approx(0)


def test_group_that_meets_another_in_its_place_is_forgotten():
    histories = Histories(bits=4)
    histories.add(groups(3), 1.0)

    histories.add(groups(3 + 16), 0.0)

    assert histories.count(groups(3, 19)).tolist() == [0.0, 1.0]


def test_histories_go_on_from_what_was_saved_and_be_it_nothing():
    histories, again = Histories(), Histories()
    again.load(histories.save())
    assert again.count(groups(0)).tolist() == [0.0]
    histories.add(groups(70_000_001, 2, 3, 4), 1.0)
    again.load(histories.save())

    assert evidence(again, 70_000_001, 2, 3, 4) == evidence(histories, 70_000_001, 2, 3, 4)
    assert again.share == histories.share


def chain(most: int = 10) -> Trails[int]:
    """Three pages in a row, the second of which is a redirect."""
    trails = Trails[int](most)
    trails.add("a", "", 1)
    trails.add("b", "a", None)
    trails.add("c", "b", 3)
    return trails


@pytest.mark.parametrize(
    ("most", "page", "steps", "way"),
    [
        pytest.param(10, "c", 9, [3, 1], id="back to the seed"),
        pytest.param(10, "c", 2, [3], id="a redirect is a step that earns nothing"),
        pytest.param(10, "z", 9, [], id="of an unknown page"),
        pytest.param(2, "c", 9, [3], id="the oldest are forgotten"),
    ],
)
def test_way_leads_back_to_the_seed(most, page, steps, way):
    assert list(chain(most).back_from(page, steps)) == way
