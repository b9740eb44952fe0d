"""`geoscout classifier` as a user types it, and a crawl with what it made."""

import json
from pathlib import Path

import pytest

from geoscout.cli.main import main
from tests.unit.lab.archives import write_archive

AUSTIN = "<p>Kayaks and tacos in Austin, Texas.</p><address>100 Congress Ave, Austin, TX 78701"
BOSTON = "<p>Lobsters and history in Boston, Massachusetts.</p>"
BOSTON += "<address>1 Beacon St, Boston, MA 02108"
PAGES = {
    "http://a.example/": '<a href="/1">one</a> <a href="/2">two</a> <a href="/3">three</a>'
    ' <a href="/4">four</a>',
    "http://a.example/1": AUSTIN,
    "http://a.example/2": f"{AUSTIN} again",
    "http://a.example/3": BOSTON,
    "http://a.example/4": f"{BOSTON} again",
}
PLACES = ["--region", "Austin, TX", "--region", "Boston, MA"]


@pytest.fixture
def archive(tmp_path, at_home):
    return write_archive(tmp_path / "pages.warc.gz", PAGES)


def crawl(archive: Path, out: Path, *more: str) -> int:
    source = ["--seeds", "http://a.example/", "--replay", str(archive), "--json"]
    return main(["crawl", *PLACES, *source, "--out", str(out), *more])


def test_model_is_learned_from_a_crawl_and_used_by_another(archive, tmp_path, capsys):
    model = tmp_path / "towns.npz"
    crawl(archive, tmp_path / "first")
    capsys.readouterr()

    status = main(
        ["classifier", str(model), *PLACES, "--nodes", "distance=2", "--json",
         "--crawl", str(tmp_path / "first")]
    )  # fmt: skip
    facts = json.loads(capsys.readouterr().out)
    nodes = [
        "--collaboration",
        "classifier",
        "--nodes",
        "distance=2",
        "--set",
        f"classifier={model}",
    ]

    assert status == 0
    assert facts["pages"] == {"Austin": 2, "Boston": 2, "none of them": 1}
    assert crawl(archive, tmp_path / "second", *nodes) == 0


@pytest.mark.usefixtures("archive")
def test_model_is_learned_from_labelled_texts(tmp_path, capsys):
    texts = [("tacos kayaks", "Austin, TX"), ("lobsters history", "Boston, MA")] * 10
    file = tmp_path / "labelled.jsonl"
    file.write_text("".join(json.dumps({"text": t, "place": p}) + "\n" for t, p in texts))

    status = main(["classifier", str(tmp_path / "model.npz"), *PLACES, "--texts", str(file)])

    assert status == 0
    assert "right about 100.0% of 4 pages held back" in capsys.readouterr().out


@pytest.mark.usefixtures("archive")
@pytest.mark.parametrize(
    ("more", "complaint"),
    [([], "nothing to learn from"), (["--texts", "missing.jsonl"], "cannot read missing.jsonl")],
)
def test_what_is_missing_is_said_in_a_line(tmp_path, capsys, more, complaint):
    status = main(["classifier", str(tmp_path / "model.npz"), *PLACES, *more])

    assert status == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "model.npz").exists()
