"""The options of a strategy: fields of a frozen dataclass, given as texts in its name.

`class Options` below is the base; a strategy adds its own fields with `setting(…)`, so that each
has its default, unit and reason beside it, as the settings of geoscout have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TypeVar

from geoscout.errors import UsageError
from geoscout.settings import coerce


@dataclass(frozen=True, slots=True)
class Options:
    """No options."""


AnyOptions = TypeVar("AnyOptions", bound=Options)


def read_options(strategy: str, kind: type[AnyOptions], texts: Mapping[str, str]) -> AnyOptions:
    """The options in the types of their defaults.

    Raises:
        UsageError: there is no such option.
        SettingsError: a value is of the wrong type.
    """
    known = {field.name: field.default for field in fields(kind)}
    for key in texts:
        if key not in known:
            names = ", ".join(known) or "none"
            raise UsageError(f"strategy {strategy!r} has no option {key!r}; it has: {names}")
    read = {key: coerce(key, text, known[key], strategy) for key, text in texts.items()}
    return kind(**read)
