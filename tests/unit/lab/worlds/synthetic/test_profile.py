from __future__ import annotations

import pytest

from geoscout_lab.worlds.synthetic.profile import load_profile, profile_names
from geoscout_places.errors import UsageError


def test_there_are_the_four_profiles() -> None:
    assert profile_names() == ("ahlers2009", "web2025", "usa2006", "gao2006")


def test_profile_changes_what_is_common() -> None:
    assert load_profile("usa2006").any_local == 0.02
    assert load_profile("ahlers2009").any_local == 0.10


@pytest.mark.parametrize("name", profile_names())
def test_host_types_share_all_hosts(name: str) -> None:
    assert sum(load_profile(name).host_mix) == pytest.approx(1)


def test_unknown_profile_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="ahlers2009, web2025, usa2006, gao2006"):
        load_profile("web1999")


def test_unknown_number_is_refused() -> None:
    with pytest.raises(UsageError, match="no 'sectons'"):
        load_profile("web2025", {"sectons": 3})
