"""The options of a collaboration: fields of a frozen dataclass, given as texts in its name.

The ones here all assignments have; each adds its own with `setting(…)`, so that every reading of
an ambiguity in the paper is a switch with its default, unit and reason beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TypeVar

from geoscout.errors import UsageError
from geoscout.settings import coerce, setting


@dataclass(frozen=True, slots=True)
class Options:
    """What every assignment lets a user choose."""

    policy: str = setting("A", "A: the node of the best place; B: the nodes of all places")
    threshold: float = setting(
        0.05, "policy B leaves out places with less of the weight; a classifier excludes no place"
    )
    unclaimed: str = setting(
        "general", "where a link without a place goes: a general node, or stay at its node"
    )


AnyOptions = TypeVar("AnyOptions", bound=Options)


def read_options(name: str, kind: type[AnyOptions], texts: Mapping[str, str]) -> AnyOptions:
    """The options in the types of their defaults.

    Raises:
        UsageError: there is no such option.
        SettingsError: a value is of the wrong type.
    """
    known = {field.name: field.default for field in fields(kind)}
    for key in texts:
        if key not in known:
            raise UsageError(
                f"collaboration {name!r} has no option {key!r}; it has: {', '.join(known)}"
            )
    return kind(**{key: coerce(key, text, known[key], name) for key, text in texts.items()})
