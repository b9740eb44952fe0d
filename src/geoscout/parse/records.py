"""Blocks and links made the quick way.

A frozen dataclass sets each of its fields by `object.__setattr__`, which looks the field up by name
every time. A page has hundreds of blocks and links, and that was a sixth of the work on it. The
setters of the slots do the same without the look-up, in a third of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from geoscout.model import Block, Link, Part


def _setters(record: type[Any]) -> list[Callable[[Any, Any], None]]:
    return [getattr(record, field.name).__set__ for field in fields(record)]


_new_block = Block.__new__
_set_start, _set_end, _set_part = _setters(Block)
_new_link = Link.__new__
(_set_url, _set_anchor, _set_title, _set_rel, _set_alt, _set_before, _set_after, _set_tag_path,
 _set_link_part) = _setters(Link)  # fmt: skip


def make_block(start: int, end: int, part: Part) -> Block:
    """What `Block(start, end, part)` would make."""
    block = _new_block(Block)
    _set_start(block, start)
    _set_end(block, end)
    _set_part(block, part)
    return block


def make_link(
    where: tuple[str, str, Part],
    words: tuple[str, str, str],
    around: tuple[str, str],
    rel: tuple[str, ...],
) -> Link:
    """A link of (url, tag path, part), (anchor, title, alt), (before, after), and its rel."""
    link = _new_link(Link)
    url, tag_path, part = where
    anchor, title, alt = words
    before, after = around
    _set_url(link, url)
    _set_anchor(link, anchor)
    _set_title(link, title)
    _set_rel(link, rel)
    _set_alt(link, alt)
    _set_before(link, before)
    _set_after(link, after)
    _set_tag_path(link, tag_path)
    _set_link_part(link, part)
    return link
