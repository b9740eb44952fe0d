from __future__ import annotations

import pytest

from geoscout.collaborate import collaboration_names, create_collaboration
from geoscout_places.errors import SettingsError, UsageError
from tests.unit.collaborate.worlds import aim


def test_all_six_are_installed() -> None:
    six = {"anchor", "classifier", "content", "hash", "ip", "url"}

    assert six <= set(collaboration_names())


@pytest.mark.parametrize("spec", ["magic", "url:shape=3", "url:host", "url:policy=C"])
def test_wrong_spec_is_refused(spec: str) -> None:
    with pytest.raises(UsageError):
        create_collaboration(spec, aim())


def test_option_of_the_wrong_type_is_refused() -> None:
    with pytest.raises(SettingsError):
        create_collaboration("anchor:window=wide", aim())


def test_options_of_the_spec_win_over_those_of_the_aim() -> None:
    create_collaboration("url:policy=A", aim(policy="C"))
