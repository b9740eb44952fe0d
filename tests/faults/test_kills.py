import pytest

from geoscout.settings import Settings
from geoscout_places.gazetteer import open_gazetteer
from tests.faults.arena import HOME
from tests.faults.kills import WEIGHTS, body_of, kill_at_random


@pytest.fixture
def home_folder():
    """The home with the gazetteer that is built for the campaign."""
    open_gazetteer(Settings(home=HOME, extras=False)).close()
    return HOME


@pytest.mark.long
def test_a_crawl_and_what_follows_it_survive_kills(home_folder):
    outcome = kill_at_random(kills=24, seed=3, minutes=10, pages=60, home=home_folder)

    assert outcome.kills.total() == 24
    assert set(outcome.kills) == set(WEIGHTS)
    assert outcome.working > 0
    assert outcome.pages == 40 * 60


def test_the_pages_of_the_web_lead_to_each_other():
    links = [b'href="/%d"' % n for n in range(5)]

    assert [link in body_of(1, 2, pages=5) for link in links] == [False, False, False, True, True]
    assert body_of(1, 2, 5) == body_of(1, 2, 5) != body_of(2, 2, 5)
