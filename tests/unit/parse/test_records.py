from __future__ import annotations

import pickle

from geoscout.model import Block, Link, Part
from geoscout.parse.records import make_block, make_link


def test_block_is_what_the_constructor_makes() -> None:
    assert make_block(1, 5, Part.ASIDE) == Block(1, 5, Part.ASIDE)


def test_link_is_what_the_constructor_makes() -> None:
    made = make_link(("u", "body/a", Part.FOOTER), ("an", "ti", "al"), ("be", "af"), ("next",))

    expected = Link(
        url="u", anchor="an", title="ti", rel=("next",), alt="al", before="be", after="af",
        tag_path="body/a", part=Part.FOOTER,
    )  # fmt: skip
    assert made == expected
    assert pickle.loads(pickle.dumps(made)) == expected
