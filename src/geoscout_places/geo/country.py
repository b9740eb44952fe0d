"""Which country a page is from, as far as its address tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

from geoscout_places.model import Address

# Country codes that are sold to everybody and say nothing about the country.
_GENERIC = frozenset(
    "ac ag ai am as bz cc cd cx dj eu fm gd gg im io la ly me ms mu nu pw sc sh sr st su tk tl to"
    " tv vc vg ws".split()
)
_ISO_CODES = {"uk": "GB"}
_LETTERS = 2


def country_of_url(url: str) -> str:
    """The ISO code of the country whose domain this is; "" where it tells nothing.

    >>> country_of_url("https://www.oldenburg.de/"), country_of_url("http://shop.example.co.uk/a")
    ('DE', 'GB')
    >>> country_of_url("https://example.com/"), country_of_url("https://example.io/")
    ('', '')
    """
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    domain = host.rstrip(".").rpartition(".")[2]
    if len(domain) != _LETTERS or not domain.isalpha() or domain in _GENERIC:
        return ""
    return _ISO_CODES.get(domain, domain.upper())


def country_of_page(url: str, addresses: Sequence[Address]) -> str:
    """The country most of the addresses are in, else that of the URL; "" where neither tells."""
    countries = Counter(address.country for address in addresses if address.country)
    return countries.most_common(1)[0][0] if countries else country_of_url(url)
