"""Finds functions, classes and methods that neither geoscout nor its tools and benchmarks use.

    python -m tools.unused

What only tests use counts as unused: a test is not a reason to keep code. Variables are left out,
because fields of records and keys of JSON look unused wherever only a reader of JSON uses them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from vulture import Vulture

PROJECT = Path(__file__).parent.parent
PACKAGE = PROJECT / "src"
LOOKED_AT = ("src", "benchmarks", "tools")
KINDS = ("attribute", "class", "function", "import", "method", "property")
# What nothing here calls, and why it stays.
ALLOWED = {
    "__getattr__": "Python calls it",
    "Geocoder": "for users of the library: geo/geocode.py says so",
    "refine": "of Geocoder",
    "open_service": "of Geocoder",
    "lowest_common_node": "GeoWordNet for users of the library: docs/geowordnet.md",
    "kinds": "GeoWordNet for users of the library: docs/geowordnet.md",
    "of_kind": "GeoWordNet for users of the library: docs/geowordnet.md",
    "parts": "GeoWordNet for users of the library: docs/geowordnet.md",
    "write_partition": "what `read_partition` reads; users write such files",
    "write_registrations": "what `read_registrations` reads; users write such files",
    "itersize": "psycopg reads it",
    "from_crawler": "Scrapy calls it",
    "update_settings": "Scrapy calls it",
    "process_item": "Scrapy calls it",
    "process_spider_input": "Scrapy calls it",
    "process_spider_output": "Scrapy calls it",
    "process_exception": "Scrapy calls it",
    "_connect_via_proxy": "of the connector for SOCKS: aiohttp-socks calls it",
    "writer_kept": "keeps a connection from being closed: fetch/http/socks.py",
    "kill": "of LocalServer: tests of crashes",
    "experiment_names": "tests run over all experiments by it",
    "open_archive": "the world of an archive, for experiments in Python",
    "read_many": "for users of the library: docs/geoparsing.md",
    "policy_a_cost": "a formula of the paper, compared with the crawl by a test",
    "policy_b_cost": "a formula of the paper, compared with the crawl by a test",
}


def main() -> int:
    """Print what is unused, one on each line; 1 when there is something."""
    seeker = Vulture(ignore_decorators=["@*.get", "@*.post", "@*.tool", "@_factory"])
    seeker.scavenge([str(PROJECT / name) for name in LOOKED_AT])
    found = [
        f"{item.filename.relative_to(PROJECT)}:{item.first_lineno}: {item.typ} {item.name}"
        for item in seeker.get_unused_code(min_confidence=60)
        if item.typ in KINDS and item.name not in ALLOWED and PACKAGE in item.filename.parents
    ]
    print("\n".join(found) if found else "nothing is unused")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
