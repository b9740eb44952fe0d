import pytest

from geoscout.cli.commands.serve import address, check_token, is_loopback, listen, read_token
from geoscout_places.errors import UsageError


def test_beyond_loopback_a_token_is_demanded_that_is_not_short():
    with pytest.raises(UsageError, match="give --token-file"):
        check_token("0.0.0.0", "")
    with pytest.raises(UsageError, match="easily guessed"):
        check_token("0.0.0.0", "short")
    check_token("0.0.0.0", "a-long-enough-token")
    check_token("127.0.0.1", "")


@pytest.mark.parametrize("content", [None, b"", b" \n", b"\xff\xfe"])
def test_the_token_may_be_in_a_file_and_one_without_is_told(tmp_path, content):
    file = tmp_path / "token"
    file.write_text("a-long-enough-token\n")
    assert read_token(file) == "a-long-enough-token"
    file.unlink()
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(UsageError, match="token in"):
        read_token(file)


def test_loopback_has_many_names():
    names = ("localhost", "127.0.0.1", "127.8.8.8", "::1", "0.0.0.0", "example.org", "::")

    assert [is_loopback(name) for name in names] == [True] * 4 + [False] * 3


def test_the_address_has_the_port():
    with listen("127.0.0.1", 0) as listening:
        assert address(listening) == f"http://127.0.0.1:{listening.getsockname()[1]}/"


def test_a_port_that_is_taken_is_told():
    listening = listen("127.0.0.1", 0)
    with listening, pytest.raises(UsageError, match="cannot listen on"):
        listen("127.0.0.1", listening.getsockname()[1])
