"""The commands and examples of docs/rank.md and docs/geowordnet.md, run as a reader would."""

import doctest
import json
import re
import shlex

import pytest

from geoscout.cli.main import main
from geoscout_places.gazetteer.wordnet import Synset
from tests.conftest import PROJECT
from tests.unit.lab.archives import write_archive

RANK, GEOWORDNET = PROJECT / "docs" / "rank.md", PROJECT / "docs" / "geowordnet.md"
HOTELS = "http://hotels.example/cambridge/"
PAGES = {
    "http://city.example/": f'<p>Boston, Massachusetts</p><a href="{HOTELS}">Hotels in Boston'
    ' Massachusetts</a> <a href="/soup">Soup</a>',
    HOTELS: "<p>Beds</p>",
    "http://city.example/soup": "<p>Soup</p>",
}
OFFLINE = re.compile(r"^geoscout crawl (?!.*registrations=both).*", re.MULTILINE)


@pytest.fixture
def in_folder(tmp_path, monkeypatch, settings, gazetteer):
    """A folder with the files that the commands name, where the gazetteer is at hand."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")
    (tmp_path / "pages").mkdir()
    write_archive(tmp_path / "pages" / "some.warc.gz", PAGES)
    (tmp_path / "seeds.txt").write_text("http://city.example/\n")
    (tmp_path / "registrants.tsv").write_text("domain\tcity\nhotels.example\tCambridge, MA\n")
    return tmp_path


def test_there_are_four_commands_that_need_no_network():
    assert len(OFFLINE.findall(RANK.read_text())) == 4


@pytest.mark.parametrize("number", range(4))
def test_command_of_the_page_about_rank_runs(in_folder, capsys, number):
    command = OFFLINE.findall(RANK.read_text())[number]
    words = shlex.split(command)[1:]
    replay = [] if "--replay" in words else ["--replay", "pages"]

    assert main([*words, *replay]) == 0
    capsys.readouterr()
    assert main(["explain", "boston", HOTELS, "--json"]) == 0

    told = capsys.readouterr().out
    explained = json.loads(told)
    assert explained["state"] == "visited"
    # Of the seven words of the link and around it four are places.
    assert explained["reason"]["value"] == pytest.approx((0.9994 + 4 / 7) / 2, abs=0.001)
    assert "Cambridge, Massachusetts, United States" in told


def test_examples_of_the_page_about_rank_come_out(in_folder):
    failed, tried = doctest.testfile(str(RANK), module_relative=False)

    assert (failed, tried > 5) == (0, True)


def test_example_of_the_page_about_geowordnet_comes_out(in_folder):
    (example,) = re.findall(r"```python\n(.*?)```", GEOWORDNET.read_text(), re.DOTALL)
    names: dict[str, object] = {}
    exec(example, names)  # our own documentation

    for line in filter(lambda line: "  # [" in line or "  # '" in line, example.splitlines()):
        code, _, told = line.partition("  # ")
        told = told.replace(", …]", "")
        assert repr(eval(code, names)).startswith(told)
    dallas = names["dallas"]
    assert isinstance(dallas, Synset)
    assert dallas.place_id == 4684888
