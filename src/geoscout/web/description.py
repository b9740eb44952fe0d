"""The OpenAPI description: what the endpoints take and answer, with examples and who may ask.

The examples are in `examples.json`, one for each operation: `python -m tools.api_examples` asks a
small server and writes down what it answers, shortened. Tests compare them with the schemas.
"""

import inspect
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from geoscout import __version__
from geoscout.web.control.access import KEY_FIELD
from geoscout.web.endpoints import Endpoint, Parameter

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
_PROBLEM = {
    "description": "what was wrong, in a sentence",
    "content": {"application/problem+json": {}},
}
_JSON = "application/json"

Described = dict[str, Any]


def describe(endpoints: Sequence[Endpoint]) -> Described:
    """The description of an API that has these endpoints."""
    kinds = [kind for endpoint in endpoints for kind in _kinds(endpoint)]
    schemas, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    made = iter(schemas)
    examples = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    paths: dict[str, Described] = {}
    for endpoint in endpoints:
        operation = _operation(endpoint, [next(made) for _ in _kinds(endpoint)])
        _add_example(operation, examples.get(f"{endpoint.method} {endpoint.path}", {}))
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "geoscout",
            "description": "Pages about places: search, places, crawls and what they found.",
            "version": __version__,
        },
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": _SCHEMES},
    }


def _in_address(endpoint: Endpoint) -> list[Parameter]:
    return [one for one in endpoint.parameters if one.where != "body"]


def _kinds(endpoint: Endpoint) -> list[Any]:
    """The types that its description needs the schemas of: parameters, answer, body."""
    kinds = [one.type for one in _in_address(endpoint)]
    return kinds + [kind for kind in (endpoint.answer, endpoint.body) if kind is not None]


def _operation(endpoint: Endpoint, schemas: list[Described]) -> Described:
    body = schemas.pop() if endpoint.body else None
    answer = schemas.pop() if endpoint.answer is not None else None
    name = endpoint.function.__name__
    plain = {_JSON: answer} if answer is not None else {}
    contents = {**plain, **endpoint.also}
    operation: Described = {
        "tags": [endpoint.tag],
        "summary": name.replace("_", " ").title(),
        "description": inspect.getdoc(endpoint.function),
        "operationId": re.sub(r"\W", "_", f"{name}{endpoint.path}_{endpoint.method.lower()}"),
        "parameters": list(map(_parameter, _in_address(endpoint), schemas)),
        "responses": {
            "200": {
                "description": "Successful Response",
                "content": {media: {"schema": schema} for media, schema in contents.items()},
            },
            **{str(status): _PROBLEM for status in (400, 404, 422, *endpoint.problems)},
        },
        "security": _CONTROL if _is_control(endpoint) else _READING,
    }
    if body is not None:
        operation["requestBody"] = {"content": {_JSON: {"schema": body}}, "required": True}
    return operation


def _is_control(endpoint: Endpoint) -> bool:
    return endpoint.method == "POST" and endpoint.path.startswith("/api/control")


def _parameter(one: Parameter, schema: Described) -> Described:
    described = {"name": one.name, "in": one.where, "required": one.is_required}
    if about := schema.pop("description", ""):
        described["description"] = about
    if not one.is_required and one.default is not None:
        schema["default"] = one.default
    return {**described, "schema": schema}


def _add_example(operation: Described, example: Described) -> None:
    values = example.get("parameters", {})
    for parameter in operation["parameters"]:
        if parameter["name"] in values:
            parameter["example"] = values[parameter["name"]]
    if "body" in example:
        operation["requestBody"]["content"][_JSON]["example"] = example["body"]
    if "response" not in example:
        return
    answer = operation["responses"]["200"]
    media = example.get("media", _JSON)
    if media != _JSON:
        answer["content"] = {media: {"schema": {"type": "string"}}}
    answer["content"][media]["example"] = example["response"]
