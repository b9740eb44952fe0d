import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.strategy.naive_bayes import (
    CENTROID,
    LAPLACE,
    LOGISTIC,
    MARGINALS,
    MULTINOMIAL,
    PRESENCE,
    PROPORTIONAL,
    Examples,
    Form,
    LinkModel,
    fit,
    pack_arrays,
    pack_model,
    regressed,
    unpack_arrays,
    unpack_model,
)
from geoscout.strategy.terms import Terms

KONTAKT, HOME, RARE, NEVER = 7, 3, 5, 99


def terms(*links: list[int]) -> Terms:
    return Terms.unpack([np.array(numbers, np.uint32).tobytes() for numbers in links])


def worked_example(form: Form | None = None) -> LinkModel:
    """4 links that lead to a relevant page, 3 of them with "kontakt"; 6 others, 1 of them."""
    links = [[KONTAKT]] * 3 + [[HOME]] + [[KONTAKT]] + [[HOME]] * 5
    outcomes = np.array([[True]] * 4 + [[False]] * 6)
    return fit(Examples(terms(*links), outcomes), form or Form())


def test_worked_example_of_the_specification():
    assert worked_example().predict(terms([KONTAKT]))[0, 0] == pytest.approx(0.640)


def test_unknown_term_counts_as_seen_zero_times():
    # p(t|1) = 1/6, p(t|0) = 1/8, prior 0.4
    expected = 0.4 / 6 / (0.4 / 6 + 0.6 / 8)

    assert worked_example().predict(terms([NEVER]))[0, 0] == pytest.approx(expected)


def test_unknown_term_can_be_ignored():
    model = worked_example(Form(ignore_unknown=True))

    assert model.predict(terms([NEVER]))[0, 0] == pytest.approx(0.4)


def test_marginals_are_clipped_where_they_exceed_one():
    model = worked_example(Form(evidence=MARGINALS))

    # p(t|1) p(1) / p(t) = 4/6 * 0.4 / (5/12)
    assert model.predict(terms([KONTAKT]))[0, 0] == pytest.approx(0.64)
    assert model.predict(terms([KONTAKT] * 9))[0, 0] == 1.0


def test_multinomial_divides_by_the_terms_of_the_class():
    model = worked_example(Form(model=MULTINOMIAL))

    # p(t|1) = (3+1)/(4+2), p(t|0) = (1+1)/(6+2)
    assert model.predict(terms([KONTAKT]))[0, 0] == pytest.approx(0.640)
    assert model.weights_of(np.array([HOME], np.uint32))[0, 0] == pytest.approx(
        np.log(2 / 6 / 0.75)
    )


def test_nearer_centroid_is_half_the_difference_of_two_cosines():
    model = worked_example(Form(model=CENTROID))

    # Relevant links have (3, 1) times "kontakt" and "home", the others (1, 5).
    expected = (1 + 3 / 10**0.5 - 1 / 26**0.5) / 2
    assert model.predict(terms([KONTAKT]))[0, 0] == pytest.approx(expected)
    assert model.predict(terms([NEVER]))[0, 0] == 0.5


def test_regression_comes_near_the_shares_of_each_term():
    links = terms(*[[KONTAKT]] * 40, *[[HOME]] * 60)
    outcomes = np.array([[n < 30 or 40 <= n < 46] for n in range(100)])
    examples = Examples(links, outcomes)
    model = regressed(examples, fit(examples, Form(model=LOGISTIC)))

    kontakt, home, never = model.predict(terms([KONTAKT], [HOME], [NEVER]))[:, 0]

    assert (kontakt, home) == (pytest.approx(0.75, abs=0.05), pytest.approx(0.1, abs=0.05))
    assert home < never < kontakt
    assert unpack_model(pack_model(model), model.form).predict(terms([HOME]))[0, 0] == home


def test_unknown_terms_speak_for_the_rare_class_as_printed():
    printed = rare_class(Form())

    assert printed.predict(terms([NEVER]))[0, 0] == pytest.approx(0.49, abs=0.005)
    assert printed.predict(terms([NEVER, NEVER + 1]))[0, 0] == pytest.approx(0.956, abs=0.005)
    assert printed.predict(terms([RARE]))[0, 0] > 0.3  # seen once, in a link that failed


@pytest.mark.parametrize("model", [PRESENCE, MULTINOMIAL])
def test_in_proportion_unknown_terms_say_nothing_and_rare_ones_little(model):
    model_of = rare_class(Form(model, smoothing=PROPORTIONAL))

    assert model_of.predict(terms([NEVER]))[0, 0] == pytest.approx(0.04)
    assert model_of.predict(terms([NEVER, NEVER + 1]))[0, 0] == pytest.approx(0.04)
    assert 0.01 < model_of.predict(terms([RARE]))[0, 0] < 0.04  # once, in a link that failed


def test_in_proportion_the_shares_of_both_classes_add_up():
    links = 10
    model = worked_example(Form(smoothing=PROPORTIONAL))

    # p(t|1) = (3 + 4/10) / (4 + 2 * 4/10), p(t|0) = (1 + 6/10) / (6 + 2 * 6/10)
    relevant, other = 3.4 / 4.8, 1.6 / 7.2
    expected = 0.4 * relevant / (0.4 * relevant + 0.6 * other)
    assert model.predict(terms([KONTAKT]))[0, 0] == pytest.approx(expected)
    assert 0.4 * relevant + 0.6 * other == pytest.approx((4 + 1) / (links + 2))


def rare_class(form: Form) -> LinkModel:
    """40 of 1000 links lead to a relevant page; one that does not has a term of its own."""
    links = [[HOME]] * 999 + [[HOME, RARE]]
    return fit(Examples(terms(*links), np.array([[True]] * 40 + [[False]] * 960)), form)


def test_without_examples_nothing_is_promised():
    model = fit(Examples(terms(), np.zeros((0, 2), bool)), Form())

    assert model.predict(terms([KONTAKT], [HOME])).tolist() == [[0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("smoothing", [LAPLACE, PROPORTIONAL])
@pytest.mark.parametrize("relevant", [True, False])
def test_class_that_was_never_seen_is_never_predicted(relevant, smoothing):
    form = Form(smoothing=smoothing)
    model = fit(Examples(terms([HOME], [KONTAKT]), np.array([[relevant]] * 2)), form)

    assert model.predict(terms([HOME], [NEVER])).tolist() == [[float(relevant)]] * 2


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 30), st.integers(1, 30))
def test_more_good_links_with_a_term_never_lower_its_prediction(good, bad, other_good, other_bad):
    def posterior(good_with_term: int) -> float:
        counts = ((good_with_term, KONTAKT, True), (bad, KONTAKT, False))
        others = ((other_good + good - good_with_term + 1, HOME, True), (other_bad, HOME, False))
        rows = [(term, out) for n, term, out in (*counts, *others) for _ in range(n)]
        outcomes = np.array([[out] for _, out in rows])
        model = fit(Examples(terms(*([term] for term, _ in rows)), outcomes), Form())
        return float(model.predict(terms([KONTAKT]))[0, 0])

    assert posterior(good + 1) >= posterior(good)


def test_model_survives_being_kept():
    model = worked_example()
    named = LinkModel(
        model.numbers, model.seen, model.hits, model.links, model.good, names={KONTAKT: "anchor:x"}
    )

    again = unpack_model(unpack_arrays(pack_arrays(pack_model(named))), Form())

    assert again.predict(terms([KONTAKT])).tolist() == model.predict(terms([KONTAKT])).tolist()
    assert again.counts_of(KONTAKT) == (4, [3])
    assert again.names == {KONTAKT: "anchor:x"}
