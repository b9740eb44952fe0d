from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.parse import parse_text


def test_blank_lines_part_blocks() -> None:
    page = parse_text("Zum Wirt\nHauptplatz 1\n \n\n  4020 Linz \n", "http://example.org/a.txt")

    assert [page.text[block.start : block.end] for block in page.blocks] == [
        "Zum Wirt\nHauptplatz 1",
        "4020 Linz",
    ]
    assert page.url == "http://example.org/a.txt"


def test_text_stays_as_it_is() -> None:
    text = "  a \r\n\r\n b\t"

    assert parse_text(text).text is text


def test_empty_text_has_no_blocks() -> None:
    assert parse_text(" \n\n ").blocks == ()


@given(st.text(alphabet=st.sampled_from("ab \n\t\r\x0b\u2028"), max_size=60))
def test_blocks_are_apart_and_hold_all_words(text: str) -> None:
    page = parse_text(text)

    words = [word for b in page.blocks for word in page.text[b.start : b.end].split()]
    assert words == text.split()
    assert all(
        one.end < other.start for one, other in zip(page.blocks, page.blocks[1:], strict=False)
    )
