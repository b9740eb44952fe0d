"""What geoscout computes on a synthetic web is what it was: orders, exports, answers, the API."""

import pytest
from golden.masters import Masters
from golden.synthetic import compute

from geoscout.settings import Settings

ADVICE = """
{}
If this is meant: `python -m golden synthetic --accept`, and name the difference in the commit.
"""


@pytest.mark.slow
def test_a_synthetic_web_gives_what_it_gave(
    settings: Settings, gazetteer: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)
    masters = Masters("synthetic")

    lines = masters.compare(*compute(masters))

    assert not lines, ADVICE.format("\n".join(lines))
