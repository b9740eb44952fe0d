"""One form for each URL, its domain and tokens, and the traps one can see in a URL alone.

Parsing follows the WHATWG standard through `ada_url`, because that is what browsers do with the
links people write; the standard library reads a third of the standard's own cases as browsers do.
Through ada and on to the normal form takes about 10 µs. Most links need not go there: one
expression tells the URLs that are in normal form already, and they are returned as they are
(docs/why/urls.md, benchmarks/urls.py).
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from ada_url import idna_to_unicode, join_url, normalize_url
from msgspec import Struct
from publicsuffixlist import PSLFILE, PublicSuffixList

PASSWORDS = ("password", "sslpassword")  # parameters of the addresses of services
HOSTS_REMEMBERED = 20_000  # hosts whose domains and tokens are kept: 12 MB when full

# Parameters that tell who came and from where, not what to show. Only names nobody uses otherwise.
_VISITOR_PARAMETERS = (
    r"utm_\w+|ga_(?:source|medium|campaign|content|term|place)|_ga|_gl|gclid|gclsrc|dclid|gbraid"
    r"|wbraid|fbclid|fb_(?:action_ids|action_types|source|ref)|msclkid|yclid|ysclid|_openstat"
    r"|twclid|ttclid|li_fat_id|igshid|igsh|epik|mc_[ce]id|mkt_tok|_hsenc|_hsmi|hsctatracking"
    r"|__hs(?:tc|sc|fp)|vero_(?:id|conv)|oly_(?:enc|anon)_id|s_cid|zanpid"
    r"|(?:pk|mtm|matomo|piwik)_(?:campaign|source|medium|content|group|placement|cid|kwd|keyword)"
    r"|wt[._-](?:mc|zmc)(?:_\w+)?|at_(?:campaign|medium|custom\d)"
    r"|phpsessid|jsessionid|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken|oscsid|zenid"
)
_UNRESERVED = r"\-A-Za-z0-9._~"
_PATH = _UNRESERVED + "!$&'()*+,=:@/"  # without `;`, which may introduce a session id
_QUERY = _UNRESERVED + "!$&()*+,;=:@/?"  # without `'`, which the standard escapes here
_KEPT_ESCAPE = "%(?:2[0F]|[89A-F][0-9A-F])"  # blank, slash, and bytes beyond ASCII

# What the parser would give back unchanged, fragment aside. The last label of a host name starts
# with a letter, or it might be an IPv4 address in disguise. No port of four digits is a default.
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_NORMAL = re.compile(
    rf"(https?://(?:(?:[a-z0-9_-]++\.)*+[a-z][a-z0-9_-]*+|{_OCTET}(?:\.{_OCTET}){{3}})"
    rf"(?::[1-9][0-9]{{3}})?+/(?:[{_PATH}]++|{_KEPT_ESCAPE})*+"
    rf"(?:\?((?:[{_QUERY}]++|{_KEPT_ESCAPE})++))?+)(?:#.*)?"
)
_PARTS = re.compile(r"(https?)://(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d+))?([^?#]*)\??([^#]*)")
_UNTIDY = re.compile(rf"%[0-9A-Fa-f]{{2}}|[^{_PATH};?]")
_NOISE = re.compile(rf"(?:^|&)(?:(?:{_VISITOR_PARAMETERS})(?=[=&]|$)|(?=&|$))", re.IGNORECASE)
_SESSION_IN_PATH = re.compile(r"(?<!\.)(?:;jsessionid=[^/;?]*)+", re.IGNORECASE)
_INDEX = re.compile(r"/(?:index|default)\.(?:s?html?|php|aspx?|jsp)$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_SUFFIX_LINE = re.compile(rb"^[^/\s]\S*", re.MULTILINE)  # else it is empty or a comment
_TO_BLANK = {code: " " for code in range(128) if chr(code) != "\n" and not chr(code).isalnum()}

LONGEST_URL = 512  # characters
DEEPEST_PATH = 12  # segments
MOST_PARAMETERS = 6
_OPAQUE = r"(?=[a-z_-]*\d)[\w-]{16,}(?![^&;/#])"  # a value made by a machine for a machine
_SESSION = re.compile(
    r"[?&;/](?:(?:phpsessid|jsessionid|aspsessionid\w*|asp\.net_sessionid|cftoken|oscsid|zenid)="
    rf"|(?:s|sid|sess|session|sess(?:ion)?[_-]?(?:id|key|hash))[=/]{_OPAQUE}|\(s\(\w+\)\)/)"
)
_YEAR = r"(?:19|20|21)\d\d"
_DATE = (
    rf"(?:{_YEAR}[-/._]\d\d?(?:[-/._]\d\d?)?|\d\d?[-/._]\d\d?[-/._]{_YEAR}"
    rf"|{_YEAR}(?:0[1-9]|1[0-2])(?:[0-3]\d)?)"
)
_CALENDAR_WORD = re.compile(
    r"\b[a-z]*(?:calend|kalend)[a-z]*\b|\b(?:cal|agenda|events?|eventos?|eventi|tribe"
    r"|evenements?|termine?|veranstaltung(?:en)?|schedules?|day|week|month)\b"
)
_DATE_AT_END = re.compile(rf"/{_DATE}(?:\.\w+)?/?$")
_DATE_VALUE = re.compile(rf"={_DATE}(?:&|$)")
_YEAR_VALUE = re.compile(rf"(?:ye?a?r|jahr|ann?ee|ann?o|\by)=(?:{_YEAR})?(?:&|$)")
_MONTH_VALUE = re.compile(r"(?:mon(?:th|at)?|mois|mese?|\bm)=[01]?\d(?:&|$)")


class UrlParts(Struct, frozen=True):
    """The parts of an http(s) URL that are sent to a server."""

    scheme: str
    host: str
    port: str  # "" means the default of the scheme
    path: str
    query: str


def resolve(reference: str, base: str | None = None) -> str | None:
    """The absolute http(s) URL a browser would make of a reference; None where there is none."""
    if not reference.isascii():
        reference = _without_surrogates(reference)
    try:
        url = normalize_url(reference) if base is None else join_url(base, reference)
    except ValueError:
        return None
    return url if url.startswith(("https://", "http://")) else None


def normalise(url: str, base: str | None = None, *, strip_index: bool = False) -> str | None:
    """The one form under which a URL is known; None for what is not an http(s) URL.

    Beyond what `resolve` does, the fragment, credentials, tracking parameters and session ids of
    known names go, and characters are escaped when they must be, in one spelling.
    `strip_index` also takes `index.html` and its like off the end where no query follows; most
    servers, not all, answer the same without it.

    >>> normalise("HTTP://Example.ORG:80/a/../%7euser/?utm_source=x&id=3#top")
    'http://example.org/~user/?id=3'
    """
    normal = _at_once(url)
    if normal is None:
        absolute = resolve(url, base)
        if absolute is None:
            return None
        normal = _at_once(absolute) or _rebuild(absolute)
    if strip_index and normal is not None and "?" not in normal:
        normal = _INDEX.sub("/", normal)
    return normal


def split(url: str) -> UrlParts:
    """The parts of a URL that `resolve` or `normalise` gave.

    Raises:
        ValueError: it is not an absolute http(s) URL.
    """
    found = _PARTS.match(url)
    if found is None:
        raise ValueError(f"no absolute http(s) URL: {url!r}")
    scheme, host, port, path, query = found.groups(default="")
    return UrlParts(scheme, host, port, path, query)


def authority_of(url: str) -> str:
    """The host of a normal URL, with its port where it has one."""
    return url.split("/", 3)[2]


def host_of(url: str) -> str:
    """The host of a normal URL, without the port."""
    return without_port(authority_of(url))


def without_port(authority: str) -> str:
    """The host in what `authority_of` gave.

    >>> without_port("example.org:8080"), without_port("[2001:db8::1]")
    ('example.org', '[2001:db8::1]')
    """
    if ":" not in authority or authority[-1] == "]":  # an IPv6 address has colons of its own
        return authority
    return authority.rpartition(":")[0]


@lru_cache(HOSTS_REMEMBERED)
def registrable_domain(host: str) -> str:
    """The domain somebody registered: one label below the public suffix.

    An address, a public suffix and a name without dots stand for themselves.

    >>> registrable_domain("www.parks.city.hammond.co.uk"), registrable_domain("192.0.2.1")
    ('hammond.co.uk', '192.0.2.1')
    """
    if _is_address(host):
        return host
    return _suffixes_for(host).privatesuffix(host) or host


def domain_of(url: str) -> str:
    """The registrable domain of a URL, or its host where there is none; "" without a host.

    >>> domain_of("https://www.museum.co.uk/visit"), domain_of("http://192.0.2.1/")
    ('museum.co.uk', '192.0.2.1')
    """
    if "://" not in url:
        return ""
    host = host_of(url)
    return registrable_domain(host) or host


# In paths and in the texts of links, to pages on which a site says who it is.
WHO_WE_ARE = (
    r"impress|imprint|kontakt|conta[ck]t|about|(?:ü|u|ue)ber[-_ ]?uns|anfahrt|adresse?|legal"
    r"|mentions|chi[-_ ]siamo|qui[-_ ]sommes|qui[eé]nes[-_ ]somos|sobre[-_ ]n[oó]s|aviso|colofon"
    r"|over[-_ ]ons|om[-_ ]oss?\b|o[-_ ]nas\b|yhteystiedot|kapcsolat"
)


def has_public_suffix(host: str) -> bool:
    """Whether a host ends in a domain under which people can register names.

    >>> has_public_suffix("lisboa.pt"), has_public_suffix("seeds.txt")
    (True, False)
    """
    return _suffixes_for(host).privatesuffix(host, accept_unknown=False) is not None


@lru_cache(HOSTS_REMEMBERED)
def host_tokens(host: str) -> tuple[str, ...]:
    """The words of a host name from left to right, without `www`; none for an address.

    >>> host_tokens("www.new-york.pizza.example")
    ('new', 'york', 'pizza', 'example')
    """
    if _is_address(host):
        return ()
    readable = idna_to_unicode(host) if "xn--" in host else host
    return tuple(word for word in _WORD.findall(readable.casefold()) if word != "www")


def path_tokens(url: str) -> list[str]:
    """The words of path and query of a normal URL from left to right, escapes decoded.

    >>> path_tokens("http://example.org/Caf%C3%A9s/New_York.html?page=2")
    ['cafés', 'new', 'york', 'html', 'page', '2']
    """
    path = _path_of(url)
    return _WORD.findall((unquote(path) if "%" in path else path).casefold())


def _path_of(url: str) -> str:
    """What comes after the host, without its slash; "" for a URL that ends with its host."""
    return (*url.split("/", 3), "")[3]


def path_texts(urls: Sequence[str]) -> list[str]:
    """The words that `path_tokens` gives for each of the URLs, with a blank between them.

    Blanks may stand around them, too. All are read in one pass, in a quarter of the time.

    >>> path_texts(["http://example.org/New_York.html", "http://example.org/Caf%C3%A9s"])
    ['new york html', 'cafés']
    """
    # A normal URL is ASCII; what is escaped in it is left to `path_tokens`.
    paths = [" ".join(path_tokens(url)) if "%" in url else _path_of(url) for url in urls]
    text = "\n".join(paths).casefold().translate(_TO_BLANK)
    while "  " in text:
        text = text.replace("  ", " ")
    return text.split("\n") if paths else []


def trap(url: str) -> str | None:
    """The name of the rule by which a normal URL looks like one of endlessly many; None if none.

    >>> trap("http://example.org/calendar/2031/05/"), trap("http://example.org/a/b/a/b/a/b/")
    ('calendar', 'repeated')
    """
    if len(url) > LONGEST_URL:
        return "length"
    path, _, query = url.split("/", 3)[-1].partition("?")
    if path.count("/") > 1 and (found := _trap_in_path(path)):
        return found
    if query.count("&") >= MOST_PARAMETERS:
        return "parameters"
    lower = url.lower()
    # Most URLs have no query and none of the signs without which the expressions find nothing.
    is_plain = not (query or "=" in path or "(" in path or "&" in path or ";" in path)
    if not (is_plain and "/s" not in lower) and _SESSION.search(lower):
        return "session"
    if is_plain and not ("20" in path or "19" in path or "21" in path):
        return None
    return "calendar" if _is_calendar(path.lower(), query.lower()) else None


def _trap_in_path(path: str) -> str | None:
    segments = path.removesuffix("/").split("/")
    if len(segments) > DEEPEST_PATH:
        return "depth"
    if len(segments) - len(set(segments)) > 1 and Counter(segments).most_common(1)[0][1] > 2:
        return "repeated"
    return None


def _is_calendar(path: str, query: str) -> bool:
    """Whether a URL shows a span of time, from which others lead to the next, for ever.

    A page below a date (`/events/2024/05/17/jazz`) has a subject of its own and is none.
    """
    if query and _YEAR_VALUE.search(query) and _MONTH_VALUE.search(query):
        return True
    dated = _DATE_AT_END.search(f"/{path}") or _DATE_VALUE.search(query)
    return bool(dated and _CALENDAR_WORD.search(f"{path}?{query}"))


def _at_once(url: str) -> str | None:
    """The normal form of a URL the parser need not see; None when it must."""
    found = _NORMAL.fullmatch(url)
    if found is None or "/." in url or "xn--" in url:
        return None
    query = found[2]
    if query is None or _NOISE.search(query) is None:
        return found[1]
    return _joined(found[1].partition("?")[0], query)


def _rebuild(absolute: str) -> str | None:
    parts = split(absolute)
    host = parts.host.removesuffix(".")
    if not all(host.split(".")):
        return None  # an empty label: no such host can exist, and `a..` must not turn into `a`
    port = f":{parts.port}" if parts.port else ""
    path = _SESSION_IN_PATH.sub("", tidy_escapes(parts.path))
    return _joined(f"{parts.scheme}://{host}{port}{path}", tidy_escapes(parts.query))


def _joined(start: str, query: str) -> str:
    if _NOISE.search(query):
        query = "&".join(part for part in query.split("&") if not _NOISE.match(part))
    return f"{start}?{query}" if query else start


def tidy_escapes(text: str) -> str:
    """Path or query in one spelling: escaped where it must be, and nowhere else."""
    return _UNTIDY.sub(lambda found: _spelling(found[0]), text)


@cache  # of at most 484 escapes and 128 characters
def _spelling(found: str) -> str:
    """The one spelling of an escape or a character (RFC 3986, 6.2.2)."""
    if len(found) == 1:
        return f"%{ord(found):02X}"
    character = chr(int(found[1:], 16))
    plain = character.isascii() and (character.isalnum() or character in "-._~")
    return character if plain else found.upper()


def _without_surrogates(text: str) -> str:
    """`text` with halves of surrogate pairs replaced, as the standard does before parsing."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _is_address(host: str) -> bool:
    return host.endswith("]") or host.rpartition(".")[2].isdigit()


def _suffixes_for(host: str) -> PublicSuffixList:
    """Public suffixes, among which are all that this host can end in."""
    return _plain_suffixes() if host.isascii() and "xn--" not in host else _all_suffixes()


@cache
def _plain_suffixes() -> PublicSuffixList:
    """Those in plain ASCII: a quarter of the time that it takes to load all, and most hosts'."""
    lines = _SUFFIX_LINE.findall(Path(PSLFILE).read_bytes())
    plain = [line for line in lines if line.isascii()]
    return PublicSuffixList(plain, accept_encoded_idn=False)


@cache
def _all_suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def has_password(url: str) -> bool:
    """Whether the URL of a service contains a password.

    >>> has_password("postgresql://ann:secret@host/data"), has_password("postgresql://ann@host/data")
    (True, False)
    """
    parts = urlsplit(url)
    named = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    return parts.password is not None or not named.isdisjoint(PASSWORDS)


def without_passwords(url: str) -> str:
    """The URL of a service as it may be shown and kept.

    >>> without_passwords("postgresql://ann:secret@host/data?password=x&sslmode=require")
    'postgresql://ann@host/data?sslmode=require'
    """
    parts = urlsplit(url)
    user, at, server = parts.netloc.rpartition("@")
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    query = urlencode([pair for pair in pairs if pair[0] not in PASSWORDS])
    return parts._replace(netloc=f"{user.partition(':')[0]}{at}{server}", query=query).geturl()
