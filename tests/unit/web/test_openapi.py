"""The API keeps to its own description: no request that fits it, or nearly does, is a 5xx."""

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error

from geoscout.web.app import endpoints

EXAMPLES = 10  # of each endpoint
SLOW = {"/api/places": 2}  # the nearest spellings of an unknown name take a second


def paths() -> list[tuple[str, str]]:
    return sorted((endpoint.path, endpoint.method.lower()) for endpoint in endpoints())


@pytest.mark.slow
@pytest.mark.parametrize(("path", "method"), paths())
def test_no_request_is_a_server_error(served, path, method):
    schema = schemathesis.openapi.from_url(f"{served}/api/openapi.json")
    operation = schema[path][method.upper()]

    @settings(
        max_examples=SLOW.get(path, EXAMPLES),
        deadline=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(case=operation.as_strategy())
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(base_url=served, checks=[not_a_server_error], timeout=60)

    ask()


@pytest.mark.slow
def test_no_text_in_a_query_is_a_server_error(client):
    @settings(max_examples=60, deadline=None, derandomize=True, database=None)
    @given(text=st.text(max_size=60))
    def ask(text: str) -> None:
        for path, name in (("/api/search", "q"), ("/api/places/complete", "text")):
            assert client.get(path, params={name: text}).status_code < 500

    ask()
