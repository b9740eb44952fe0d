"""Writes small MaxMind DB files for the tests, by the format's specification."""

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
    return packed + bytes(16) + content + MARKER + _metadata(nodes, record_bits, version)


def _metadata(nodes: int, record_bits: int, version: int) -> bytes:
    """What the file says about itself; the format gives each number a type of its own."""
    fields = {
        "node_count": _number_of_type(6, nodes),
        "record_size": _number_of_type(5, record_bits),
        "ip_version": _number_of_type(5, version),
        "binary_format_major_version": _number_of_type(5, 2),
        "binary_format_minor_version": _number_of_type(5, 0),
        "build_epoch": _number_of_type(9, 1),
        "database_type": encode("Test"),
        "description": encode({"en": "Test"}),
        "languages": encode(["en"]),
    }
    parts = (encode(name) + value for name, value in fields.items())
    return bytes([7 << 5 | len(fields)]) + b"".join(parts)


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
        return _number_of_type(6, value)
    raw = value.encode()
    if len(raw) < 29:
        return bytes([2 << 5 | len(raw)]) + raw
    return bytes([2 << 5 | 29, len(raw) - 29]) + raw


def _number_of_type(kind: int, value: int) -> bytes:
    raw = value.to_bytes(8).lstrip(b"\0")
    control = [kind << 5 | len(raw)] if kind < 8 else [len(raw), kind - 7]
    return bytes(control) + raw


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
