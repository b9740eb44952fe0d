"""The site that every contender crawls: pages in memory, served from many loopback addresses.

    python website.py --pages 3000 --hosts 64 --port 8750

Prints one line of JSON with the seeds when it is ready, and serves until its input is closed.
A polite crawler asks an address for one page at a time, so there must be many addresses: host 7 is
127.0.0.8. A page has the proportions of ordinary ones: 30 to 50 KB, 600 to 900 tags, 60 to 90
links, a fifth of its bytes visible text, scripts and icons besides, a dozen towns and an address.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from functools import partial

from geoscout.machine import run_on_loop

TOWNS = (
    "Springfield, Illinois", "Austin, Texas", "Portland, Oregon", "Madison, Wisconsin",
    "Oldenburg", "Bremen", "Leeds", "York", "Lyon", "Graz", "Basel", "Ithaca, New York",
)  # fmt: skip
WORDS = """the of and a to in is that for it as was with be by on not he his but at are this have
from or had an they which one you were all her she there would their we him been has when who will
no more if out so up said what its about than into them can only other time new some could these
two may first then do any like my now over such our man me even most made after also well many must
before back through years where much your way down should because long people those own mr good
state world life house water school street garden station market window summer letter village
bridge morning kitchen picture dinner company service family history building library river office
council museum festival open closed tickets rooms visitors""".split()
STYLE = ".c-%d{margin:0 auto;padding:%dpx 12px;display:flex;color:#2%d3;border:1px solid #ddd}\n"
SCRIPT = 'window.data=window.data||[];data.push({"event":"view","id":%d,"list":%s});\n'
ICON = (
    '<svg class="icon icon-%d" viewBox="0 0 24 24" width="24" height="24"><path d="M12 2l3.1 6.3'
    'L22 9.3l-5 4.9 1.2 6.8L12 17.8 5.8 21 7 14.2 2 9.3l6.9-1z"></path></svg>'
)


class Site:
    """Which page is where, and what is in it."""

    def __init__(self, pages: int, hosts: int, port: int) -> None:
        self.pages, self.hosts, self.port = pages, hosts, port
        self.paths = [self._path(number) for number in range(pages)]

    def _path(self, number: int) -> str:
        if number < self.hosts:
            return "/"
        chance = random.Random(number)
        slug = "-".join(chance.sample(WORDS, 3))
        return f"/{WORDS[number % 90]}/{slug}-{number}.html"

    def origin(self, host: int) -> str:
        return f"http://127.0.0.{host + 1}:{self.port}"

    def url(self, number: int) -> str:
        return self.origin(number % self.hosts) + self.paths[number]

    def reference(self, number: int, page: int) -> str:
        """How a page names another: absolute to another host, and one in four at home."""
        if number % self.hosts != page % self.hosts or number % 4 == 0:
            return self.url(number)
        return self.paths[number]

    def body(self, page: int) -> bytes:
        """One page; the same number gives the same."""
        chance = random.Random(page + 1)
        home = page % self.hosts
        siblings = range(home, self.pages, self.hosts)
        menu = "".join(
            f'<li class="menu__item menu__item--{i}"><a class="menu__link" '
            f'href="{self.reference(number, page)}"><span>{WORDS[i]} {WORDS[i + 40]}</span></a>'
            "</li>\n"
            for i, number in enumerate(siblings[:22])
        )
        # The next pages in a tree, so that every page is found, and some at random.
        children = [n for n in range(4 * page + 1, 4 * page + 5) if n < self.pages]
        others = [chance.choice(siblings) for _ in range(chance.randint(20, 40))]
        away = [chance.randrange(self.pages) for _ in range(8)]
        text = "".join(self._paragraph(chance, n, page) for n in [*children, *others, *away])
        cards = "".join(self._card(chance, i, page) for i in range(12))
        return self._whole(chance, menu, text + cards).encode()

    def _paragraph(self, chance: random.Random, target: int, page: int) -> str:
        words = " ".join(chance.choices(WORDS, k=chance.randint(8, 36)))
        return (
            f'<p class="text">{words.capitalize()} <a href="{self.reference(target, page)}" '
            f'title="{WORDS[target % 90]}">{WORDS[target % 80]} {WORDS[target % 70]}</a> '
            f"{self._where(chance)} <b>{chance.choice(WORDS)}</b>.</p>\n"
        )

    def _card(self, chance: random.Random, number: int, page: int) -> str:
        target = chance.randrange(self.pages)
        return (
            f'<div class="card card--{number}" data-id="{target}"><div class="card__image"><img '
            f'src="/media/{target}.jpg" alt="{chance.choice(WORDS)}" loading="lazy" width="320">'
            f'</div><h3><a href="{self.reference(target, page)}">{chance.choice(WORDS)}</a></h3>'
            f"{ICON % number}<span>{self._where(chance)}</span></div>\n"
        )

    def _where(self, chance: random.Random) -> str:
        """A town in one of five places where one could stand; news have 8 to a text."""
        return f"in {chance.choice(TOWNS)}" if chance.random() < 0.2 else chance.choice(WORDS)

    def _whole(self, chance: random.Random, menu: str, main: str) -> str:
        style = "".join(STYLE % (i, i % 9, i % 10) for i in range(60))
        numbers = json.dumps([chance.randrange(10**6) for _ in range(40)])
        scripts = "".join(SCRIPT % (i, numbers) for i in range(chance.randint(8, 30)))
        town = chance.choice(TOWNS)
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>'
            f"{' '.join(chance.sample(WORDS, 4))}</title>"
            f'<meta name="description" content="{town}"><style>{style}</style>'
            f"<script>{scripts}</script></head>\n<body><header><nav><ul>{menu}</ul></nav></header>\n"
            f"<main><h1>{town}</h1>{main}</main>\n<footer><address>{chance.randint(1, 900)} "
            f"Main Street<br>Springfield, IL 62701</address></footer></body></html>\n"
        )


class Server(asyncio.Protocol):
    """Answers GET over connections that stay open."""

    def __init__(self, answers: dict[bytes, bytes]) -> None:
        self.answers = answers
        self.waiting = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self.waiting += data
        while b"\r\n\r\n" in self.waiting:
            head, _, self.waiting = self.waiting.partition(b"\r\n\r\n")
            path = head.split(b" ", 2)[1]
            self.transport.write(self.answers.get(path, MISSING))


MISSING = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n"


def answer(body: bytes) -> bytes:
    return (
        b"HTTP/1.1 200 OK\r\nServer: site\r\nDate: Sun, 01 Mar 2026 12:00:00 GMT\r\n"
        b"Content-Type: text/html; charset=utf-8\r\nCache-Control: max-age=60\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    )


async def serve(site: Site) -> None:
    loop = asyncio.get_running_loop()
    answers: list[dict[bytes, bytes]] = [{} for _ in range(site.hosts)]
    for number in range(site.pages):
        answers[number % site.hosts][site.paths[number].encode()] = answer(site.body(number))
    for host, known in enumerate(answers):
        await loop.create_server(partial(Server, known), f"127.0.0.{host + 1}", site.port)
    seeds = [site.url(number) for number in range(site.hosts)]
    size = sum(len(body) for known in answers for body in known.values())
    print(json.dumps({"seeds": seeds, "pages": site.pages, "bytes": size}), flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--hosts", type=int, default=64)
    parser.add_argument("--port", type=int, default=8750)
    options = parser.parse_args()
    run_on_loop(serve(Site(options.pages, options.hosts, options.port)))


if __name__ == "__main__":
    main()
