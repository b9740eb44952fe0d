"""What the rules of a user admit: the patterns of a crawl, and the hosts that are off."""

from __future__ import annotations

from geoscout.host_settings import HostTable
from geoscout.model import RequestKind
from geoscout.url_patterns import UrlRules
from geoscout.urls import host_of


class Admission:
    """Decides by the patterns of a crawl and the settings of single hosts."""

    def __init__(self, rules: UrlRules | None = None, hosts: HostTable | None = None) -> None:
        self._rules, self.hosts = rules or UrlRules(), hosts or HostTable()

    def __bool__(self) -> bool:
        return bool(self._rules or self.hosts)

    def admits(self, url: str, kind: RequestKind = RequestKind.PAGE) -> bool:
        """Whether a normal URL may be asked for.

        A sitemap may where its host can have pages, whatever its own path.
        """
        if self.hosts.is_off(host_of(url)):
            return False
        if kind == RequestKind.SITEMAP:
            return self._rules.may_have_pages(host_of(url))
        return self._rules.admits(url)

    def admits_host(self, host: str) -> bool:
        """Whether anything of a host may be asked for."""
        return self._rules.may_have_pages(host) and not self.hosts.is_off(host)

    def admits_aid(self, host: str) -> bool:
        """Whether a host may be asked for what pages of others need: a robots.txt, a script.

        It need not be included, but must not be off or excluded as a whole.
        """
        return not self.hosts.is_off(host) and not self._rules.excludes_host(host)
