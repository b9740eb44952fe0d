"""Writes small MaxMind DB files for the tests, by the format's specification."""

from __future__ import annotations

import ipaddress
import struct
from collections.abc import Mapping
from typing import Any

MARKER = b"\xab\xcd\xefMaxMind.com"


def address_file(records: Mapping[str, Any], record_bits: int = 28, version: int = 6) -> bytes:
    """A file with these records by network, such as "192.0.2.0/24"."""
    tree: list[list[Any]] = [[None, None]]
    content = b""
    for network, record in records.items():
        _insert(tree, _bits(network, version), len(content))
        content += encode(record)
    nodes = len(tree)
    packed = b"".join(_pack(nodes, sides, record_bits) for sides in tree)
    metadata = {
        "node_count": nodes,
        "record_size": record_bits,
        "ip_version": version,
        "database_type": "Test",
    }
    return packed + bytes(16) + content + MARKER + encode(metadata)


def encode(value: Any) -> bytes:
    if isinstance(value, bool):
        return bytes([value, 14 - 7])
    if isinstance(value, dict):
        parts = (encode(key) + encode(item) for key, item in value.items())
        return bytes([7 << 5 | len(value)]) + b"".join(parts)
    if isinstance(value, list):
        return bytes([len(value), 11 - 7]) + b"".join(map(encode, value))
    if isinstance(value, float):
        return bytes([3 << 5 | 8]) + struct.pack(">d", value)
    if isinstance(value, int):
        raw = value.to_bytes(4).lstrip(b"\0")
        return bytes([6 << 5 | len(raw)]) + raw
    raw = value.encode()
    if len(raw) < 29:
        return bytes([2 << 5 | len(raw)]) + raw
    return bytes([2 << 5 | 29, len(raw) - 29]) + raw


def _bits(network: str, version: int) -> str:
    parsed = ipaddress.ip_network(network)
    bits = f"{int(parsed.network_address):0{parsed.max_prefixlen}b}"[: parsed.prefixlen]
    return "0" * 96 + bits if version == 6 and parsed.version == 4 else bits


def _insert(tree: list[list[Any]], bits: str, offset: int) -> None:
    node = 0
    for bit in bits[:-1]:
        side = int(bit)
        if tree[node][side] is None:
            tree.append([None, None])
            tree[node][side] = len(tree) - 1
        node = tree[node][side]
    tree[node][int(bits[-1])] = ("record", offset)


def _pack(nodes: int, sides: list[Any], record_bits: int) -> bytes:
    left, right = (_number(nodes, side) for side in sides)
    if record_bits == 28:
        middle = left >> 24 << 4 | right >> 24
        return (left & 0xFFFFFF).to_bytes(3) + bytes([middle]) + (right & 0xFFFFFF).to_bytes(3)
    return left.to_bytes(record_bits // 8) + right.to_bytes(record_bits // 8)


def _number(nodes: int, side: Any) -> int:
    if side is None:
        return nodes
    return nodes + 16 + side[1] if isinstance(side, tuple) else int(side)
