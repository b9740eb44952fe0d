"""Reads texts in a fresh process, chunk by chunk, and says how long it took.

    python benchmarks/geoparse_worker.py TEXTS.json

`benchmarks/geoparse.py` starts it: with its own interpreter, and with that of another checkout for
a comparison. So it uses only what has been there for long. It prints what loading took, then for
each line on its standard input one line: the processor seconds for the chunk of that number.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

STEPS = ("addresses", "names", "scope")


def main() -> None:
    start = time.perf_counter()
    from geoscout.settings import load_settings  # noqa: PLC0415
    from geoscout_places.gazetteer import open_gazetteer  # noqa: PLC0415 - imports are part of loading
    from geoscout_places.geo.address import extract_addresses  # noqa: PLC0415
    from geoscout_places.geo.mentions import NameKnowledge, find_mentions  # noqa: PLC0415
    from geoscout_places.geo.scope import find_scope  # noqa: PLC0415
    from geoscout_places.model import Page  # noqa: PLC0415

    imported = time.perf_counter()
    gazetteer = open_gazetteer(load_settings())
    knowledge = NameKnowledge.load(gazetteer)
    say(import_seconds=imported - start, load_seconds=time.perf_counter() - imported)
    chunks = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    find_mentions("A first text, to compile patterns: Lisbon, 12 Elm St.", knowledge)
    extract_addresses("12 Elm St, Springfield, IL 62701", gazetteer)
    for line in sys.stdin:
        seconds = [0.0, 0.0, 0.0]
        for text in chunks[int(line)]:
            clock = [time.process_time()]
            addresses = extract_addresses(text, gazetteer)
            clock.append(time.process_time())
            mentions = find_mentions(text, knowledge)
            clock.append(time.process_time())
            find_scope(Page("", "", "", text, ()), mentions, addresses, gazetteer)
            clock.append(time.process_time())
            for step in range(len(STEPS)):
                seconds[step] += clock[step + 1] - clock[step]
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        say(seconds=seconds, megabytes=megabytes)


def say(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    main()
