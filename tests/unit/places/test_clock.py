import time

from geoscout_places.clock import Clocks, steady_time


def test_setting_the_wall_clock_does_not_change_the_steady_one(monkeypatch):
    before = steady_time()
    monkeypatch.setattr(time, "time", lambda: 0.0)

    assert before <= steady_time() < before + 5


def test_times_are_translated_by_what_the_clocks_said():
    written = Clocks(steady=5000.0, wall=8600.0)  # set forward an hour while the process ran

    assert written.ahead() == 3600.0
    assert written.shift_to(Clocks(9000.0, 9000.0)) == 3600.0
    assert Clocks(5000.0, 5000.3).shift_to(Clocks(9000.0, 9000.2)) == 0.0


def test_pauses_are_kept_when_the_clock_was_set_back_in_between():
    written = Clocks(5000.0, 5000.0)

    assert written.shift_to(Clocks(1400.0, 1400.0)) == -3600.0
