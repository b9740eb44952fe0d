"""What a query asks of a thing, apart from its words and place."""

import pytest

from geoscout.search import Question
from geoscout.search.asking import read_asked

PLACES = frozenset(("leeds", "york", "vienna", "graz", "wien", "paris", "lyon", "rio de janeiro"))


@pytest.mark.parametrize(
    ("text", "rest", "kinds", "open_at"),
    [
        ("what time does the library open", "the library", ("hours",), ""),
        ("apotheke sonntags geöffnet", "apotheke", ("hours",), "Su"),
        ("boulangerie ouverte le dimanche", "boulangerie", ("hours",), "Su"),
        ("farmacia abierta ahora", "farmacia", ("hours",), "now"),
        ("apotheek zondag open", "apotheek", ("hours",), "Su"),
        ("pizza open now", "pizza", ("hours",), "now"),
        ("bakery open today", "bakery", ("hours",), "today"),
        ("open mic", "open mic", (), ""),
        ("how much is a haircut", "a haircut", ("price",), ""),
        ("rathaus telefonnummer", "rathaus", ("phone",), ""),
        ("best pizza", "pizza", (), ""),
        ("top 10 museums", "museums", (), ""),
        ("nearest hospital", "hospital", ("nearest",), ""),
        ("concerts this weekend", "concerts", (), ""),
        ("viewpoint Rio de Janeiro", "viewpoint Rio de Janeiro", (), ""),
        ("opening hours", "opening hours", ("hours",), ""),
    ],
)
def test_what_is_asked_is_apart_from_the_words(text, rest, kinds, open_at):
    asked = read_asked(text, PLACES.__contains__)

    assert (asked.text, asked.kinds, asked.open_at) == (rest, kinds, open_at)


@pytest.mark.parametrize(
    ("text", "is_route"),
    [
        ("train Leeds to York", True),
        ("wie komme ich von Wien nach Graz", True),
        ("vol Paris Lyon", True),
        ("directions to York", True),
        ("train museum York", False),
        ("route 66 diner", False),
        ("bus fare York", False),
        ("how much is the train from Leeds to York", False),  # a page may say that
    ],
)
def test_routes_are_known_by_where_they_begin_and_end(text, is_route):
    assert ("route" in read_asked(text, PLACES.__contains__).kinds) is is_route


def test_what_no_page_answers_is_said(engine):
    weather, balloon = (
        engine.read(Question("weather in Lisbon")),
        engine.read(Question("weather balloon pictures")),
    )

    assert (weather.label, weather.asks) == ("Lisbon, Portugal", ("weather",))
    assert "weather service" in weather.notes[-1]
    assert (balloon.asks, balloon.words[0]) == ((), "weather")


def test_what_is_asked_is_preferred_and_not_demanded(engine):
    read = engine.read(Question("best pizza in Lisbon opening hours"))

    assert read.words == ("pizza",)
    assert set(read.preferred) == {"opening", "hours"}
    assert engine.answer(Question("best pizza in Lisbon opening hours")).hits
