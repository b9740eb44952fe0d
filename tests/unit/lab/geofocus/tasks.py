"""A task of twenty pages that is written by hand."""

from __future__ import annotations

import gzip
import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

URLS = [f"http://site{n % 4}.example/{n}" for n in range(20)]
RELEVANT = {1, 2, 3, 5}  # of three domains
ORACLE = {
    "5%": {"visits": 1, "found": 1, "domains": 1, "area": 1},
    "10%": {"visits": 2, "found": 2, "domains": 2, "area": 3},
    "20%": {"visits": 4, "found": 4, "domains": 3, "area": 10},
}


def write_task(folder: Path, name: str = "small", web: str = "small") -> Path:
    lines = [f"{url}\t{n in RELEVANT:d}\tsite{n % 4}.example\n" for n, url in enumerate(URLS)]
    data = "".join(lines).encode()
    about = {
        "name": name,
        "web": web,
        "relevant": len(RELEVANT),
        "domains": 3,
        "sha256": {"truth.tsv": hashlib.sha256(data).hexdigest()},
        "oracles": {"greedy": ORACLE, "one_step": ORACLE},
    }
    folder.mkdir(parents=True)
    (folder / "truth.tsv.gz").write_bytes(gzip.compress(data))
    (folder / "task.json").write_text(json.dumps(about))
    return folder
