"""The commands and examples of docs/rank.md and docs/geowordnet.md, run as a reader would."""

import doctest
import re
import shlex

import pytest

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
def files(in_folder):
    """The files that the commands name."""
    (in_folder / "pages").mkdir()
    write_archive(in_folder / "pages" / "some.warc.gz", PAGES)
    (in_folder / "seeds.txt").write_text("http://city.example/\n")
    (in_folder / "registrants.tsv").write_text("domain\tcity\nhotels.example\tCambridge, MA\n")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("number", range(4))
def test_command_of_the_page_about_rank_runs(typed, number):
    commands = OFFLINE.findall(RANK.read_text())
    words = shlex.split(commands[number])[1:]
    replay = [] if "--replay" in words else ["--replay", "pages"]

    assert typed(*words, *replay).status == 0
    told = typed("explain", "boston", HOTELS, "--json")

    assert len(commands) == 4
    assert told.facts["state"] == "visited"
    # Of the seven words of the link and around it four are places.
    assert told.facts["reason"]["value"] == pytest.approx((0.9994 + 4 / 7) / 2, abs=0.001)
    assert "Cambridge, Massachusetts, United States" in told.out


@pytest.mark.usefixtures("files")
def test_examples_of_the_page_about_rank_come_out():
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
