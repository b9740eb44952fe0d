"""A small web on loopback whose hosts misbehave as real ones do.

Hundreds of hosts share one port; a request's Host field tells them apart, and they may be spread
over several addresses (127.0.0.1, 127.0.0.2, …). Every request is logged with the times at which
it began and ended, so that a test can ask the servers whether the crawler was polite.

    with FakeWeb({"good.test": Site(page("Hello"))}, addresses=2) as web:
        …  fetch web.url("good.test") with web.resolver as the fetcher's resolver
    web.log  # what was asked

`sites` has well-behaved sites, `misbehaviour` answers that are not and sites without end, and
`menagerie` one host for each misbehaviour with the failure it must be counted as.
"""

from tests.fakeweb.server import FakeResolver, FakeWeb, Hit, overlaps
from tests.fakeweb.sites import Handler, Site, Visitor

__all__ = ["FakeResolver", "FakeWeb", "Handler", "Hit", "Site", "Visitor", "overlaps"]
