"""A real Ray cluster: a head and two machines on loopback. Without Ray these tests are skipped."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT

BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def environment(settings, gazetteer):
    ours = {"GEOSCOUT_HOME": settings.home, "GEOSCOUT_EXTRAS": "no"}
    token = {"RAY_AUTH_TOKEN_PATH": str(PROJECT / ".cache/ray/token"), "RAY_AUTH_MODE": "token"}
    return {**os.environ, **ours, **token, "RAY_VENV": str(BIN.parent)}


@pytest.fixture(scope="module")
def cluster(environment):
    """The address of a head with two machines."""
    started = manage(environment, "start", "2")
    try:
        yield started.stdout.decode().strip()
    finally:
        manage(environment, "stop")


def manage(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run `tools/ray.sh`."""
    command = ["sh", str(PROJECT / "tools/ray.sh"), *words]
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, timeout=900)
