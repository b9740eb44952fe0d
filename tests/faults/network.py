"""A network of our own: a namespace in which every address leads to our servers, and its DNS.

`unshare` makes the namespace for one process and its children, and the kernel removes it with the
last of them. So nothing is left behind, whatever happens, and two campaigns do not meet.
"""

import hashlib
import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

INSIDE = "FAULTS_INSIDE"  # set for the process in the namespace
_WAYS = (["unshare", "--net", "--mount"], ["unshare", "--net", "--mount", "--map-root-user"])
# Every network of the world is here: what the crawler asks, our servers hear, private ones too.
_SET_UP = """
ip link set lo up
ip addr add 11.0.0.1/32 dev lo
ip route add local 0.0.0.0/1 dev lo
ip route add local 128.0.0.0/1 dev lo
ip -6 addr add 2a01::1/128 dev lo
ip -6 route add local ::/1 dev lo
ip -6 route add local 8000::/1 dev lo
mount --bind "$1" /etc/resolv.conf
"""
_RESOLVER = "nameserver 127.0.0.1\noptions timeout:2 attempts:2\n"
_A, _AAAA = 1, 28
_NO_SUCH_NAME, _SERVER_FAILED = 3, 2
SILENCE, FAILURE, UNKNOWN = "silence", "failure", "unknown"
Answer = str | tuple[str, ...]  # addresses, or one of the three words above


def namespace_words() -> list[str] | None:
    """The beginning of a command that runs in a network of its own; None where that cannot be."""
    if not (shutil.which("unshare") and shutil.which("ip")):
        return None
    for way in _WAYS:
        if not subprocess.run([*way, "true"], capture_output=True, check=False).returncode:
            return way
    return None


def enter(module: str, words: Sequence[str]) -> None:
    """Run a module of ours again in a network of its own; returns where that cannot be."""
    way = namespace_words()
    if way is None or INSIDE in os.environ:
        return
    os.environ[INSIDE] = "1"
    os.execvp(way[0], [*way, sys.executable, "-m", module, *words])


def is_inside() -> bool:
    """Whether this process has a network of its own."""
    return INSIDE in os.environ


def set_up(folder: Path) -> None:
    """Let every address lead to this process, and names to our name server."""
    resolver = folder / "resolv.conf"
    resolver.write_text(_RESOLVER, encoding="ascii")
    subprocess.run(["sh", "-e", "-c", _SET_UP, "sh", str(resolver)], check=True)


def address_of(host: str) -> str:
    """The usual address of a host: public, and nearly always its own."""
    number = hashlib.blake2b(host.encode(), digest_size=3).digest()
    return f"11.{number[0]}.{number[1]}.{max(number[2], 1)}"


class NameServer:
    """Answers for every name while its `with` block runs: as `names` says, or `address_of` it.

    `*.farm.test` in `names` stands for all names below farm.test. Several tuples of addresses in a
    list are given in turn.
    """

    def __init__(self) -> None:
        self.names: dict[str, Answer | list[Answer]] = {}
        self._socket: socket.socket | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._turns: dict[str, int] = {}

    def __enter__(self) -> Self:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 53))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._socket is not None:
            self._socket.close()

    def expect(self, names: Mapping[str, Answer | list[Answer]]) -> None:
        """Answer so from now on, and as usual for all other names."""
        self.names, self._turns = dict(names), {}

    def _serve(self) -> None:
        listening = self._socket
        while listening is not None:
            try:
                question, sender = listening.recvfrom(4096)
                answer = self.answer(question)
                if answer is not None:
                    listening.sendto(answer, sender)
            except OSError:
                return
            except (IndexError, struct.error, UnicodeDecodeError):
                continue

    def answer(self, question: bytes) -> bytes | None:
        """The answer to a question, both as they are sent; None where there is silence."""
        labels, at = [], 12
        while question[at]:
            labels.append(question[at + 1 : at + 1 + question[at]].decode("ascii"))
            at += question[at] + 1
        (kind,) = struct.unpack(">H", question[at + 1 : at + 3])
        found = self._find(".".join(labels).lower(), kind)
        if found == SILENCE:
            return None
        code = {UNKNOWN: _NO_SUCH_NAME, FAILURE: _SERVER_FAILED}.get(str(found), 0)
        records = [] if code else [_record(text) for text in found if _kind(text) == kind]
        head = question[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, len(records), 0, 0)
        return head + question[12 : at + 5] + b"".join(records)

    def _find(self, name: str, kind: int) -> Answer:
        known = self.names.get(name, self.names.get(f"*.{name.partition('.')[2]}"))
        if isinstance(known, list):  # counted by the questions for IPv4, which always come
            turn = self._turns.get(name, 0)
            self._turns[name] = turn + (kind == _A)
            return known[turn % len(known)]
        return (address_of(name),) if known is None else known


def _kind(address: str) -> int:
    return _AAAA if ":" in address else _A


def _record(address: str) -> bytes:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    data = socket.inet_pton(family, address)
    return b"\xc0\x0c" + struct.pack(">HHIH", _kind(address), 1, 1, len(data)) + data
