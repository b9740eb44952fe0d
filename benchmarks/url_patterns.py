"""What the patterns of a crawl cost a link, with few of them and with a list of 100,000 hosts.

    python benchmarks/url_patterns.py

Prints microseconds of processor time for each URL, over URLs of many hosts, after a first pass.
"""

from __future__ import annotations

import time

from geoscout.scope_rules import UrlRules

URLS = [
    f"https://www.host{n % 5_000}.example/section{n % 7}/page-{n}.html?id={n}"
    for n in range(50_000)
]
RULES = {
    "3 patterns": UrlRules(["example"], ["forum.example", "/*?print="]),
    "100 patterns of paths": UrlRules(exclude=[f"/*/old{n}/" for n in range(100)]),
    "100,000 hosts": UrlRules([f"host{n}.example" for n in range(100_000)]),
}


def main() -> None:
    for name, rules in RULES.items():
        admitted = sum(map(rules.admits, URLS))
        started = time.process_time()
        for url in URLS:
            rules.admits(url)
        cost = (time.process_time() - started) / len(URLS)
        print(f"{name:24} {cost * 1e6:6.1f} µs a URL, {admitted:,} of {len(URLS):,} admitted")


if __name__ == "__main__":
    main()
