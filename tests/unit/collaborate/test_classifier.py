from __future__ import annotations

from dataclasses import replace

import pytest

from geoscout.collaborate import create_collaboration
from geoscout.collaborate.classifier import NONE, train
from geoscout_places.errors import UsageError
from tests.unit.collaborate import worlds
from tests.unit.collaborate.worlds import aim, link, page

MODEL = train(
    [
        ("desert cactus mesa sun", worlds.MESA.id),
        ("cactus sun sun desert", worlds.MESA.id),
        ("bridge fog bay cable", worlds.SAN_FRANCISCO.id),
        ("fog bay bridge", worlds.SAN_FRANCISCO.id),
        ("the cookery book recipe", NONE),
        ("recipe cookery salt", NONE),
    ]
)


@pytest.mark.parametrize(
    ("text", "node"),
    [("sun on the cactus", "mountain"), ("fog", "pacific"), ("recipe book cookery", "general")],
)
def test_links_go_to_the_node_of_the_class(text: str, node: str) -> None:
    classifier = create_collaboration("classifier", replace(aim(), model=MODEL))

    assert classifier.assign(page(text), [link()]) == [(node,)]


def test_weak_class_may_be_disbelieved() -> None:
    classifier = create_collaboration("classifier:least=0.99", replace(aim(), model=MODEL))

    assert classifier.assign(page("fog"), [link()]) == [("general",)]


def test_label_is_the_class() -> None:
    classifier = create_collaboration("classifier", replace(aim(), model=MODEL))

    assert classifier.label(page("sun")) == worlds.MESA.id


def test_without_a_model_it_says_what_is_missing() -> None:
    with pytest.raises(UsageError, match="model"):
        create_collaboration("classifier", aim())
