"""The example of docs/extend/language.md, installed as a user would, is seen by all who read words.

In a process of its own: what is made of the languages is kept as long as a process lives.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT

PAGE = PROJECT / "docs" / "extend" / "language.md"
USERS = """
import json
from geoscout_places.gazetteer.automaton import capitalised, sight
from geoscout_places.geo.scope import stated_fields
from geoscout_places.geo.mentions.context import classes_after, classes_before
from geoscout.index.schema import inflections
from geoscout_places.language import languages, load_language
from geoscout_places.model import Kind, Place, Point
from geoscout_places.parse import parse_html
from geoscout_places.parse.likeness import says_missing
from geoscout.search.query_words import articles, find_prepositions, stop_words
from tests.fakes import FakeGazetteer

aarhus = Place(1, "Aarhus", Kind.CITY, Point(56.2, 10.2), "DK", 280_000, "", 0)
missing = parse_html("<p>Siden blev ikke fundet</p>".encode(), "http://x.example/")
found = find_prepositions("hotel i naerheden af aarhus".split())
stated = stated_fields("Arbejdssted: Aarhus", FakeGazetteer([aarhus]))
print(json.dumps({
    "languages": languages(),
    "streets": load_language("da").streets["street_types"],
    "sight": sight("NYKOBING PÅ FALSTER"),
    "capitalised": capitalised("rundt ved aarhus"),
    "stated": [place.name for place in stated],
    "before": classes_before()["fru"],
    "after": classes_after()["forening"],
    "inflections": inflections("skov"),
    "missing": says_missing(missing),
    "prepositions": [" ".join(preposition.words) for _, preposition in found],
    "articles": "det" in articles(),
    "stop words": "og" in stop_words(),
}))
"""


def block(language: str, number: int = 0) -> str:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)[number]


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What the users of words say when the example is installed."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "danish.py").write_text(block("python"))
    (folder / "da.toml").write_text(block("toml"), encoding="utf-8")
    metadata = folder / "danish-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: danish\nVersion: 1.0\n")
    name, target = re.findall(r'^(\w+) = "(\w+)"', block("toml", 1), re.MULTILINE)[0]
    (metadata / "entry_points.txt").write_text(f"[geoscout.languages]\n{name} = {target}\n")
    return json.loads(run(USERS, folder))


def run(script: str, folder: Path) -> str:
    path = os.pathsep.join((str(folder), str(PROJECT)))
    command = [sys.executable, "-c", script]
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        ("streets", ["vej", "gade", "allé", "stræde"]),
        ("sight", "Nykobing pa Falster"),
        ("capitalised", "Rundt ved Aarhus"),
        ("stated", ["Aarhus"]),
        ("before", "title"),
        ("after", "org"),
        ("missing", True),
        ("prepositions", ["i naerheden af"]),
        ("articles", True),
        ("stop words", True),
    ],
)
def test_language_of_another_package_is_seen(seen, user, expected):
    assert seen[user] == expected


def test_language_of_another_package_comes_last(seen):
    assert seen["languages"][-1] == "da"


def test_language_of_another_package_inflects(seen):
    assert "skover" in seen["inflections"]
