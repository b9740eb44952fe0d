"""Names are those of the glossary, and messages name options as users of Python do."""

from __future__ import annotations

import ast
import re

from tests.conftest import PROJECT

SOURCE = PROJECT / "src/geoscout"


def test_messages_of_a_crawl_name_options_and_not_flags() -> None:
    """Users of Python read them too; `max_pages` is the name in both."""
    rooms = [SOURCE / name for name in ("crawling", "state", "store", "strategy", "collaborate")]
    raised = [
        ast.unparse(node)
        for room in rooms
        for file in room.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Raise)
    ]

    assert [text for text in raised if re.search(r"(?<!-)--[a-z]", text)] == []
