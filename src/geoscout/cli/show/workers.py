"""Workers of a cluster in the terminal: signals end them in good order."""

from __future__ import annotations

import signal
from types import FrameType

from geoscout.cli.show.live import stopped_by_signals
from geoscout.cli.show.places import gazetteer_for
from geoscout.cluster.joining import joined
from geoscout.cluster.supervise import Supervisor
from geoscout.cluster.worker import WorkerTerms
from geoscout.fetch.http.event_loop import run as run_on_loop
from geoscout.settings import Settings


def work(where: str, settings: Settings, terms: WorkerTerms) -> None:
    """Be one worker; Ctrl-C and SIGTERM let it finish what is in flight, and give all back."""
    run_on_loop(_work(where, settings, terms))


async def _work(where: str, settings: Settings, terms: WorkerTerms) -> None:
    async with joined(where, settings, gazetteer_for(settings), terms) as worker:
        with stopped_by_signals(worker):
            await worker.run()


def supervise(supervisor: Supervisor) -> None:
    """Keep several workers running; Ctrl-C and SIGTERM stop all of them."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        supervisor.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        supervisor.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
