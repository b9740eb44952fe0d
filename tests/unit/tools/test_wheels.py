"""Whether a package can be installed elsewhere follows from the names of its files."""

from typing import Any

import pytest
from tools.wheels import MACHINES, NOTHING, SOURCE, UNNEEDED, WHEEL, answers

EVERYWHERE = 4 * len(MACHINES)
SDIST = {"url": "https://example.org/lakes-1.tar.gz"}


def package(*wheels: str, **more: Any) -> dict[str, Any]:
    urls = [{"url": f"https://example.org/lakes-1-{name}.whl"} for name in wheels]
    return {"name": "lakes", "wheels": urls} | more


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (package("py3-none-any"), [WHEEL] * EVERYWHERE),
        (package(sdist=SDIST), [SOURCE] * EVERYWHERE),
        (package(), [NOTHING] * EVERYWHERE),
        (package("cp312-abi3-manylinux2014_x86_64"), [NOTHING] + [WHEEL] * 3 + [NOTHING] * 8),
        (
            package("cp313-cp313-manylinux_2_28_aarch64"),
            [NOTHING] * 6 + [WHEEL] + [NOTHING] * 5,
        ),
        (package("cp314-cp314-macosx_11_0_arm64"), [NOTHING] * 11 + [WHEEL]),
        (package("cp311-cp311-macosx_10_9_universal2"), [NOTHING] * 8 + [WHEEL] + [NOTHING] * 3),
        (package("cp311-cp311-manylinux_2_39_x86_64"), [NOTHING] * EVERYWHERE),
    ],
)
def test_files_are_matched_to_pythons_and_machines(
    found: dict[str, Any], expected: list[str]
) -> None:
    assert answers(found) == expected


def test_what_a_marker_leaves_out_is_not_needed() -> None:
    old = package(marker="python_version < '3.12'", sdist=SDIST)
    elsewhere = package(marker="sys_platform == 'win32'")

    assert answers(old) == [SOURCE, UNNEEDED, UNNEEDED, UNNEEDED] * 3
    assert answers(elsewhere) == [UNNEEDED] * EVERYWHERE
