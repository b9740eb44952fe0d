"""The one way to extend geoscout: an entry point that names a module with `create`.

Strategies, collaborations, address formats, experiments and commands are found like this, ours
and those of other packages alike. So a new one needs a module and a line in the `pyproject.toml`
of its package, and no change here.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from geoscout.errors import UsageError


def plugin_names(group: str) -> tuple[str, ...]:
    """The names of everything installed in a group, such as "geoscout.strategies"."""
    return tuple(sorted(entry_points(group=group).names))


def load_plugin(group: str, name: str, noun: str) -> ModuleType:
    """The module of one plug-in; `noun` says in the error what was looked for.

    Raises:
        UsageError: nothing in the group has that name.
    """
    found: tuple[EntryPoint, ...] = tuple(entry_points(group=group, name=name))
    if not found:
        known = ", ".join(plugin_names(group))
        raise UsageError(f"no {noun} is called {name!r}; there are: {known}")
    module: ModuleType = found[0].load()
    return module


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the options in a text.

    >>> split_spec("adaptive:depth=3:labels=tree")
    ('adaptive', {'depth': '3', 'labels': 'tree'})

    Raises:
        UsageError: an option has no value.
    """
    name, *pairs = spec.split(":")
    options = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (key and equals):
            raise UsageError(f"{pair!r} in {spec!r} should be an option and its value: depth=3")
        options[key.replace("-", "_")] = value
    return name, options
