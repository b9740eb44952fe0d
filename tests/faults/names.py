"""Name servers that do not answer, or answer nonsense, cost their own hosts only."""

from tests.faults.arena import NAMESPACE, Arena, check, scenario, site_of_pages
from tests.faults.network import FAILURE, SILENCE, UNKNOWN, Answer


@scenario("Names that never resolve hold up nobody else", seconds=50, needs=(NAMESPACE,))
def silent_name_servers(arena: Arena) -> str:
    """60 hosts whose name servers never answer among 40 good ones, and others that fail."""
    names: dict[str, Answer | list[Answer]] = {f"silent{n}.test": SILENCE for n in range(60)}
    names |= {f"failing{n}.test": FAILURE for n in range(5)}
    names |= {f"unknown{n}.test": UNKNOWN for n in range(5)}
    names |= {f"empty{n}.test": () for n in range(5)}
    names |= {f"flapping{n}.test": [FAILURE, (f"11.5.5.{n + 1}",)] for n in range(5)}
    good = {f"good{n}.test": site_of_pages(3) for n in range(40)}
    good |= {f"flapping{n}.test": site_of_pages(1) for n in range(5)}
    with arena.web(good, names) as web:
        seeds = [web.url(host) for host in (*names, *good)]
        found = arena.crawl_for(45 * arena.slower, "out", dict.fromkeys(seeds), tries=3)
    check(found.pages("good") == 120, f"{found.pages('good')} of 120 good pages")
    check(not found.kinds("good"), f"good hosts were blamed: {found.kinds('good')}")
    check(set(found.kinds("silent")) <= {"dns"}, f"counted as {found.kinds('silent')}")
    return f"120 of 120 good pages, {found.pages('flapping')} of 5 flapping; {found.kinds()}"
