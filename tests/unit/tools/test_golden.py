"""Golden masters: what counts as a difference, and what is told of one."""

import json
from datetime import UTC, datetime
from pathlib import Path

from golden.masters import Masters
from golden.plain import Plain


def computed(folder: Path, only: tuple[str, ...] = (), **texts: str) -> tuple[Masters, dict]:
    masters = Masters("some", only, folder, folder / "kept")
    return masters, {
        name.replace("_", "/"): masters.keep(name.replace("_", "/"), text)
        for name, text in texts.items()
    }


def test_a_difference_says_where_to_look_and_that_the_gazetteer_is_another(tmp_path):
    masters, found = computed(tmp_path, orders_a="1\n2\n", api_b="x")
    masters.accept(found, "old")
    assert masters.compare(found, "another key") == []  # what was accepted does not differ
    masters, found = computed(tmp_path, orders_a="1\n2\n3\n", more="new")

    lines = masters.compare(found, "new")

    assert [line.split(":")[0] for line in lines] == [
        "the gazetteer is another, which may be why",
        "api/b is not computed any more",
        "more is new",
        "orders/a differs",
    ]
    assert "3 lines (were 2)" in lines[-1]
    before, now = (Path(word) for word in lines[-1].split("diff ")[1].split())
    assert before.parts[-3:] == ("before", "orders", "a")
    assert now.parts[-3:] == ("now", "orders", "a")
    assert (tmp_path / "kept/some/before/orders/a").read_text() == "1\n2\n"


def test_chosen_pieces_leave_the_others_as_they_are(tmp_path):
    masters, found = computed(tmp_path, orders_a="1", api_b="x")
    masters.accept(found, "key")

    masters, found = computed(tmp_path, ("orders",), orders_a="2")
    assert [line.split(":")[0] for line in masters.compare(found, "key")] == ["orders/a differs"]
    masters.accept(found, "key")

    pieces = json.loads((tmp_path / "some.json").read_text())["pieces"]
    assert list(pieces) == ["api/b", "orders/a"]


def test_times_of_now_paths_and_versions_do_not_count_but_other_times_do(tmp_path):
    plain = Plain(tmp_path)
    now = datetime.now(UTC)
    said = f"{tmp_path}/crawl geoscout/1.2.3 {now.isoformat()} {now.timestamp()} {now:%Y%m%d%H%M%S}"

    assert plain.text(said) == "FOLDER/crawl geoscout/VERSION NOW NOW NOW"
    kept = "2001-09-09T01:46:40.000000Z 1000000000.5 20010909014640 99999999999999"
    assert plain.text(kept) == kept


def test_the_order_of_keys_does_not_count_and_that_of_rows_does(tmp_path):
    plain = Plain(tmp_path)

    assert plain.lines('{"b": 1, "a": [2]}\n') == plain.lines('{"a": [2], "b": 1}\n')
    assert plain.lines('{"a": 1}\n{"a": 2}') != plain.lines('{"a": 2}\n{"a": 1}')
