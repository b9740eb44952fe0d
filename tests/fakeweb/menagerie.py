"""One host for each misbehaviour, with the failure it has to be counted as.

For a crawl over all of them at once: what is good must be stored, what is bad must be counted
under its own name, and nothing must take for ever.
"""

from tests.fakeweb import misbehaviour as bad
from tests.fakeweb.sites import Site, by_path, chained, page, robots_file

# Of these every page is to be had, though some say strange things about themselves.
GOOD = {
    "good.test": Site(chained(5)),
    "slow.test": Site(bad.slow(0.1)),
    "wrong-charset.test": Site(bad.wrong_charset("Köln und Zürich", "latin-1", "utf-8")),
    "mixed.test": Site(bad.mixed_encodings),
    "robots-404.test": Site(page("No rules")),
    "robots-loop.test": Site(page("Rules run in circles"), bad.redirect("/robots.txt?again")),
    "robots-huge.test": Site(page("Many rules"), bad.huge_robots("Disallow: /private")),
}
# Pages without end, of which the crawl's rules must choose a few.
TRAPS = {
    "calendar.test": Site(bad.calendar),
    "sessions.test": Site(bad.sessions),
    "depth.test": Site(bad.infinite_depth),
    "copies.test": Site(bad.duplicate_farm(30)),
}
# Host, what it does, and the kind of failure its front page ends in.
BAD = {
    "dripping.test": (Site(bad.dripping(0.05)), "slow"),
    "dripping-header.test": (Site(bad.dripping_header(0.05)), "timeout"),
    "hanging.test": (Site(bad.hanging), "stalled"),
    "silent.test": (Site(bad.silent), "stalled"),
    "reset.test": (Site(bad.resetting), "reset"),
    "reset-at-once.test": (Site(bad.resetting_at_once), "reset"),
    "disconnect.test": (Site(bad.disconnecting), "reset"),
    "truncated.test": (Site(bad.truncated), "truncated"),
    "truncated-chunks.test": (Site(bad.truncated_chunks), "truncated"),
    "truncated-gzip.test": (Site(bad.truncated_gzip), "truncated"),
    "two-lengths.test": (Site(bad.two_lengths), "protocol"),
    "longer.test": (Site(bad.longer_than_it_says), "protocol"),
    "nonsense.test": (Site(bad.nonsense), "protocol"),
    "not-gzip.test": (Site(bad.not_gzip), "decompression"),
    "gzip-bomb.test": (Site(bad.gzip_bomb()), "bomb"),
    "zstd-bomb.test": (Site(bad.zstd_bomb()), "bomb"),
    "huge-header.test": (Site(bad.huge_header()), "header-size"),
    "many-headers.test": (Site(bad.many_headers()), "header-size"),
    "endless.test": (Site(bad.endless_body), "too-large"),
    "image.test": (Site(bad.image), "content-type"),
    "redirects.test": (Site(bad.endless_redirect), "redirect-chain"),
    "redirect-loop.test": (
        Site(by_path({"/": bad.redirect("/a"), "/a": bad.redirect("/b"), "/b": bad.redirect("/")})),
        "redirect-loop",
    ),
    "redirect-private.test": (Site(bad.redirect("http://10.0.0.1/")), "private-address"),
    "redirect-mail.test": (Site(bad.redirect("mailto:someone@mail.test")), "redirect-target"),
    "robots-503.test": (Site(page("Hidden"), bad.failing(503)), "robots-unreachable"),
    "robots-closed.test": (
        Site(page("Closed"), robots_file("User-agent: *", "Disallow: /")),
        "robots",
    ),
}
# Statuses are answers; these are asked again later.
TRY_LATER = {
    "busy.test": (Site(bad.too_many_requests("1")), 429),
    "down.test": (Site(bad.failing(503)), 503),
}


def all_sites() -> dict[str, Site]:
    """Every host of the menagerie."""
    bad_sites = {host: site for host, (site, _) in {**BAD, **TRY_LATER}.items()}
    return {**GOOD, **TRAPS, **bad_sites}
