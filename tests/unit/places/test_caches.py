from geoscout_places.caches import BoundedCache


def test_answer_is_found_once():
    asked: list[str] = []

    def find(name: str) -> int:
        asked.append(name)
        return len(name)

    lengths = BoundedCache(find, most=10)

    assert [lengths["Rome"], lengths["Rome"]] == [4, 4]
    assert asked == ["Rome"]


def test_nothing_found_is_an_answer_too():
    asked: list[str] = []

    def find(name: str) -> None:
        asked.append(name)

    nothing = BoundedCache(find, most=10)

    assert [nothing["x"], nothing["x"]] == [None, None]
    assert asked == ["x"]


def test_full_cache_starts_from_nothing():
    squares = BoundedCache(lambda number: number * number, most=3)

    sizes = [(squares[number], len(squares))[1] for number in range(8)]

    assert sizes == [1, 2, 3, 1, 2, 3, 1, 2]


def test_finding_may_ask_the_same_cache():
    def find(number: int) -> int:
        return number if number < 2 else known[number - 1] + known[number - 2]

    known: BoundedCache[int, int] = BoundedCache(find, most=4)

    assert known[20] == 6765
    assert len(known) <= 4
