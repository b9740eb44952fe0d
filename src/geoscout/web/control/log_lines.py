"""Writes what a crawl says to its log, line by line, so that nothing in it can act.

A crawl says what pages and folders of strangers say. Shown in a terminal, control characters could
move or type; read by a shell, quotes and newlines could run. So each line is a comment of a shell,
and what is not plain is written by its number.

It is run as a program of its own, without the rest of geoscout: also what a crawl says when it dies
comes here, and what its processes say, and the server that has started both may be gone by then.
"""

import re
import sys

_MARK = "# "
_TWO_DIGITS = 0x100
_LONGEST_LINE = 64 * 1024  # bytes; what is longer goes on in the next line
_ODD = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\"'`$\\\\]"
)
_SHOWN = re.compile(r"\\x(22|24|27|5c|60)")  # of what is written by its number, the harmless


def escaped(line: bytes) -> bytes:
    r"""A line as it is kept.

    >>> escaped("\x1b[2J no place is called '$(rm x)'".encode())
    b'# \\x1b[2J no place is called \\x27\\x24(rm x)\\x27\n'
    """
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    return f"{_MARK}{_ODD.sub(_number, text)}\n".encode()


def readable(kept: str) -> str:
    r"""Some lines of a log for people: control characters stay numbers.

    >>> readable(r"# no place is called \x27\x1b[2J\x27")
    "no place is called '\\x1b[2J'"
    """
    lines = (line.removeprefix(_MARK) for line in kept.splitlines())
    return "\n".join(_SHOWN.sub(lambda found: chr(int(found[1], 16)), line) for line in lines)


def _number(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < _TWO_DIGITS else f"\\u{code:04x}"


def copy_log() -> None:
    while line := sys.stdin.buffer.readline(_LONGEST_LINE):
        try:
            sys.stdout.buffer.write(escaped(line))
            sys.stdout.buffer.flush()
        except OSError:  # a full disk; the crawl must not wait for us
            continue


if __name__ == "__main__":
    copy_log()
