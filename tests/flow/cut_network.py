"""Workers on machines of their own whose cables are cut: network namespaces, a veth pair for each.

Only root can make them. Everything lies in namespaces of this test: the hub has PostgreSQL and
whoever judges, and a link to each worker's namespace. `run_in_hub` makes them, runs a module in the
hub, and removes them. Addresses are of a range for documentation, and no packet leaves.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

HUB = "geoscout-hub"
WORKERS = 3
_NETWORK = "198.51.100"


def run_in_hub(module: str, arguments: Sequence[str]) -> int:
    """Run a module in the hub; its exit status.

    Raises:
        CalledProcessError: this process may not make namespaces.
    """
    with _namespaces():
        command = ["ip", "netns", "exec", HUB, sys.executable, "-m", module, *arguments]
        return subprocess.run(
            command, check=False, env={**os.environ, "HUB_OF_GEOSCOUT": "1"}
        ).returncode


def is_in_hub() -> bool:
    """Whether this process is what `run_in_hub` runs."""
    return os.environ.get("HUB_OF_GEOSCOUT") == "1"


def hub_address(worker: int) -> str:
    """The address of the hub as a worker sees it."""
    return f"{_NETWORK}.{4 * worker + 1}"


def listen_addresses() -> str:
    """All addresses of the hub, for PostgreSQL."""
    return ",".join(["127.0.0.1", *(hub_address(worker) for worker in range(WORKERS))])


def prefix_of(worker: int) -> list[str]:
    """What runs a command on the machine of a worker."""
    return ["ip", "netns", "exec", _name(worker)]


def cut(worker: int) -> None:
    """Cut the cable of a worker's machine."""
    _ip("link", "set", _link(worker), "down")


def mend(worker: int) -> None:
    """Plug it in again."""
    _ip("link", "set", _link(worker), "up")


@contextmanager
def _namespaces() -> Iterator[None]:
    names = [HUB, *(_name(worker) for worker in range(WORKERS))]
    try:
        for name in names:
            _ip("netns", "add", name)
            _ip("-n", name, "link", "set", "lo", "up")
        for worker in range(WORKERS):
            _plug_in(worker)
        yield
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], check=False, stderr=subprocess.DEVNULL)


def _plug_in(worker: int) -> None:
    link, name = _link(worker), _name(worker)
    _ip("link", "add", link, "netns", HUB, "type", "veth", "peer", "name", "eth0", "netns", name)
    _ip("-n", HUB, "address", "add", f"{hub_address(worker)}/30", "dev", link)
    _ip("-n", name, "address", "add", f"{_NETWORK}.{4 * worker + 2}/30", "dev", "eth0")
    _ip("-n", HUB, "link", "set", link, "up")
    _ip("-n", name, "link", "set", "eth0", "up")


def _name(worker: int) -> str:
    return f"geoscout-w{worker}"


def _link(worker: int) -> str:
    return f"gsw{worker}"


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
