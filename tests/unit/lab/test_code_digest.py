"""Files named by the code they depend on."""

from __future__ import annotations

import pytest

from geoscout.settings import Settings
from geoscout_lab.code_digest import code_digest
from geoscout_lab.study.study import Study
from geoscout_lab.worlds.archive_pages import archive_file


def test_digest_is_that_of_its_parts() -> None:
    assert code_digest("geoscout/strategy") == code_digest("geoscout/strategy")
    assert code_digest("geoscout/strategy") != code_digest(
        "geoscout/strategy", "geoscout_places/model.py"
    )


def test_part_that_is_not_there_is_no_digest() -> None:
    with pytest.raises(FileNotFoundError):
        code_digest("evaluate")


def test_code_that_studies_and_archives_depend_on_is_there() -> None:
    assert Study((), ("breadth",), "100").code
    assert archive_file([], Settings()).name.startswith("archive-")
