"""The description is a valid one, and its examples are true."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import jsonschema
import pytest
from openapi_spec_validator import validate
from tools.api_examples import ask_example

from geoscout.web.app import EXAMPLES_FILE
from geoscout.web.control.access import ControlRules
from tests.unit.web.conftest import serving

EXAMPLES: dict[str, Any] = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
ASKED = [name for name, example in EXAMPLES.items() if not example.get("fixed")]


@pytest.fixture(scope="module")
def client(site):
    with (
        serving(site, control=ControlRules(is_on=True)) as address,
        httpx.Client(base_url=address, timeout=60) as opened,
    ):
        yield opened


@pytest.fixture(scope="module")
def described(client):
    found: dict[str, Any] = client.get("/api/openapi.json").json()
    return found


def operations(described: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The operations of a description by name, such as "GET /api/search"."""
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def test_the_description_is_valid(described):
    validate(described)


def test_every_operation_has_an_example_and_says_who_may(described):
    found = dict(operations(described))

    assert set(found) == set(EXAMPLES)
    for name, operation in found.items():
        contents = operation["responses"]["200"]["content"].values()
        assert any("example" in content for content in contents), name
        required = [one for one in operation.get("parameters", ()) if one["required"]]
        assert all("example" in one for one in required), name
        is_open = {} in operation["security"]
        assert is_open == (not name.startswith("POST /api/control")), name
    assert set(described["components"]["securitySchemes"]) == {"token", "key"}


@pytest.mark.parametrize("name", [name for name in EXAMPLES if "media" not in EXAMPLES[name]])
def test_examples_fit_their_schemas(described, name):
    operation = dict(operations(described))[name]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]

    jsonschema.validate(EXAMPLES[name]["response"], {**described, **schema})
    if "body" in EXAMPLES[name]:
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        jsonschema.validate(EXAMPLES[name]["body"], {**described, **body})


@pytest.mark.parametrize("name", ASKED)
def test_examples_can_be_asked(client, name):
    answer = ask_example(client, name, EXAMPLES[name])

    assert answer.status_code == 200, answer.text
    media = EXAMPLES[name].get("media", "application/json")
    assert answer.headers["content-type"].startswith(media)
