"""The product never imports the laboratory, and its help imports nothing slow."""

import subprocess
import sys

import pytest

_SHOW = "import sys; print(*(name for name in sys.modules), sep='\\n')"
_HELP = (
    "from geoscout.cli.main import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
)
SLOW = {"aiohttp", "asyncio", "geoscout_places.gazetteer", "numpy", "rich", "selectolax", "sqlite3"}


def _imported(code: str) -> set[str]:
    """The modules that a fresh process has after running some code."""
    command = [sys.executable, "-c", f"{code}\n{_SHOW}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines())


@pytest.mark.parametrize(
    "module",
    ["geoscout.cli.main", "geoscout.crawling", "geoscout.crawling.run", "geoscout.web.app"],
)
def test_product_loads_no_module_of_the_laboratory(module):
    modules = _imported(f"import {module}")

    assert module in modules
    assert [name for name in modules if name.startswith("geoscout_lab")] == []


def test_help_imports_nothing_slow():
    assert _imported(_HELP) & SLOW == set()
