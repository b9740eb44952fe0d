from __future__ import annotations

import re
import sys

import pytest

from geoscout.fetch.http.rules import read_render
from geoscout_places.errors import UsageError
from geoscout_places.extras import install_command


def test_unknown_mode_is_told():
    with pytest.raises(UsageError, match="never, auto, always, not 'sometimes'"):
        read_render("sometimes")


def test_without_the_extra_the_user_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright", None)

    assert read_render("never") == "never"
    with pytest.raises(UsageError, match=re.escape(install_command("browser"))):
        read_render("auto")
