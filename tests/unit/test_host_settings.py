from __future__ import annotations

from pathlib import Path

import pytest

from geoscout.frontier.base import Limits
from geoscout.host_settings import HostTable, read_host_settings
from geoscout.settings import load_settings
from geoscout_places.errors import SettingsError

FILE = """
[hosts."example.org"]
delay_seconds = 5
pages = 500
headers = { "Accept-Language" = "de" }

[hosts."www.example.org"]
pages = 0

[hosts."old.example.org"]
off = true
"""


def table(tmp_path: Path, text: str = FILE) -> HostTable:
    (tmp_path / "geoscout.toml").write_text(text)
    return HostTable(load_settings(tmp_path / "geoscout.toml", environment={}).hosts)


def test_nearest_name_that_sets_a_value_counts(tmp_path: Path) -> None:
    hosts = table(tmp_path)

    found = hosts.of("a.www.example.org")
    assert (found.delay_seconds, found.pages) == (5.0, 0)
    assert found.headers == (("Accept-Language", "de"),)
    assert hosts.is_off("x.old.example.org")
    assert not hosts.is_off("example.org")
    assert hosts.of("example.com").delay_seconds is None


def test_pages_of_a_host_take_the_place_of_the_general_limit(tmp_path: Path) -> None:
    limits = Limits(pages_per_host=10, pages_of=table(tmp_path).pages_of)

    assert limits.most_pages("example.org") == 500
    assert limits.most_pages("www.example.org") is None
    assert limits.most_pages("example.com") == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[hosts."a.test"]\ndelay = 3', "no 'delay'"),
        ('[hosts."a.test"]\ndelay_seconds = -1', "number of seconds"),
        ('[hosts."a.test"]\ndelay_seconds = true', "number of seconds"),
        ('[hosts."a.test"]\npages = 1.5', "pages is a number"),
        ('[hosts."a.test"]\noff = "yes"', "true or false"),
        ('[hosts."a.test"]\nheaders = ["x"]', "headers is a table"),
        ('[hosts."a.test"]\nheaders = {"X" = "a\\r\\nHost: b"}', "printable"),
        ('[hosts."a.test"]\nheaders = {"A b" = "c"}', "not a header field"),
        ('[hosts."a.test"]\nheaders = {"Host" = "c"}', "set by geoscout"),
        ('[hosts."a.test/x"]\noff = true', "name of a host"),
        ('[hosts]\n"a.test" = 3', "is a table"),
        ('hosts = "a.test"', "table in a settings file"),
    ],
)
def test_mistake_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        table(tmp_path, text)


@pytest.mark.parametrize(
    "name", ["Authorization", "cookie", "Proxy-Authorization", "X-Api-Key", "X-Auth-Token"]
)
def test_credentials_are_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="no credentials"):
        read_host_settings({"a.test": {"headers": {name: "x"}}}, "file")


def test_environment_cannot_set_hosts() -> None:
    with pytest.raises(SettingsError, match="settings file"):
        load_settings(environment={"GEOSCOUT_HOSTS": "a.test"})
