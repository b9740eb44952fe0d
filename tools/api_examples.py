"""Asks a small server the example of every endpoint, and writes its answers into the description.

    python -m tools.api_examples

What to ask is in `src/geoscout/web/examples.json`, and so are the answers, shortened. Those that
are `fixed` were written by hand: they need a crawl that runs, or depend on the machine.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import httpx
from tests.unit.web.conftest import serving
from tests.unit.web.world import make_crawl, make_report

from geoscout.settings import Settings, load_settings
from geoscout.web.app import EXAMPLES_FILE
from geoscout.web.control.access import ControlRules
from geoscout.web.site import Site, open_site
from geoscout_directory.updating import update_listing
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.geo import Geoparser

_LONGEST_LIST = 2
_LONGEST_TEXT = 200


def main() -> None:
    """Ask, and write the file again."""
    examples = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        site = _site(Path(folder), load_settings())
        with (
            serving(site, control=ControlRules(is_on=True)) as address,
            httpx.Client(base_url=address, timeout=120) as client,
        ):
            for name, example in examples.items():
                if not example.get("fixed"):
                    example["response"] = _answer(client, name, example)
    lines = [f" {json.dumps(name)}: {_packed(example)}" for name, example in examples.items()]
    EXAMPLES_FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _site(folder: Path, settings: Settings) -> Site:
    gazetteer = open_gazetteer(settings)
    make_crawl(folder / "lisbon", Geoparser(gazetteer))
    update_listing(folder / "lisbon", gazetteer, settings=settings)
    make_report(folder / "first")
    return open_site([folder], gazetteer, settings)


def _answer(client: httpx.Client, name: str, example: dict[str, Any]) -> object:
    answer = ask_example(client, name, example)
    answer.raise_for_status()
    return shortened(answer.text if "media" in example else answer.json())


def ask_example(client: httpx.Client, name: str, example: dict[str, Any]) -> httpx.Response:
    """The answer of a server to an example."""
    method, _, path = name.partition(" ")
    parameters = dict(example.get("parameters", {}))
    for key in [key for key in parameters if f"{{{key}}}" in path]:
        path = path.replace(f"{{{key}}}", str(parameters.pop(key)))
    return client.request(method, path, params=parameters, json=example.get("body"))


def shortened(value: Any) -> Any:
    """A value that shows its shape: the first of each list, the beginning of each text."""
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shortened(part) for part in value[:_LONGEST_LIST]]
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        return f"{value[:_LONGEST_TEXT]}…"
    return value


def _packed(example: dict[str, Any]) -> str:
    return json.dumps(example, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
