"""The one door to Ray, which is an extra: for batches of archives, and for workers of a crawl.

Ray runs whatever code reaches its ports. So token authentication is on unless the user has set
`RAY_AUTH_MODE`, and dashboard and usage statistics are off.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from geoscout_places.errors import UsageError, last_line
from geoscout_places.extras import import_extra

LOCAL = "local"  # the address for a cluster of this machine alone, which ends with the connection
_LOOPBACK = "127.0.0.2"  # in place of 127.0.0.1 Ray takes an address that others can reach
_CONNECT_SECONDS = 10.0
_STORE_BYTES = 100_000_000  # of shared memory in a local cluster; only small values are sent


@contextmanager
def connected_to_ray(address: str, processors: int = 1, **more: Any) -> Iterator[Any]:
    """The module `ray`, connected to a cluster.

    `address` is as Ray has it: `host:port`, "auto" for the cluster of this machine, or "local" for
    one that is started here with this many `processors`. `more` goes to `ray.init`.

    Raises:
        UsageError: Ray is missing, or the cluster cannot be reached.
    """
    _prepare_environment(address)
    ray = import_extra("a Ray cluster", "ray", "ray")
    if address == LOCAL:
        more |= {"num_cpus": processors, "object_store_memory": _STORE_BYTES}
        more |= {"include_dashboard": False, "_node_ip_address": _LOOPBACK}
    try:
        _knock(address)
        with _quiet():
            ray.init(address=address, logging_level=logging.WARNING, **more)
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise UsageError(
            f"cannot reach Ray at {address}: {last_line(error)}; its token belongs into the file"
            " that RAY_AUTH_TOKEN_PATH names"
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Fail at once where nobody listens: Ray itself would try for longer than ten minutes."""
    if found := re.fullmatch(r"\[?([^/]+?)\]?:(\d+)", address):
        socket.create_connection((found[1], int(found[2])), _CONNECT_SECONDS).close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what Ray's native part prints off the terminal: a line for each failed attempt.

    No setting of Ray's is early enough for these lines. Our own error says what they say.
    """
    terminal = os.dup(2)
    try:
        with tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), 2)
            yield
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)


def _prepare_environment(address: str) -> None:
    """Ray reads its settings from the environment, when it is imported."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # or it warns of what will be
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    if address == LOCAL:  # a secret for this cluster alone; Ray would keep one in the user's home
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
