"""The guard itself: without it a test could pass here and fail on a train."""

import socket

import pytest

from tests.conftest import OutsideWorldError


def test_reaching_beyond_loopback_fails():
    with socket.socket() as outside, pytest.raises(OutsideWorldError):
        outside.connect(("192.0.2.1", 80))


def test_looking_up_a_name_fails():
    with pytest.raises(OutsideWorldError):
        socket.getaddrinfo("example.org", 80)


def test_loopback_is_allowed():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as client:
        client.connect(server.getsockname())

        assert client.getpeername() == server.getsockname()
