from __future__ import annotations

import re
from importlib.resources import files

from geoscout_lab.report.png import PALETTE
from geoscout_lab.report.svg import COLOURS


def test_pictures_have_the_colours_of_the_page() -> None:
    styles = files("geoscout_lab.report").joinpath("report.css").read_text()
    light = styles.partition("@media")[0]

    assert dict(enumerate(PALETTE)) == {int(n): c for n, c in re.findall(r"--c(\d): (#\w+)", light)}
    assert len(PALETTE) == COLOURS
