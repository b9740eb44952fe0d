"""The committed hashes, what was computed now, and how both are told apart."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PROJECT = HERE.parent
KEPT = PROJECT / ".cache" / "golden"
Fact = dict[str, str | int]


class Masters:
    """The hashes of one set: `synthetic`, or `archives`."""

    def __init__(
        self, name: str, only: Collection[str] = (), folder: Path = HERE, kept: Path = KEPT
    ) -> None:
        self._file = folder / f"{name}.json"
        self._only = frozenset(only)
        self._before, self._now = kept / name / "before", kept / name / "now"

    def wants(self, *parts: str) -> bool:
        """Whether a piece with these parts in its name is asked for."""
        return not self._only or not self._only.isdisjoint(parts)

    def keep(self, name: str, text: str) -> Fact:
        """Leave a value where one can look at it; what is compared of it."""
        file = self._now / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        return {"hash": digest, "lines": text.count("\n"), "letters": len(text)}

    def compare(self, found: Mapping[str, Fact], gazetteer: str) -> list[str]:
        """What differs from the committed hashes, a line each; [] when nothing does."""
        committed = self._committed()
        pieces = {n: f for n, f in committed["pieces"].items() if self.wants(*n.split("/"))}
        names = sorted({*pieces, *found})
        lines = [self._told(name, pieces.get(name), found.get(name)) for name in names]
        lines = [line for line in lines if line]
        was = committed["gazetteer"]
        if lines and was != gazetteer:
            lines.insert(0, f"the gazetteer is another, which may be why: {gazetteer}, was {was}")
        return lines

    def accept(self, found: Mapping[str, Fact], gazetteer: str) -> None:
        """Make what was found the committed hashes; of the pieces that were not asked for, none."""
        others = {
            name: fact
            for name, fact in self._committed()["pieces"].items()
            if not self.wants(*name.split("/"))
        }
        pieces = sorted({**others, **found}.items())
        rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(fact)}" for name, fact in pieces)
        text = f'{{\n "gazetteer": {json.dumps(gazetteer)},\n "pieces": {{\n{rows}\n }}\n}}\n'
        self._file.write_text(text, encoding="utf-8")
        self._remember(found)

    def _committed(self) -> dict[str, Any]:
        if not self._file.exists():
            return {"gazetteer": "", "pieces": {}}
        read: dict[str, Any] = json.loads(self._file.read_text(encoding="utf-8"))
        return read

    def _told(self, name: str, was: Fact | None, now: Fact | None) -> str:
        """How a piece differs; "" when it does not."""
        if was == now:
            self._remember([name])
            return ""
        if now is None:
            return f"{name} is not computed any more"
        if was is None:
            return f"{name} is new: {_shown(self._now / name)}"
        counts = ", ".join(
            f"{now[what]} {what} (were {was[what]})" for what in ("lines", "letters")
        )
        before = self._before / name
        if not before.exists():
            return f"{name} differs: {counts}; run the same on the code before, then here again"
        return f"{name} differs: {counts}\n    diff {_shown(before)} {_shown(self._now / name)}"

    def _remember(self, names: Iterable[str]) -> None:
        """Let the values of now be those that later ones are looked at beside."""
        for name in names:
            before = self._before / name
            before.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self._now / name, before)


def _shown(file: Path) -> str:
    return os.path.relpath(file, PROJECT)
