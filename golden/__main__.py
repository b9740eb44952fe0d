"""Compares what geoscout computes with the golden masters.

    python -m golden                       on the archives below GEOSCOUT_CORPORA
    python -m golden --only orders,munich  pieces with one of these in their names
    python -m golden synthetic             the small set, which `make test` has too
    python -m golden --accept              what is computed now is right from now on

Ends with 0 when all is equal, 1 when something differs, and 2 when archives are missing.
"""

from __future__ import annotations

import argparse
import os
import sys

from golden import archives, synthetic
from golden.masters import KEPT, PROJECT, Masters

_KEPT = {"GEOSCOUT_CORPORA", "GEOSCOUT_NATIVE"}
_SETS = {"archives": archives.compute, "synthetic": synthetic.compute}


def main() -> int:
    """Compute a set, and compare or accept it."""
    parser = argparse.ArgumentParser(
        prog="python -m golden", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("set", nargs="?", choices=_SETS, default="archives")
    parser.add_argument("--only", default="", metavar="A,B", help="parts of the names of pieces")
    parser.add_argument("--accept", action="store_true", help="write the hashes")
    given = parser.parse_args()
    if given.set == "archives" and (names := archives.missing()):
        where = archives.corpora()
        print(f"{where} has no {', '.join(names)}: set GEOSCOUT_CORPORA", file=sys.stderr)
        return 2
    _settle()
    masters = Masters(given.set, [part for part in given.only.split(",") if part])
    found, gazetteer = _SETS[given.set](masters)
    lines = masters.compare(found, gazetteer)
    print("\n".join([*lines, f"{len(found)} pieces computed{'' if lines else ', all equal'}"]))
    if given.accept:
        masters.accept(found, gazetteer)
    return 1 if not found or (lines and not given.accept) else 0


def _settle() -> None:
    """Compare what the defaults and our own gazetteer give, whatever the user has set."""
    for name in [n for n in os.environ if n.startswith("GEOSCOUT_") and n not in _KEPT]:
        del os.environ[name]
    os.environ.update(GEOSCOUT_HOME=str(PROJECT / ".cache/home"), GEOSCOUT_EXTRAS="no")
    KEPT.mkdir(parents=True, exist_ok=True)
    os.chdir(KEPT)  # no geoscout.toml lies here


if __name__ == "__main__":
    sys.exit(main())
