"""How fast and how right URLs are brought into normal form, next to what else one could take.

    python benchmarks/urls.py

Prints the CPU time of each step for links as pages have them, then what w3lib, yarl (where they
are installed), urllib and ada-url alone need for the nearest they have to a normal form, and how
many of the WHATWG cases with an http(s) result each reads as browsers do; then the same for
robots.txt, Protego (where installed), the standard library and Google's cases.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin
from urllib.robotparser import RobotFileParser

import ada_url

from geoscout.fetch.robots import Robots
from geoscout_places.urls import (
    host_of,
    host_tokens,
    normalise,
    path_tokens,
    registrable_domain,
    resolve,
    trap,
)

CASES = Path(__file__).parent.parent / "tests" / "cases"
LINKS = 20_000
REPEATS = 7
# Shapes of links with a share in percent. The shares are assumed, on the hard side: here 89 % are
# normal already, of 8,233 different absolute links out of five archives of real pages 94 % were.
SHAPES = (
    (62, "https://{host}/{a}/{b}/{c}.html"),
    (14, "http://www.{host}/{a}/{b}-{c}/"),
    (5, "https://{host}/{a}/index.php?id={n}&page={c}"),
    (4, "https://{host}/{a}/{b}.html#{c}"),
    (4, "https://{host}/wiki/{a}_%C3%BC{b}"),
    (3, "http://{host}"),
    (2, "http://{host}:80/~{a}/{b}.html"),
    (2, "http://WWW.{host}/{a}.html"),
    (2, "https://{host}/{a}/ü{b}"),
    (1, "https://{host}/{a}?utm_source={b}&utm_medium={c}&id={n}"),
    (1, "https://{host}/{a}/../{b}/%7e{c}"),
)
ROBOTS = (
    b"User-agent: *\nDisallow: /admin/\nAllow: /admin/public/\nDisallow: /*?print=\n"
    b"Disallow: /cgi-bin/\nDisallow: /search\nDisallow: /private/*.pdf$\nCrawl-delay: 5\n"
)


def make_links(chance: random.Random) -> list[str]:
    words = ["".join(chance.choices("abcdefghijklmnoprstuvw", k=length)) for length in range(3, 12)]
    shapes = chance.choices([shape for _, shape in SHAPES], [share for share, _ in SHAPES], k=LINKS)
    return [
        shape.format(
            host=f"{chance.choice(words)}{chance.randrange(300)}.example.org",
            a=chance.choice(words),
            b=chance.choice(words),
            c=chance.choice(words),
            n=chance.randrange(10_000),
        )
        for shape in shapes
    ]


Step = Callable[[str], object]


def microseconds(steps: Sequence[tuple[Step, Sequence[str]]]) -> list[float]:
    """CPU time of each step for one text.

    The machine may be busy, so the steps take turns, and the best of their rounds counts.
    """
    best = [float("inf")] * len(steps)
    for _ in range(REPEATS):
        for number, (step, texts) in enumerate(steps):
            start = time.process_time()
            for text in texts:
                step(text)
            best[number] = min(best[number], (time.process_time() - start) / len(texts) * 1e6)
    return best


def share_right(join: Callable[[str | None, str], str | None]) -> float:
    """How many of the WHATWG cases with an http(s) result come out as they should."""
    cases = [json.loads(line) for line in (CASES / "whatwg_urls.jsonl").read_text().splitlines()]
    cases = [case for case in cases if case[2]]
    right = [case for case in cases if _attempt(join, case[1], case[0]) == case[2]]
    return len(right) / len(cases)


def _attempt(join: Callable[[str | None, str], str | None], base: str | None, text: str) -> object:
    try:
        return join(base, text)
    except Exception as error:  # whatever a library raises, the case is not read
        return error


Peer = tuple[str, Step, Callable[[str | None, str], str | None]]


def peers() -> list[Peer]:
    """Name, normal form, and join of base and reference of each library that is installed."""
    found: list[Peer] = [
        ("geoscout: normalise", normalise, lambda base, text: resolve(text, base)),
        ("urllib: urljoin, urldefrag", lambda url: urldefrag(urljoin(url, url)).url, _urllib_join),
        ("ada-url: normalize_url", ada_url.normalize_url, _ada_join),
    ]
    for name, make in (("w3lib.url", _w3lib), ("yarl", _yarl)):
        try:
            found.append(make(import_module(name)))
        except ImportError:
            print(f"({name} is not installed)")
    return found


def _urllib_join(base: str | None, text: str) -> str:
    return urljoin(base or "", text)


def _ada_join(base: str | None, text: str) -> str:
    return ada_url.join_url(base, text) if base else ada_url.normalize_url(text)


def _w3lib(library: Any) -> Peer:
    def join(base: str | None, text: str) -> str:
        return str(library.safe_url_string(urljoin(base or "", text)))

    return "w3lib: canonicalize_url", library.canonicalize_url, join


def _yarl(library: Any) -> Peer:
    def join(base: str | None, text: str) -> str:
        return str(library.URL(base).join(library.URL(text)) if base else library.URL(text))

    return "yarl: URL", lambda url: str(library.URL(url).with_fragment(None)), join


Reader = Callable[[str], Callable[[str, str], bool]]  # file -> (agent, url) -> allowed?


def robots_readers() -> dict[str, Reader]:
    found: dict[str, Reader] = {
        "geoscout: Robots": lambda text: Robots.parse(text.encode()).allows,
        "urllib: RobotFileParser": _standard_reader,
    }
    try:
        protego = import_module("protego").Protego
    except ImportError:
        print("(protego is not installed)")
    else:
        found["Protego"] = lambda text: _turned(protego.parse(text).can_fetch)
    return found


def _standard_reader(text: str) -> Callable[[str, str], bool]:
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    return parser.can_fetch


def _turned(can_fetch: Callable[[str, str], bool]) -> Callable[[str, str], bool]:
    return lambda agent, url: can_fetch(url, agent)


def robots_right(reader: Reader) -> str:
    """How many of Google's cases are decided as Google does."""
    lines = [json.loads(line) for line in (CASES / "robots.jsonl").read_text().splitlines()]
    answers = [
        reader(text)(agent, url) == allowed
        for text, cases in lines
        for agent, url, allowed in cases
    ]
    return f"{sum(answers)} of {len(answers)}"


def main() -> None:
    links = make_links(random.Random(1))
    normal = [url for url in map(normalise, links) if url]
    robots = Robots.parse(ROBOTS)
    steps: dict[str, tuple[Step, Sequence[str]]] = {
        "normalise (limit 8 µs)": (normalise, links),
        "normalise, what is normal already": (normalise, normal),
        "trap": (trap, normal),
        "path_tokens": (path_tokens, normal),
        "host_of, host_tokens": (lambda url: host_tokens(host_of(url)), normal),
        "host_of, registrable_domain": (lambda url: registrable_domain(host_of(url)), normal),
        "robots.allows, six rules": (lambda url: robots.allows("geoscout", url), normal),
    }
    for name, time_taken in zip(steps, microseconds(list(steps.values())), strict=True):
        print(f"{name:<36} {time_taken:>8.2f} µs")

    contestants = peers()
    times = microseconds([(step, links) for _, step, _ in contestants])
    print(f"\n{'normal form by':<36} {'a link':>11} {'WHATWG cases right':>20}")
    for (name, _, join), time_taken in zip(contestants, times, strict=True):
        print(f"{name:<36} {time_taken:>8.2f} µs {share_right(join):>20.0%}")

    readers = robots_readers()
    asked = [(_asking(reader(ROBOTS.decode())), normal) for reader in readers.values()]
    print(f"\n{'robots.txt by':<36} {'a question':>11} {'Google cases right':>20}")
    for (name, reader), time_taken in zip(readers.items(), microseconds(asked), strict=True):
        print(f"{name:<36} {time_taken:>8.2f} µs {robots_right(reader):>20}")


def _asking(allows: Callable[[str, str], bool]) -> Step:
    return lambda url: allows("geoscout", url)


if __name__ == "__main__":
    main()
