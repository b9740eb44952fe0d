"""These tests run only when their folder is named (`make browser`): they need chromium.

They are not among those of tests/browser, whose driver keeps an event loop running: a renderer
needs one of its own.
"""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave these tests out unless they are asked for by name."""
    is_named = any("rendering" in argument for argument in config.args)
    return None if is_named else HERE in (collection_path, *collection_path.parents)
