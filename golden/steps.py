"""Steps that pieces are made of: crawl, export, list, ask; each gives values as texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from golden.doors import Answer, Served, command
from golden.plain import Plain
from golden.slices import Slice

Piece = tuple[str, str]  # its name and value

EXPORTS = {
    "pages": ("atom", "csv", "geojson", "jsonl", "parquet"),
    "addresses": ("csv", "geojson", "jsonl", "parquet"),
    "places": ("csv", "geojson", "jsonl", "parquet"),
    "links": ("csv", "jsonl", "parquet"),
    "visits": ("csv", "jsonl", "parquet"),
}
WHOLE = ("cdxj", "owi", "wacz", "warc")  # only of pages
# Two responses within 10 ms count as one there, so this follows the pace of a run.
PACED = {"/api/curve": "entries"}
ORDER = ("n", "url", "priority", "depth", "relevant", "relevance")


def crawl(folder: Path, archive: Path, region: str, pages: int, *more: object) -> None:
    """Crawl an archive; one connection and one reader make it exact."""
    exact = ("--random-seed", 1, "--set", "workers=1", "--set", "connections=1")
    seeds = ("--seeds", archive / "seeds.txt")
    limits = ("--max-pages", pages, *exact)
    command(
        "crawl", "--region", region, *seeds, "--replay", archive, "--out", folder, *limits, *more
    )


def order(folder: Path) -> str:
    """What was asked for, with what priority, and what it was worth."""
    command("export", folder, "--what", "visits", "--format", "jsonl", "--out", f"{folder}.order")
    lines = Path(f"{folder}.order").read_text(encoding="utf-8").split("\n")[:-1]
    rows = ([json.loads(line)[name] for name in ORDER] for line in lines)
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def exports(folder: Path, plain: Plain) -> Iterator[Piece]:
    """Everything that a crawl can be exported as."""
    for what, formats in EXPORTS.items():
        for format in formats:
            yield _export(folder, plain, format, "--what", what)
    for format in WHOLE:
        yield _export(folder, plain, format)
    yield _export(folder, plain, "jsonl", "--what", "addresses", "--distinct")


def _export(folder: Path, plain: Plain, format: str, *more: str) -> Piece:
    name = "-".join(word.lstrip("-") for word in more[1:]) or "archive"
    out = folder.with_name(f"{folder.name}-{name}.{format}")
    command("export", folder, "--format", format, *more, "--out", out)
    return f"{name}.{format}", plain.file(out)


def readings(some: Slice, plain: Plain) -> str:
    """Addresses, names and scope of some pages, each with where it stands in the text."""
    return plain.lines(command("geoparse", "--jsonl", some.documents))


def directory(folder: Path, plain: Plain) -> Iterator[Piece]:
    """The businesses, clubs and offices of a crawl."""
    for format in ("csv", "jsonl"):
        out = folder.with_name(f"{folder.name}-directory.{format}")
        command("directory", folder, "--format", format, "--out", out)
        yield format, plain.file(out)


def answers(served: Served, crawl: str, queries: Sequence[str], plain: Plain) -> str:
    """What a search answers, with how it read the query."""
    asked = [("/api/search", {"q": query, "crawl": crawl, "limit": 10}) for query in queries]
    pairs = zip(queries, served.ask(asked), strict=True)
    return "".join(f"{query}\n{_shown(answer, plain)}\n" for query, answer in pairs)


def api(served: Served, known: Mapping[str, object], plain: Plain) -> Iterator[Piece]:
    """Every JSON that can be had by GET: parameters are `known`, or as documented."""
    described = served.json("/api/openapi.json")
    yield "description", plain.json(described)
    values = {**known, **_found(served)}
    for path, operations in described["paths"].items():
        content = operations.get("get", {"responses": {"200": {"content": {}}}})
        if "application/json" in content["responses"]["200"]["content"]:
            given = _parameters(path, content.get("parameters", ()), values)
            address = path.format_map(given)
            rest = {name: value for name, value in given.items() if f"{{{name}}}" not in path}
            answer = served.ask([(address, rest)])[0]
            yield _name(path), _shown(answer, plain, PACED.get(path, ""))


def _found(served: Served) -> dict[str, object]:
    """What can only be asked for when it is known to be there."""
    waiting = served.json("/api/frontier", limit=1)["best"]
    entries = served.json("/api/directory", limit=1)["entries"]
    return {
        "url": served.json("/api/visits", limit=1)["pages"][0]["url"],
        "/api/explain url": waiting[0]["url"] if waiting else "",
        "/api/directory/{id} id": entries[0]["id"] if entries else "",
    }


def _parameters(
    path: str, parameters: Sequence[Mapping[str, Any]], values: Mapping[str, object]
) -> dict[str, object]:
    documented = {one["name"]: one["example"] for one in parameters if "example" in one}
    names = [one["name"] for one in parameters]
    here = {name: values[f"{path} {name}"] for name in names if f"{path} {name}" in values}
    chosen = {name: values[name] for name in documented if name in values}
    return {**documented, **chosen, **here}


def _name(path: str) -> str:
    return path.removeprefix("/api/").replace("/", "-").replace("{", "").replace("}", "")


def _shown(answer: Answer, plain: Plain, without: str = "") -> str:
    status, media, text = answer
    if "json" not in media:
        return f"{status} {media}"
    found = json.loads(text)
    if without:
        del found[without]
    return f"{status}\n{plain.json(found)}"
