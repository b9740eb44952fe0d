"""Patterns that are compiled when they are first used."""

import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module

import pytest

import geoscout_places.geo.address
import geoscout_places.geo.structured
from geoscout_places.geo.lazy_patterns import lazy_pattern

# Prints the modules of `geo` that compile a pattern while the formats are loaded.
_LOAD_FORMATS = """
import re, sys
compile_pattern, callers = re.compile, set()
def noted(pattern, flags=0):
    callers.add(sys._getframe(1).f_globals["__name__"])
    return compile_pattern(pattern, flags)
re.compile = noted
from geoscout_places.geo.address.formats import known_formats
from geoscout_places.geo.address import extract_addresses
import geoscout_places.geo.structured
assert len(known_formats()) > 30
print([name for name in callers if name.startswith("geoscout_places.geo")])
"""


def _modules() -> Iterator[object]:
    yield geoscout_places.geo.structured
    package = geoscout_places.geo.address
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield import_module(module.name)


@pytest.mark.parametrize("flags", [0, re.IGNORECASE])
def test_it_does_what_the_compiled_pattern_does(flags):
    lazy, eager = lazy_pattern("(a)(b?)", flags), re.compile("(a)(b?)", flags)
    text = "ab Ab aB"
    assert lazy.pattern == eager.pattern
    assert [m.span() for m in lazy.finditer(text)] == [m.span() for m in eager.finditer(text)]
    assert lazy.findall(text) == eager.findall(text)
    assert lazy.sub("x", text) == eager.sub("x", text)
    assert lazy.split(text) == eager.split(text)
    assert bool(lazy.match(text, 1)) == bool(eager.match(text, 1))


def test_what_patterns_do_not_have_is_missing():
    with pytest.raises(AttributeError, match="nonsense"):
        lazy_pattern("a").nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_every_pattern_of_addresses_can_be_compiled():
    lazy = type(lazy_pattern(""))
    patterns = [p for m in _modules() for p in vars(m).values() if isinstance(p, lazy)]
    assert len(patterns) > 80
    for pattern in patterns:
        assert re.compile(pattern.pattern, pattern.flags)


def test_loading_the_formats_compiles_nothing():
    command = [sys.executable, "-c", _LOAD_FORMATS]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
