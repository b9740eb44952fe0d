"""The OpenAPI description: what FastAPI knows of the endpoints, with examples and who may ask.

The examples are in `examples.json`, one for each operation: `python -m tools.api_examples` asks a
small server and writes down what it answers, shortened. Tests compare them with the schemas.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from geoscout.web.control.access import KEY_FIELD

EXAMPLES_FILE = Path(__file__).with_name("examples.json")
_SCHEMES = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "the token of the server, if it has one; a browser may send it as a cookie",
    },
    "key": {
        "type": "apiKey",
        "in": "header",
        "name": KEY_FIELD,
        "description": "the key that `geoscout serve` prints, on a server without a token",
    },
}
_READING: list[dict[str, list[str]]] = [{}, {"token": []}]
_CONTROL: list[dict[str, list[str]]] = [{"key": []}, {"token": []}]

Described = dict[str, Any]


def add_description(app: FastAPI) -> None:
    """Have the application describe itself with examples and security."""
    plain: Callable[[], Described] = app.openapi
    made: list[Described] = []

    def describe() -> Described:
        if not made:
            made.append(_complete(plain()))
        return made[0]

    app.openapi = describe  # type: ignore[method-assign]  # the way FastAPI documents


def operations(described: Described) -> Iterator[tuple[str, Described]]:
    """The operations of a description by name, such as "GET /api/search"."""
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def _complete(described: Described) -> Described:
    described.setdefault("components", {})["securitySchemes"] = _SCHEMES
    examples = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    for name, operation in operations(described):
        operation["security"] = _CONTROL if name.startswith("POST /api/control") else _READING
        _add_example(operation, examples.get(name, {}))
    return described


def _add_example(operation: Described, example: Described) -> None:
    values = example.get("parameters", {})
    for parameter in operation.get("parameters", ()):
        if parameter["name"] in values:
            parameter["example"] = values[parameter["name"]]
    if "body" in example:
        operation["requestBody"]["content"]["application/json"]["example"] = example["body"]
    if "response" not in example:
        return
    answer = operation["responses"]["200"]
    media = example.get("media", "application/json")
    if media != "application/json":
        answer["content"] = {media: {"schema": {"type": "string"}}}
    answer["content"][media]["example"] = example["response"]
