"""Benchmarks start geoscout with settings by name: a setting that is gone would end them."""

import re

from geoscout.settings import Settings
from tests.conftest import PROJECT

# Of the benchmarks themselves and of make.
_OTHERS = {"CORPORA", "NATIVE", "ON", "BENCHMARK_ON", "REGION", "STRATEGY"}


def test_benchmarks_name_settings_that_exist() -> None:
    texts = [file.read_text() for file in (PROJECT / "benchmarks").rglob("*.py")]
    named = {name for text in texts for name in re.findall(r"GEOSCOUT_([A-Z_]+)", text)}
    assert named - _OTHERS <= {field.upper() for field in Settings.__dataclass_fields__}
    assert "WORKERS" in named
