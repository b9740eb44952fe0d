"""Workers on Ray, over a stand-in for Ray (`make ray` has Ray)."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from geoscout import on_ray
from geoscout.on_ray import KeeperState, RayWorker, leave_ray, start_on_ray, stop_on_ray
from geoscout_cluster.command import show_ray_workers
from geoscout_cluster.supervise import WorkerKeeper
from geoscout_places.errors import UsageError

WHERE = "postgresql://ann@host/data/lisbon"
WORKS = KeeperState("machine", process=7, starts=1)
CANNOT = KeeperState("machine", 7, 1, status=2, is_done=True, said="another gazetteer")
ENDED = KeeperState("machine", 7, 1, status=0, is_done=True)


class RayError(Exception):
    """As in Ray."""


class ActorUnavailableError(RayError):
    """As in Ray: its machine was lost, and it is being started again."""


class StandInForRay(ModuleType):
    """Keeps actors by name; each answers with its state, or with nothing when that is None."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.exceptions = SimpleNamespace(
            RayError=RayError, ActorUnavailableError=ActorUnavailableError
        )
        self.util = SimpleNamespace(list_named_actors=lambda: list(self.actors))
        self.actors = {}
        self.new = WORKS  # the state of those that are started
        self.options = []
        self.given = {}
        self.processors = 4.0
        self.killed = []

    def init(self, **given):
        self.given = given

    def shutdown(self):
        pass

    def cluster_resources(self):
        return {"CPU": self.processors} if self.processors else {}

    def remote(self, **common):
        def create(*given):
            self.options[-1]["given"] = given
            return self.add(self.options[-1]["name"], self.new)

        def options(**more):
            self.options.append({**common, **more})
            return SimpleNamespace(remote=create)

        return lambda _class: SimpleNamespace(options=options)

    def add(self, name, state):
        def call(what):
            return SimpleNamespace(remote=lambda: _Call(what, state))

        self.actors[name] = SimpleNamespace(name=name, state=call("state"), stop=call("stop"))
        return self.actors[name]

    def get_actor(self, name):
        return self.actors[name]

    def wait(self, calls, num_returns, timeout):
        return [call for call in calls if call.state is not None], []

    def get(self, call):
        if isinstance(call.state, Exception):
            raise call.state
        return call.state

    def kill(self, actor):
        self.killed.append(actor.name)
        del self.actors[actor.name]


class _Call:
    def __init__(self, what, state):
        self.what, self.state = what, state


@pytest.fixture
def ray(monkeypatch):
    for name in ("USAGE_STATS_ENABLED", "ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "AUTH_MODE"):
        monkeypatch.setenv(f"RAY_{name}", "token")
    monkeypatch.setattr(on_ray, "_TRIAL_SECONDS", 0.0)
    stand_in = StandInForRay()
    monkeypatch.setitem(sys.modules, "ray", stand_in)
    return stand_in


def test_workers_are_detached_spread_and_restarted_for_ever(ray):
    found = start_on_ray(WorkerKeeper, "auto", WHERE, 2, ["work"])

    assert [worker.state for worker in found] == [WORKS, WORKS]
    assert list(ray.actors) == ["host/data/lisbon/1", "host/data/lisbon/2"]
    first = ray.options[0]
    assert (first["lifetime"], first["scheduling_strategy"]) == ("detached", "SPREAD")
    assert (first["max_restarts"], first["num_cpus"]) == (-1, 0.5)
    assert first["given"] == (WHERE, ["work"], leave_ray)


def test_those_that_are_there_count(ray):
    start_on_ray(WorkerKeeper, "auto", WHERE, 1, ["work"])
    found = start_on_ray(WorkerKeeper, "auto", WHERE, 3, ["work"])

    assert (len(found), len(ray.options), ray.killed) == (3, 3, [])


def test_those_that_have_ended_are_replaced_and_those_on_their_way_are_not(ray):
    ray.add("host/data/lisbon/1", ENDED)
    ray.add("host/data/lisbon/2", ActorUnavailableError("its machine was lost"))
    ray.add("host/data/lisbon/3", None)

    found = start_on_ray(WorkerKeeper, "auto", WHERE, 3, ["work"])

    assert ray.killed == ["host/data/lisbon/1"]
    assert [worker.state for worker in found] == [None, None, WORKS]
    assert not any(worker.cannot_work for worker in found)


def test_there_are_as_many_as_processors_unless_it_is_said(ray):
    assert len(start_on_ray(WorkerKeeper, "auto", WHERE, None, ["work"])) == 4

    ray.processors = 0
    with pytest.raises(UsageError, match="no machine of the Ray cluster at auto"):
        start_on_ray(WorkerKeeper, "auto", WHERE, None, ["work"])


@pytest.mark.parametrize("where", ["postgresql://a:secret@host/d/c", f"{WHERE}?password=secret"])
def test_password_does_not_reach_ray(ray, where):
    with pytest.raises(UsageError, match="PGPASSFILE") as caught:
        start_on_ray(WorkerKeeper, "auto", where, 1, ["work"])

    assert "secret" not in str(caught.value)
    assert ray.given == {}


@pytest.mark.parametrize(
    ("address", "workers", "said"), [("local", 1, "leave --ray out"), ("auto", 0, "at least 1")]
)
def test_what_makes_no_sense_is_refused(ray, address, workers, said):
    with pytest.raises(UsageError, match=said):
        start_on_ray(WorkerKeeper, address, WHERE, workers, ["work"])


def test_stop_ends_those_of_this_crawl_also_when_they_wait(ray):
    ray.add("host/data/lisbon/1", WORKS)
    ray.add("host/data/lisbon/2", None)
    ray.add("host/data/lisbon2/1", WORKS)

    assert stop_on_ray("auto", WHERE) == 2
    assert list(ray.actors) == ["host/data/lisbon2/1"]


def test_keeper_that_leaves_ends_its_own_actor(ray):
    own = ray.add("own", WORKS)
    ray.get_runtime_context = lambda: SimpleNamespace(current_actor=own)

    leave_ray()

    assert ray.killed == ["own"]


def test_workers_that_all_cannot_work_are_one_line(ray):
    ray.new = CANNOT
    with pytest.raises(UsageError, match="a worker on machine cannot work: another gazetteer"):
        show_ray_workers(start_on_ray(WorkerKeeper, "auto", WHERE, 2, ["work"]))


def test_table_says_how_each_is_doing(capsys):
    again = KeeperState("machine", 7, 3, status=-9, said="out of memory")
    states = [RayWorker("l/1", WORKS), RayWorker("l/2", ENDED), RayWorker("l/3", again)]
    more = [RayWorker("l/4"), RayWorker("l/5", problem="No module named 'geoscout'")]

    assert (show_ray_workers(states), show_ray_workers(more)) == (0, 1)
    shown = capsys.readouterr().out
    for words in ("works", "has ended", "starts again after: out of memory", "waits for a machine"):
        assert words in shown
    assert "No module named" in shown


def test_fewer_than_the_least_of_a_range_are_told():
    """The others wait for machines that the autoscaler adds."""
    works, waits = RayWorker("x/1", WORKS), RayWorker("x/2")

    assert show_ray_workers([works, waits], least=1) == 0
    assert show_ray_workers([works, waits], least=2) == 1
