"""The experiment with nodes as real processes: `url:workers=3` crawls with a cluster of three.

The web is written as an archive, worker processes crawl it on a PostgreSQL server of their own, and
the figures are those of what they stored: the geoparser's addresses, and not the truth. They get as
many responses as the simulation of the same assignment needed, which is run next to them, so that
both can be compared page by page.

An archive answers at once and is nobody's server, so what is tried here is who fetches what: the
exchange, the partitions and the takeover, not politeness.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from geoscout.collaborate.classifier import TextClassifier
from geoscout.crawling.nodes import partition_of
from geoscout.crawling.options import CrawlOptions, NodeOptions
from geoscout.crawling.run import prepare_crawl
from geoscout.settings import Settings
from geoscout.state.base import open_state
from geoscout.store.reader import CrawlReader
from geoscout_cluster.postgres.own_state import leave_server, running_server
from geoscout_cluster.shared_crawl import check_own_server, found_in_folder
from geoscout_cluster.supervise import Supervisor
from geoscout_lab.gao2006.checks import figures_of_crawl
from geoscout_lab.simulation.simulate import CollaborativeTrace
from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.synthetic.pages import Role
from geoscout_lab.worlds.synthetic.serving import write_web
from geoscout_lab.worlds.truth import World
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer

_NODES = "gao2006"
_PARTITIONS_OF_A_WORKER = 4
_LEFT_OUT = (Role.TRAP, Role.DUPLICATE, Role.SOFT_ERROR)

Fetched = Counter[tuple[str, str]]  # pages by node and URL


@dataclass(frozen=True, slots=True)
class NodesPlan:
    """What the workers are told."""

    assignment: str
    workers: int
    responses: int
    model: TextClassifier | None = None  # of the assignment `classifier`


def crawl_by_workers(
    world: World, plan: NodesPlan, settings: Settings, gazetteer: Gazetteer
) -> tuple[dict[str, Any], Fetched]:
    """The figures of a crawl by workers, and which pages each node has."""
    if not isinstance(world, SyntheticWeb):
        raise UsageError("workers=N is for synthetic webs")
    if plan.assignment.partition(":")[0] == "ip":
        raise UsageError("workers=N is not for ip: an archive does not say where servers are")
    partitions = _PARTITIONS_OF_A_WORKER * plan.workers
    check_own_server(partitions)
    with _working_folder() as folder:
        write_web(world, folder / "web")
        options = _options(world, plan, folder)
        prepared = prepare_crawl(options, [str(folder / "web" / "seeds.txt")], settings, gazetteer)
        found_in_folder(folder / "crawl", *prepared, partitions)
        _run(folder, plan.workers, settings)
        with open_state(folder / "crawl") as crawl:
            region = prepared[0].region
            partition = partition_of(_NODES, region, gazetteer)
            return figures_of_crawl(crawl.reader, partition), _fetched(crawl.reader)


def agreement(trace: CollaborativeTrace, world: World, fetched: Fetched) -> dict[str, Any]:
    """How far a simulated crawl and one by workers have the same pages at the same nodes.

    Copies, traps and soft errors are counted apart: a crawler leaves out a part of them on purpose,
    and the simulation none.
    """
    left_out = _left_out(world)
    everything = Counter((fetch.node, world.url(fetch.page)) for fetch in trace.fetches)
    simulated = Counter({page: n for page, n in everything.items() if page[1] not in left_out})
    fetched = Counter({page: n for page, n in fetched.items() if page[1] not in left_out})
    either, both = simulated | fetched, simulated & fetched
    nodes = sorted({node for node, _ in either})
    return {
        "pages_left_out": everything.total() - simulated.total(),
        "pages_simulated": simulated.total(),
        "pages_by_workers": fetched.total(),
        "pages_in_both": both.total(),
        "same_pages": both.total() / max(either.total(), 1),
        "same_pages_by_node": {node: _share(both, either, node) for node in nodes},
        "stored_twice": sum(times > 1 for times in fetched.values()),
    }


def _left_out(world: World) -> set[str]:
    """Copies under URLs with sessions, traps, and pages that say "not found" with status 200."""
    if not isinstance(world, SyntheticWeb):
        return set()
    return {world.url(page) for page in range(world.size) if world.role(page) in _LEFT_OUT}


def _share(both: Fetched, either: Fetched, node: str) -> float:
    return _of_node(both.items(), node) / max(_of_node(either.items(), node), 1)


def _of_node(pages: Iterable[tuple[tuple[str, str], int]], node: str) -> int:
    return sum(times for (name, _), times in pages if name == node)


@contextmanager
def _working_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="geoscout-gao-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # a server that root starts runs as somebody else
        try:
            yield folder
        finally:
            leave_server(folder / "crawl")


def _options(world: SyntheticWeb, plan: NodesPlan, folder: Path) -> CrawlOptions:
    model = ""
    if plan.model is not None:
        model = str(folder / "model")
        Path(model).write_bytes(plan.model.save())
    return CrawlOptions(
        region=(world.region,),
        strategy="breadth",
        max_pages=plan.responses,
        replay=(str(folder / "web"),),
        nodes=NodeOptions(assignment=plan.assignment, nodes=_NODES, classifier=model),
    )


def _run(folder: Path, workers: int, settings: Settings) -> None:
    """Let workers crawl until the end."""
    file = folder / "settings.toml"
    # What is not set has no line; rules for single hosts are of no use in a generated web.
    own = {name: value for name, value in asdict(settings).items() if value is not None}
    own.pop("hosts", None)
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in own.items()]
    file.write_text("".join(lines), encoding="utf-8")
    arguments = [f"--settings={file}", "work", "--until-done"]
    running_server(folder / "crawl")
    Supervisor(str(folder / "crawl"), workers, arguments).run()


def _fetched(reader: CrawlReader) -> Fetched:
    return Counter((visit.node, visit.url) for visit in reader.visits() if visit.is_page)
