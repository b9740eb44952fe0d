from hypothesis import given, settings
from hypothesis import strategies as some

from geoscout.frontier.known_hosts import KnownUrls


def test_unknown_url_has_no_number():
    assert KnownUrls().find("http://a.example/") == 0


def test_numbers_are_given_in_order():
    known = KnownUrls()

    assert [known.add(url) for url in ("http://a.example/", "http://b.example/")] == [1, 2]
    assert known.find("http://b.example/") == 2
    assert len(known) == 2


def test_every_url_is_found_again_after_growth():
    known = KnownUrls()
    urls = [f"http://host{number % 97}.example/{number}" for number in range(50_000)]
    for url in urls:
        known.add(url)

    assert [known.find(url) for url in urls] == list(range(1, len(urls) + 1))
    assert not any(known.find(url + "x") for url in urls)
    assert known.find_all(urls) == list(range(1, len(urls) + 1))
    assert not any(known.find_all(url + "x" for url in urls))


def test_room_made_beforehand_changes_nothing():
    known = KnownUrls(expected=1000)
    for number in range(3000):
        known.add(str(number))

    assert [known.find(str(number)) for number in range(3000)] == list(range(1, 3001))


def test_a_url_takes_no_more_than_twenty_bytes():
    known = KnownUrls()
    for number in range(100_000):
        known.add(str(number))

    slots = sum(len(prints) for prints in known._prints)
    assert slots * 12 / len(known) < 20


@settings(deadline=None)
@given(some.lists(some.text(max_size=5), unique=True))
def test_any_texts_are_told_apart(texts):
    known = KnownUrls()
    for text in texts:
        assert known.find(text) == 0
        known.add(text)

    assert [known.find(text) for text in texts] == list(range(1, len(texts) + 1))
