"""The one way to extend geoscout: an entry point that names a module with `create`.

Strategies, collaborations, fetchers, exporters and places for crawls are found like this, ours and
those of other packages alike. So a new one needs a module and a line in
the `pyproject.toml` of its package, and no change here: docs/extend/plugins.md.

Other packages add commands, address formats and languages in the same way; ours are listed in
their packages, for speed. Import formats, optional data packages (`gazetteer/extras`) and the parts
of the web API cannot be added from outside.

A user names a plug-in by a text such as "adaptive:depth=3". What stands behind the name are its
options: fields of a frozen dataclass, each made by `setting(…)` with its default, its unit and its
reason, as the settings of geoscout are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from geoscout_places.errors import SettingsError, UsageError


def setting(default: Any, reason: str, unit: str = "") -> Any:
    """A field of options or settings that can tell a user what it is for."""
    return field(default=default, metadata={"reason": reason, "unit": unit})


@dataclass(frozen=True, slots=True)
class PluginOptions:
    """No options; the base of those that a plug-in has."""


AnyOptions = TypeVar("AnyOptions", bound=PluginOptions)
# By what is on the path. Any: the class that has all groups differs between versions of Python.
_looked_through: dict[tuple[tuple[str, int], ...], Any] = {}

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints


def plugin_names(group: str) -> tuple[str, ...]:
    """The names of everything installed in a group, such as "geoscout.strategies"."""
    return tuple(sorted(_installed(group).names))


def load_plugin(group: str, name: str, noun: str) -> ModuleType:
    """The module of one plug-in; `noun` says in the error what was looked for."""
    found = tuple(_installed(group).select(name=name))
    if not found:
        check_installed(group)
        known = ", ".join(plugin_names(group))
        raise UsageError(f"no {noun} is called {name!r}; there are: {known}")
    return _load(found[0])


def check_installed(group: str) -> None:
    """Refuse an empty group, of which geoscout itself has some: its entry points are missing.

    That happens where the code is newer than its installation.
    """
    if not plugin_names(group):
        raise UsageError(
            "geoscout is not installed completely: run `pip install -e .` or `make setup` again"
        )


def load_plugins(group: str) -> dict[str, ModuleType]:
    """The modules of all plug-ins of a group by name; what is installed is looked through once."""
    found = sorted(_installed(group), key=lambda point: point.name)
    return {point.name: _load(point) for point in found}


def _load(point: EntryPoint) -> ModuleType:
    called = f"the plug-in {point.name!r} of {point.group}"
    try:
        module: ModuleType = point.load()
    except (ImportError, AttributeError) as error:  # the latter where "module:object" is missing
        raise UsageError(f"{called} cannot be loaded: {error}") from error
    if not hasattr(module, "create"):
        raise UsageError(f"{called} must name a module with a function `create`: {point.value}")
    return module


def _installed(group: str) -> EntryPoints:
    # imported late: it takes as long as all else that `geoscout place` imports before its command
    from importlib.metadata import entry_points  # noqa: PLC0415

    place = tuple((folder, _changed_at(folder)) for folder in sys.path)
    if place not in _looked_through:  # a crawl asks nine times, and each look takes 10 ms
        _looked_through.clear()
        _looked_through[place] = entry_points()
    found: EntryPoints = _looked_through[place].select(group=group)
    return found


def _changed_at(folder: str) -> int:
    """When something was last installed in a folder, or removed; 0 for none."""
    try:
        return os.stat(folder or ".").st_mtime_ns
    except OSError:
        return 0


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the options in a text.

    >>> split_spec("adaptive:depth=3:labels=tree")
    ('adaptive', {'depth': '3', 'labels': 'tree'})
    """
    name, *pairs = spec.split(":")
    options = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (key and equals):
            raise UsageError(f"{pair!r} in {spec!r} should be an option and its value: depth=3")
        options[key.replace("-", "_")] = value
    return name, options


def read_options(plugin: str, kind: type[AnyOptions], texts: Mapping[str, str]) -> AnyOptions:
    """The options of a plug-in in the types of their defaults.

    Raises:
        UsageError: there is no such option.
        SettingsError: a value is of the wrong type.
    """
    known = {field.name: field.default for field in fields(kind)}
    for key in texts:
        if key not in known:
            names = ", ".join(known) or "none"
            raise UsageError(f"{plugin!r} has no option {key!r}; it has: {names}")
    return kind(**{key: coerce(key, text, known[key], plugin) for key, text in texts.items()})


def coerce(key: str, value: object, default: object, origin: str) -> Any:
    """`value` as the type of the default; text, as the environment gives it, is read."""
    wanted = type(default)
    if isinstance(value, wanted) and not (wanted is int and isinstance(value, bool)):
        return value
    try:
        if wanted is bool and isinstance(value, str):
            return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}[
                value.lower()
            ]
        if wanted in (int, float) and isinstance(value, str | int):
            return wanted(value)
        if wanted is tuple and isinstance(value, str | list):
            parts = value.split(",") if isinstance(value, str) else value
            return tuple(str(part).strip() for part in parts)
    except (KeyError, ValueError):
        pass
    raise SettingsError(f"{origin}: {key} must be {wanted.__name__}, not {value!r}")
