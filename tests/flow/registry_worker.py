"""A worker of a cluster, as a process, that asks a whois server on loopback about registrants.

    python -m tests.flow.registry_worker ADDRESS ARCHIVE CACHE PORT PAUSE_SECONDS

Pages come from an archive. Each worker has a cache of replies of its own, as on another machine.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

from geoscout.cluster.joining import OwnSources, joined
from geoscout.cluster.worker import WorkerTerms
from geoscout.fetch.archive.fetcher import ArchiveFetcher
from geoscout.fetch.http.event_loop import run
from geoscout.fetch.registry.live import RegistryRules, live_registrations
from geoscout.fetch.registry.lookup import Registrations
from geoscout.fetch.registry.pace import ServerTurns
from geoscout.gazetteer import open_gazetteer
from geoscout.gazetteer.home import home_folder
from geoscout.settings import load_settings
from tests.fakeweb import FakeResolver
from tests.unit.fetch.asking import RULES
from tests.unit.fetch.whois_servers import RULES as WHOIS_RULES

SERVERS = {"whois.root.test": "127.0.0.11", "nic.test": "127.0.0.12"}
LEASE_SECONDS = 3.0


async def work(where: str, archive: Path, cache: Path, port: int, pause: float) -> None:
    settings = load_settings()
    whois = replace(WHOIS_RULES, port=port, pause_seconds=pause)

    def registries(
        pacing: Callable[[float], ServerTurns],
    ) -> AbstractAsyncContextManager[Registrations | None]:
        rules = RegistryRules(RULES, whois=whois, kinds=("whois",), pacing=pacing)
        return live_registrations(rules, cache, resolver=FakeResolver(SERVERS))

    fetcher = ArchiveFetcher([archive], cache=home_folder(settings) / "archives")
    terms = WorkerTerms(until_done=True, lease_seconds=LEASE_SECONDS)
    sources = OwnSources(fetcher, registries)
    async with joined(where, settings, open_gazetteer(settings), terms, sources) as worker:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
        await worker.run()


def main() -> None:
    where, archive, cache, port, pause = sys.argv[1:]
    run(work(where, Path(archive), Path(cache), int(port), float(pause)))


if __name__ == "__main__":
    main()
