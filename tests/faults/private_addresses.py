"""No private address is asked, whatever names, links and redirects say.

Every address of the world is one of our servers here, so a request that should not have been made
is in their log.
"""

import os
from ipaddress import ip_address, ip_network

from tests.fakeweb import FakeWeb, Hit, Site
from tests.fakeweb import misbehaviour as bad
from tests.fakeweb.sites import content, page, robots_file
from tests.fakeweb.test_fakeweb import ask_address
from tests.faults.arena import NAMESPACE, REGION, Arena, check, page_of, scenario, site_of_pages
from tests.faults.network import Answer

_PROMISE = "No private address is asked"
_OURS = ip_network("11.0.0.0/8")  # where the names of the campaign lead
NAMES: dict[str, str] = {
    "ten": "10.0.0.1", "one-seven-two": "172.16.0.1", "one-nine-two": "192.168.0.1",
    "metadata": "169.254.169.254", "loopback": "127.0.0.1", "high-loopback": "127.255.255.254",
    "zero": "0.0.0.0", "carrier": "100.64.0.1", "benchmark": "198.18.0.1",
    "six-to-four": "192.88.99.1",
    "documentation": "203.0.113.5", "future": "240.0.0.1",
    "mapped": "::ffff:127.0.0.1", "translated": "::ffff:0:127.0.0.1", "nat64": "64:ff9b::7f00:1",
    "local-nat64": "64:ff9b:1::7f00:1", "unique": "fd00::1", "link-local": "fe80::1",
    "loopback6": "::1", "6to4": "2002:7f00:1::", "teredo": "2001:0:7f00:1::", "site": "fec0::1",
    "compatible": "::127.0.0.1", "unspecified6": "::",
}  # fmt: skip
FORMS = (
    "http://2130706433/", "http://0177.0.0.1/", "http://0x7f000001/", "http://0x7f.1/",
    "http://127.1/", "http://127.0.0.1./", "http://%31%32%37.0.0.1/", "http://１２７.０.０.１/",
    "http://127。0。0。1/", "http://user:pass@127.0.0.1/", "http://localhost/", "http://localhost./",
    "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::7f00:1]/", "http://[::127.0.0.1]/", "http://[fe80::1%25lo]/",
    "http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http:\\\\127.0.0.1\\",
    "//127.0.0.1/", "http://0/", "http://ten.private.test/", "file:///etc/passwd",
    "gopher://127.0.0.1:70/x", "http://metadata.private.test/",
)  # fmt: skip


def private_names() -> dict[str, Answer | list[Answer]]:
    """Names that lead to private addresses."""
    return {f"{name}.private.test": (address,) for name, address in NAMES.items()}


def astray(web: FakeWeb) -> list[Hit]:
    """Requests at addresses that no name of a proper host leads to."""
    log = [hit for hit in web.log if not hit.path.startswith("/control")]
    return [hit for hit in log if ip_address(hit.address.split("%")[0]) not in _OURS]


def _check_log(web: FakeWeb) -> None:
    """That nothing private was asked, and that we would have seen it."""
    wrong = astray(web)
    check(not wrong, f"{len(wrong)} requests at private addresses, such as {wrong[:2]}")
    for address in ("127.0.0.1", "10.0.0.1", "64:ff9b::7f00:1"):
        ask_address(address, web.port, "control.test", "/control")
    seen = sum(hit.path == "/control" for hit in web.log)
    check(seen == 3, f"only {seen} of 3 requests of our own were logged: the log proves nothing")


@scenario(_PROMISE, seconds=12, needs=(NAMESPACE,))
def names_that_lead_inside(arena: Arena) -> str:
    """Crawls hosts whose names have private, mapped, NAT64, 6to4 and Teredo addresses."""
    with arena.web({"good.test": site_of_pages(3)}, private_names()) as web:
        seeds = [web.url(host) for host in ("good.test", *private_names())]
        found = arena.crawl_to_the_end("out", seeds)
        _check_log(web)
    refused = found.kinds("private.test")
    check(found.pages("private.test") == 0, "a page of a private host was stored")
    check(refused.get("private-address", 0) >= len(NAMES), f"counted as {refused}")
    check(found.pages("good.test") == 3, f"{found.pages('good.test')} of 3 good pages")
    return f"{len(NAMES)} names, all counted as private-address; no request at such an address"


@scenario(_PROMISE, seconds=14, needs=(NAMESPACE,))
def redirects_and_links_inside(arena: Arena) -> str:
    """Redirects, links, sitemaps, robots.txt and refreshes lead to private addresses."""
    redirecting = {f"r{n}.test": Site(bad.redirect(form)) for n, form in enumerate(FORMS)}
    refresh = '<meta http-equiv=refresh content="0;url=http://127.0.0.1/">'
    links = page_of("Links", [*FORMS, "/more"], head=refresh)
    sitemap = "".join(f"<url><loc>{form}</loc></url>" for form in FORMS if "\\" not in form)
    sites = {
        "good.test": site_of_pages(3),
        "links.test": Site(content(links)),
        "robots.test": Site(page("Behind"), bad.redirect("http://127.0.0.1/robots.txt")),
        "maps.test": Site(
            content(f"<urlset>{sitemap}</urlset>".encode(), "text/xml"),
            robots_file(*(f"Sitemap: {form}" for form in (*FORMS, "http://maps.test/map.xml"))),
        ),
    }
    with arena.web({**sites, **redirecting}, private_names()) as web:
        hosts = (*sites, *redirecting)
        found = arena.crawl_to_the_end("out", [web.url(host) for host in hosts])
        _check_log(web)
        asked = sum(bool(web.hits(host)) for host in redirecting)
    check(asked == len(FORMS), f"only {asked} of {len(FORMS)} redirecting hosts were asked")
    check(found.pages("good.test") == 3, f"{found.pages('good.test')} of 3 good pages")
    addresses = {visit["address"] for visit in found.visits}
    check(all(ip_address(a) in _OURS for a in addresses), f"stored from {addresses}")
    return f"{len(FORMS)} forms by redirect, link, sitemap and robots.txt; {found.kinds()}"


@scenario(_PROMISE, seconds=20, needs=(NAMESPACE,))
def names_that_change(arena: Arena) -> str:
    """Names that lead to a public address first and to loopback afterwards (DNS rebinding)."""
    turns: list[Answer] = [("11.7.7.7",), ("127.0.0.1",)]
    hosts = [f"rebind{n}.test" for n in range(6)]
    names: dict[str, Answer | list[Answer]] = {host: list(turns) for host in hosts}
    names["mixed.test"] = ("127.0.0.1", "11.7.7.8")
    with arena.web({host: site_of_pages(12) for host in names}, names) as web:
        seeds = [web.url(host) for host in names]
        arena.crawl_to_the_end("out", seeds, "--max-pages", "20")
        resumed = arena.run("resume", str(arena.at("out")), "--max-pages", "60")
        _check_log(web)
    found = arena.findings("out")
    check(resumed.status == 0, f"resume ended with {resumed.last_line()}")
    check({v["address"] for v in found.visits} <= {"11.7.7.7", "11.7.7.8"}, "pages from elsewhere")
    check(found.kinds("rebind").get("private-address"), f"no name was refused: {found.kinds()}")
    return f"{len(found.visits)} pages, all from the public address; {found.kinds()}"


@scenario("Only ports of the web are asked", seconds=8, needs=(NAMESPACE,))
def ports_of_other_services(arena: Arena) -> str:
    """Links and redirects lead to ports where mail and databases are."""
    ports = (22, 25, 110, 143, 2375, 3306, 5432, 6379, 11211)
    links = [f"http://good.test:{port}/" for port in ports]
    sites = {f"r{p}.test": Site(bad.redirect(link)) for p, link in zip(ports, links, strict=True)}
    sites["links.test"] = Site(content(page_of("Links", links)))
    with arena.web(sites) as web:
        found = arena.crawl_to_the_end("out", [web.url(host) for host in sites])
    refused = found.kinds().get("port", 0)
    check(refused >= len(ports), f"{refused} of {len(ports)} counted as port: {found.kinds()}")
    return f"{len(ports)} ports, counted {refused} times as port"


@scenario("No service that is asked leads to another server", seconds=40, needs=(NAMESPACE,))
def services_that_redirect(arena: Arena) -> str:
    """Overpass, Wikidata and a geocoder redirect to private addresses; so says http_proxy."""
    forms = arena.chance.sample(
        [form for form in FORMS if "//" in form and "private" not in form], 5
    )
    sites = {f"service{n}.test": Site(bad.redirect(form)) for n, form in enumerate(forms)}
    sites["good.test"] = site_of_pages(3)
    proxies = {"http_proxy": "http://10.0.0.1:80", "https_proxy": "http://10.0.0.1:80"}
    os.environ |= proxies
    try:
        with arena.web(sites, private_names()) as web:
            for number in range(len(forms)):
                kind = arena.chance.choice(("overpass", "wikidata"))
                asked = f"{kind}={web.url(f'service{number}.test', f'/{arena.chance.random()}')}"
                done = arena.run("seeds", "--region", REGION, "--ask", asked)
                check(done.status in (1, 2), f"{asked} -> {forms[number]}: {done.last_line()}")
                check(not done.has_traceback(), f"a traceback: {done.last_line()}")
            geocoder = f"nominatim:{web.url('service0.test')}"
            found = arena.crawl_to_the_end("out", [web.url("good.test")], geocoder=geocoder)
            _check_log(web)
            asked_geocoder = len(web.hits("service0.test")) - 1
    finally:
        for name in proxies:
            del os.environ[name]
    check(found.pages("good.test") == 3, f"{found.pages('good.test')} of 3 good pages")
    return f"{len(forms)} services refused by name; the geocoder was asked {asked_geocoder} times"
