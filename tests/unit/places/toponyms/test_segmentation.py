"""Words that are run together are cut where a reader would cut them."""

import pytest

from geoscout_places.errors import DamagedDataError
from geoscout_places.toponyms.segmentation import Segmenter, read_frequencies

SEGMENTER = Segmenter(["houston", "newyork", "reno", "boston"], ["tx"])


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("houstonchronicle", "houston chronicle"),
        ("visitnewyorknow", "visit newyork now"),
        ("newyorker", "new yorker"),
        ("houstontx", "houston tx"),
        ("thefindreno", "the find reno"),
        ("renovierung", "renovierung"),
        ("bostonian", "bostonian"),
        ("automobile", "automobile"),
        ("", ""),
    ],
)
def test_token_is_cut_into_its_words(token, words):
    assert " ".join(SEGMENTER.split(token)) == words


def test_further_names_are_looked_for_in_one_token():
    assert SEGMENTER.split("visitwuppertal", ["wuppertal"]) == ["visit", "wuppertal"]
    assert SEGMENTER.split("wuppertaler", ["wuppertal"]) == ["wuppertaler"]
    assert SEGMENTER.split("visitwuppertal") == ["visitwuppertal"]


def test_ending_makes_another_word_of_a_name():
    assert "reno" not in SEGMENTER.split("renoer")


def test_token_longer_than_a_host_may_have_is_left_alone():
    token = "houston" * 10

    assert SEGMENTER.split(token) == [token]


def test_frequent_words_cost_less_than_rare_ones():
    costs = read_frequencies()

    assert costs["the"] < costs["hotels"] < costs["tribune"]


def test_missing_table_is_said_to_be_damaged(tmp_path):
    with pytest.raises(DamagedDataError, match="frequent_words"):
        read_frequencies(tmp_path)
