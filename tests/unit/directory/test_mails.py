"""Mail addresses, plain and disguised."""

from __future__ import annotations

import pytest

from geoscout_directory.contacts import find_mails


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("E-Mail: Info@Inn.example.", ["info@inn.example"]),
        ("info (at) inn.example", ["info@inn.example"]),
        ("info [at] inn [dot] example", ["info@inn.example"]),
        ("info{ät}inn.example", ["info@inn.example"]),
        ("meet us at inn.example", []),
        ("logo@2x.png", []),
        ("a@b", []),
    ],
)
def test_mail_is_read(text: str, expected: list[str]) -> None:
    assert find_mails(text) == expected


def test_each_is_given_once() -> None:
    assert find_mails("a@inn.example, A@inn.example") == ["a@inn.example"]


def test_a_long_word_takes_linear_time() -> None:
    assert find_mails("a." * 50_000 + "@") == []
