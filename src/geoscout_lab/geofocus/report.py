"""A static page of scores, in which those of another day stay.

Each part is a file that `geoscout geofocus score --json` printed, under the name of the file.
"""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path

from geoscout_lab.geofocus.score import table
from geoscout_places.errors import UsageError

_HEAD = """<!doctype html><html lang="en"><meta charset="utf-8"><title>GeoFocus</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem}.wide{overflow-x:auto}
table{border-collapse:collapse}th,td{padding:.3rem .6rem;border-bottom:1px solid #ddd}</style>
<h1>GeoFocus</h1><p>Means over tasks when 5, 10 and 20 % of the pages were fetched; areas are shares
of those of an oracle, with the interval of the last one.</p>
"""


def write_report(files: Sequence[Path], folder: Path) -> Path:
    """Write `index.html` and `table.md`; the last file by name comes first."""
    page, tables = _HEAD, ""
    for file in sorted(files, key=lambda file: file.stem, reverse=True):
        try:
            text = table(json.loads(file.read_text(encoding="utf-8"))["rows"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{file} is not what `geofocus score --json` printed") from error
        tables += f"## {file.stem}\n\n{text}\n\n"
        rows = [line.strip("| ").split(" | ") for line in text.splitlines() if "---" not in line]
        cells = "<tr>".join("".join(f"<td>{escape(cell)}" for cell in row) for row in rows)
        page += f'<h2>{escape(file.stem)}</h2><div class="wide"><table><tr>{cells}</table></div>'
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table.md").write_text(tables, encoding="utf-8")
    (folder / "index.html").write_text(page, encoding="utf-8")
    return folder / "index.html"
