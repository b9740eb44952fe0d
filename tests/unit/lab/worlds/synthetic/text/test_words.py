from __future__ import annotations

import pytest

from geoscout_lab.worlds.synthetic.text.words import language_of


@pytest.mark.parametrize("country", ["DE", "US", "FR"])
def test_sentences_have_no_open_slots(country: str) -> None:
    language = language_of(country)

    for topic in language.topics:
        assert not [text for text in language.pool(topic) if "{" in text]


@pytest.mark.parametrize("country", ["DE", "US", "FR"])
def test_every_topic_has_trades(country: str) -> None:
    language = language_of(country)

    assert set(language.trades) == set(language.topics)


@pytest.mark.parametrize("country", ["DE", "US", "FR"])
def test_every_trade_has_its_kind(country: str) -> None:
    language = language_of(country)

    for topic, kinds in language.kinds.items():
        assert len(kinds) == len(language.trades[topic])


def test_neighbours_share_a_language() -> None:
    assert language_of("AT") is language_of("DE")
