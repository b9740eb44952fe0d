"""The campaign from the command line: `python -m tests.faults --help`."""

import argparse
import contextlib
import importlib
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

from geoscout.settings import Settings
from geoscout_places.gazetteer import open_gazetteer
from tests.faults import network
from tests.faults.arena import HOME, SCENARIOS, Scenario
from tests.faults.campaign import BROKEN, HELD, Campaign, table, write_summary

# In this order; the first ones show most.
FAMILIES = (
    "private_addresses", "politeness", "answers", "heavy_pages", "floods", "waits", "names",
    "machine", "folders", "service", "deaths",
)  # fmt: skip


def main() -> int:
    """Run the campaign; 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description="Try what geoscout promises.")
    parser.add_argument("--only", default="", help="families or scenarios, with commas between")
    parser.add_argument("--minutes", type=float, default=20.0, help="time for all (default: 20)")
    parser.add_argument("--seed", type=int, help="of all chance (default: a new one)")
    parser.add_argument("--keep", action="store_true", help="keep folders of broken promises")
    parser.add_argument("--loopback", action="store_true", help="without a network of our own")
    parser.add_argument("--page", type=Path, help="a page to write what held into")
    parser.add_argument("--list", action="store_true", help="only say what there is")
    words = parser.parse_args()
    scenarios = chosen(words.only)
    if words.list:
        print("\n".join(f"{s.family}.{s.name} ({s.seconds:.0f} s): {s.does}" for s in scenarios))
        return 0
    if not words.loopback:
        network.enter("tests.faults", sys.argv[1:])
    seed = int(time.time()) % 100_000 if words.seed is None else words.seed
    print(f"seed {seed}, repeat with --seed {seed}", file=sys.stderr, flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # end what we started
    open_gazetteer(Settings(home=HOME, extras=False)).close()  # the first time it takes a minute
    begin = time.monotonic()
    with contextlib.ExitStack() as stack:
        names = stack.enter_context(_network(stack)) if network.is_inside() else None
        results = Campaign(seed, words.minutes, words.keep, names).run(scenarios)
    where = "in a network of its own" if names else "on loopback"
    print(f"\nseed {seed}, {where}, {os.cpu_count()} processors\n\n{table(results)}")
    if words.page:
        held = sum(result.verdict == HELD for result in results)
        minutes = (time.monotonic() - begin) / 60
        busy = sum(result.processor for result in results) / 60
        times = f"{minutes:.0f} minutes, {busy:.0f} of a processor"
        told = f"Seed {seed}, {where}, {times}: {held} of {len(results)} held."
        write_summary(words.page, told, results)
    return int(any(result.verdict == BROKEN for result in results))


def chosen(only: str) -> list[Scenario]:
    """The scenarios of these families or names; all for ""."""
    for family in FAMILIES:
        importlib.import_module(f"tests.faults.{family}")
    wanted = {name for name in only.split(",") if name}
    known = {s.family for s in SCENARIOS} | {s.name for s in SCENARIOS}
    if wanted - known:
        raise SystemExit(f"there is no {', '.join(sorted(wanted - known))}; see --list")
    return [s for s in SCENARIOS if not wanted or wanted & {s.family, s.name}]


def _network(stack: contextlib.ExitStack) -> network.NameServer:
    network.set_up(Path(stack.enter_context(tempfile.TemporaryDirectory())))
    return network.NameServer()


if __name__ == "__main__":
    sys.exit(main())
