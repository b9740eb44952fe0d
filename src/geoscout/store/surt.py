"""The key under which indexes of web archives keep a URL, so that its spellings are one.

The host is turned round, `www.`, scheme, user and fragment are left out, letters are small, escapes
are as few as possible, parameters are sorted, and ids of sessions are cut out. What other programs
look up must be what we wrote, so the rules are theirs: those of the Wayback Machine, which the
package `surt` has, too (not used, because it needs `tldextract`, which needs `requests`). The tests
compare both on URLs of archives.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote_to_bytes, urlsplit

_SAFE = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"  # all of ASCII that is printed, but # and %
_WWW = re.compile(r"^www\d*\.")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_SLASHES = re.compile(rb"/{2,}")
_PATH_SESSION = re.compile(
    r"/\((?:[a-z]\([0-9a-z]{24}\))+\)(?=/[^?]+\.aspx)|/\([0-9a-z]{24}\)(?=/[^?]+\.aspx)"
)
_QUERY_SESSION = re.compile(
    r"(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}(?:&|$)"
    r"|aspsessionid[a-z]{8}=[a-z]{24}(?:&|$)|cfid=[^&]+&cftoken=[^&]+(?:&|$)"
)


def url_key(url: str) -> str:
    """The key of a URL in normal form.

    >>> url_key("https://www.Example.org:443/A//B/?b=2&a=1#x")
    'org,example)/a/b?a=1&b=2'
    >>> url_key("http://a.example:8080/caf%C3%A9%7E")
    'example,a:8080)/caf%c3%a9~'
    """
    parts = urlsplit(url)
    host = _WWW.sub("", (parts.hostname or "").lower(), count=1) if parts.hostname else ""
    turned = ",".join(reversed(host.split(".")))
    port = parts.port
    named = f":{port}" if port and port != _DEFAULT_PORTS.get(parts.scheme) else ""
    query = _query(parts.query)
    return f"{turned}{named}){_path(parts.path)}{'?' if query else ''}{query}"


def _path(path: str) -> str:
    plain = _SLASHES.sub(b"/", _unescaped(path)) or b"/"
    escaped = _PATH_SESSION.sub("", quote(plain, safe=_SAFE).lower())
    return escaped.removesuffix("/") or "/"


def _query(query: str) -> str:
    if not query:
        return ""
    escaped = quote(_unescaped(query), safe=_SAFE).lower()
    pairs = [pair.split("=", 1) for pair in _QUERY_SESSION.sub("", escaped).split("&")]
    return "&".join("=".join(pair) for pair in sorted(pairs))


def _unescaped(text: str) -> bytes:
    """A text without its escapes, however often it was escaped."""
    data = text.encode()
    while (plain := unquote_to_bytes(data)) != data:
        data = plain
    return data
