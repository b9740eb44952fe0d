from __future__ import annotations

import re
import sys

import pytest

from geoscout.fetch.browser import need as modes
from geoscout_places.errors import UsageError
from geoscout_places.extras import install_command


def test_unknown_mode_is_told():
    with pytest.raises(UsageError, match="never, auto, always, not 'sometimes'"):
        modes.read_render("sometimes")


def test_without_the_extra_the_user_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright", None)

    assert modes.read_render("never") == "never"
    with pytest.raises(UsageError, match=re.escape(install_command("browser"))):
        modes.read_render("auto")
