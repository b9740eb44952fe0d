"""What geoscout computes on a synthetic web is what it was: orders, exports, answers, the API."""

import pytest
from golden.masters import Masters
from golden.synthetic import compute

ADVICE = """
{}
If this is meant: `python -m golden synthetic --accept`, and name the difference in the commit.
"""


@pytest.mark.slow
@pytest.mark.usefixtures("at_home")
def test_a_synthetic_web_gives_what_it_gave():
    masters = Masters("synthetic")

    lines = masters.compare(*compute(masters))

    assert not lines, ADVICE.format("\n".join(lines))
