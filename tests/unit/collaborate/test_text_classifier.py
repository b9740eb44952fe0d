from __future__ import annotations

import pytest

from geoscout.collaborate.classifier import NONE, read_model, train
from geoscout_places.errors import DamagedDataError, UsageError

PAGES = [("sun sun sand", 7), ("sun sand", 7), ("fog sun", 8), ("fog sand", 8)]


def test_posterior_is_that_of_laplace_smoothed_counts() -> None:
    model = train(PAGES)

    ranked = dict(model.classify("fog", 2))

    # sun, sand and fog are the words; class 7 has 5 of them and no fog, class 8 has 4 and 2.
    fog_7, fog_8 = 1 / (5 + 3), 3 / (4 + 3)
    assert ranked[8] == pytest.approx(fog_8 / (fog_7 + fog_8), abs=1e-5)


def test_text_without_known_words_has_the_priors() -> None:
    model = train([*PAGES, ("sun", 7)])

    assert model.classify("unheard") == [(7, pytest.approx(0.6, abs=1e-5))]


def test_saved_model_answers_the_same() -> None:
    model = train(PAGES)

    assert read_model(model.save()).classify("fog sun", 2) == model.classify("fog sun", 2)


def test_damaged_model_is_refused() -> None:
    with pytest.raises(DamagedDataError):
        read_model(b"no model")


def test_one_class_is_no_choice() -> None:
    with pytest.raises(UsageError):
        train([("sun", NONE)])
