import pytest

from geoscout.strategy import StrategyAim, abilities_of, create_strategy
from geoscout_places.errors import UsageError
from tests.unit.strategy.links import link, source


@pytest.mark.parametrize(
    ("spec", "relevant", "distance", "score"),
    [
        ("distance", False, 0, 0.5),
        ("distance", False, 1, 0.25),
        ("distance", False, 2, 0.125),
        ("distance", True, 7, 0.5),  # a relevant page starts again
        ("distance:decay=0.9", False, 1, 0.81),
        ("distance:cutoff=2", False, 1, 0.25),
        ("distance:cutoff=2", False, 2, None),
    ],
)
def test_hope_is_less_with_every_link(spec, relevant, distance, score):
    page = source(relevant=relevant, distance=distance)

    (scored,) = create_strategy(spec, StrategyAim()).score(page, [link("x")])

    assert (scored and scored.score) == (score and pytest.approx(score))


def test_decay_beyond_one_is_refused():
    with pytest.raises(UsageError, match="decay is a share"):
        create_strategy("distance:decay=2", StrategyAim())


def test_explanation_names_the_distance():
    strategy = abilities_of(create_strategy("distance", StrategyAim()))

    reason = strategy.explain(source(distance=1), link("x"))

    assert reason.value == 0.25
    assert reason.detail == "2 links from the last relevant page or seed"
