from __future__ import annotations

import pytest

from geoscout.fetch.robots.lines import LONGEST_FILE, LONGEST_LINE, read_records


@pytest.mark.parametrize(
    ("line", "record"),
    [
        ("User-Agent: a b", ("user-agent", "a b")),
        ("allowed: /", ("allow", "/")),
        ("disallow:", ("disallow", "")),
        ("Crawl-Delay :  5 # slowly", ("crawl-delay", "5")),
        ("Crawldelay 5", ("crawl-delay", "5")),
        ("Sitemap: https://example.org/a:b", ("sitemap", "https://example.org/a:b")),
        ("allow: /\xe9", ("allow", "/\xe9")),
    ],
)
def test_record_is_read(line: str, record: tuple[str, str]) -> None:
    assert list(read_records(line.encode("latin-1"))) == [record]


@pytest.mark.parametrize(
    "line", ["", "#", "# allow: /", "allow / b", "host: example.org", ":", "\xff"]
)
def test_other_lines_are_none(line: str) -> None:
    assert list(read_records(line.encode("latin-1"))) == []


def test_long_line_is_cut() -> None:
    (record,) = read_records(b"allow:" + b"a" * 20_000)

    assert len(record[1]) == LONGEST_LINE - len("allow:")


def test_line_that_crosses_the_end_of_a_long_file_is_dropped() -> None:
    line = b"allow: /\n"

    records = list(read_records(line * (LONGEST_FILE // len(line) + 5)))

    assert len(records) == LONGEST_FILE // len(line)
