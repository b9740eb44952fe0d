"""Kernels by their names, for the tests that compare them with their forms in Python."""

from typing import Any

import pytest

from geoscout_places._native import kernel


def _compiled(name: str) -> Any:
    module = kernel(name)
    if module is None:
        pytest.skip("geoscout was installed without compiled kernels")
    return module


@pytest.fixture(scope="session")
def plain():
    return _compiled("plain")


@pytest.fixture(scope="session")
def models():
    return _compiled("models")


@pytest.fixture(scope="session")
def walk():
    return _compiled("walk")


@pytest.fixture(scope="session")
def terms():
    return _compiled("terms")


@pytest.fixture(scope="session")
def trie():
    return _compiled("trie")
