"""Looking into items: every one of a page, and the properties of one by any of their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from geoscout_places.model import Item

_MOST_ITEMS = 5000


def every_item(items: Sequence[Item]) -> Iterator[Item]:
    """The items and all items inside them, outer ones first, in the order of the page."""
    waiting = list(reversed(items))
    for _ in range(_MOST_ITEMS):
        if not waiting:
            return
        item = waiting.pop()
        yield item
        inner = [value for _, value in item.properties if isinstance(value, Item)]
        waiting.extend(reversed(inner))


def first_text(item: Item, *names: str) -> str:
    """The first property of these names, in their order, as text; "" when there is none.

    A property that is an item itself, such as a Country, is taken by its name.
    """
    for wanted in names:
        for name, value in item.properties:
            if name == wanted:
                text = value if isinstance(value, str) else _name_of(value)
                if text:
                    return text
    return ""


def inner_items(item: Item, *names: str) -> Iterator[Item]:
    """The properties of these names that are items."""
    for name, value in item.properties:
        if name in names and isinstance(value, Item):
            yield value


def _name_of(item: Item) -> str:
    for name, value in item.properties:
        if name in {"name", "identifier", "value"} and isinstance(value, str):
            return value
    return ""
