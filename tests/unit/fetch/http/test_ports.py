from __future__ import annotations

import pytest

from geoscout.fetch.http.addresses import is_web_port, refused_port


@pytest.mark.parametrize("port", [0, 21, 22, 23, 25, 53, 110, 143, 445, 3306, 5432, 6379, 11211])
def test_ports_of_other_services_are_not_asked(port: int) -> None:
    error = refused_port(f"http://a.test:{port}/")

    assert error is not None
    assert error.kind == "port"


@pytest.mark.parametrize("port", [80, 81, 88, 443, 3000, 5000, 8000, 8080, 8443, 49152, 65535])
def test_ports_of_the_web_are_asked(port: int) -> None:
    assert is_web_port(port)
    assert refused_port(f"http://a.test:{port}/x") is None


def test_a_url_without_a_port_has_that_of_its_scheme() -> None:
    assert refused_port("https://a.test/:22") is None
    assert refused_port("http://[2001:db8::22]/") is None
