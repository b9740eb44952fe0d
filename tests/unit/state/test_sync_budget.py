from geoscout.state.sqlite import ALLOWANCE, LONGEST_DELAY, SHARE, SyncBudget


def crawl(waits: float, due_every: float, seconds: float) -> tuple[int, float]:
    """Commits of a crawl of so many seconds, and how long they waited in all."""
    now, commits, waited = 0.0, 0, 0.0
    budget = SyncBudget(now)
    while now < seconds:
        now += due_every
        if budget.allows(now):
            now += waits
            budget.spend(waits, now)
            commits, waited = commits + 1, waited + waits
    return commits, waited


def test_a_quick_disk_delays_nothing():
    assert crawl(waits=0.008, due_every=2.0, seconds=600)[0] >= 298


def test_a_slow_disk_takes_its_share_and_no_more():
    commits, waited = crawl(waits=0.3, due_every=2.0, seconds=600)

    assert waited <= SHARE * 600 + ALLOWANCE + 0.3
    assert 35 < commits < 50


def test_a_commit_is_not_put_off_for_ever():
    commits, _ = crawl(waits=5.0, due_every=2.0, seconds=600)

    assert commits >= 600 // (LONGEST_DELAY + 2.0 + 5.0)


def test_what_was_not_spent_is_not_saved_beyond_the_allowance():
    budget = SyncBudget(0.0)
    budget.allows(1e6)
    budget.spend(ALLOWANCE + 0.1, 1e6)

    assert not budget.allows(1e6 + 1)
