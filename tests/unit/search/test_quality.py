"""Quality is tested too: interpretations and ranking on a small synthetic web must not sink.

`python -m benchmarks.search_quality` measures the same on a larger one.
"""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest
from benchmarks.search_quality import measure

from geoscout_lab.worlds.synthetic import WebPlan
from geoscout_places.gazetteer import SqliteGazetteer


@pytest.mark.slow
def test_places_are_read_and_ranked_better_than_words_alone(
    tmp_path: Path, gazetteer: SqliteGazetteer
) -> None:
    outcomes = measure(WebPlan("web2025", 1, 2500), 13, tmp_path, gazetteer)

    ratio = fmean(o.ndcg for o in outcomes) / fmean(o.words_ndcg for o in outcomes)
    assert len(outcomes) > 100
    assert fmean(o.is_read for o in outcomes) >= 0.95
    assert ratio >= 1.4
