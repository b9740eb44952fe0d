"""The command as a user types it."""

from __future__ import annotations


def test_web_is_written_and_described_into_a_new_folder(tmp_path, typed):
    out = tmp_path / "web"
    words = ("synthweb", out, "--pages", "2000")

    done = typed(*words, "--set", "city=Bremen", "--json")
    again = typed(*words)
    unknown = typed("synthweb", tmp_path / "other", "--profile", "web1999")

    assert (done.status, done.facts["region"]) == (0, "Bremen, Germany")
    assert {path.name for path in out.iterdir()} == {
        "hosts.jsonl", "seeds.txt", "truth.jsonl", "web-00001.warc.gz", "web.json",
    }  # fmt: skip
    assert (again.status, "is not empty; give a new folder" in again.err) == (2, True)
    assert (unknown.status, "ahlers2009, web2025, usa2006, gao2006" in unknown.err) == (2, True)
