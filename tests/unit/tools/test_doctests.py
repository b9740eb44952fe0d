"""The examples in the docstrings of the tool, which pytest collects for the package only."""

import doctest
from importlib import import_module

import pytest

from tests.conftest import PROJECT

MODULES = [
    path.stem
    for path in sorted((PROJECT / "tools/derive").glob("[!_]*.py"))
    if ">>> " in path.read_text()
]


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_a_module_hold(module):
    result = doctest.testmod(import_module(f"tools.derive.{module}"))

    assert result.attempted > 0
    assert result.failed == 0
