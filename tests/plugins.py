"""Installs a plug-in as a user's package would: a module and an entry point on the path."""

import sys
from pathlib import Path

import pytest


class PluginFolder:
    """A folder on the path; each plug-in in it is a distribution of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._modules: list[str] = []

    def add(self, group: str, name: str, code: str) -> None:
        """Write the module of a plug-in, and the entry point that names it."""
        module = f"geoscout_test_{name}"
        self._modules.append(module)
        (self._folder / f"{module}.py").write_text(code, encoding="utf-8")
        metadata = self._folder / f"{module}-1.0.dist-info"
        metadata.mkdir()
        described = f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n"
        (metadata / "METADATA").write_text(described)
        (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {module}\n")

    def forget(self) -> None:
        """Take the modules out of this process again."""
        for module in self._modules:
            sys.modules.pop(module, None)


def plugin_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> PluginFolder:
    """An empty folder for plug-ins, on the path as long as the test runs."""
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return PluginFolder(folder)
