"""Any bytes to text.

The order is the one browsers keep (HTML standard, section 13.2.3.2): byte-order mark, the HTTP
header, the page's own declaration, then a guess. Two departures, because we want the names in the
text rather than the picture a browser would paint: bytes that are beyond doubt UTF-8 are read as
UTF-8 whatever an 8-bit label says, and a page that claims UTF-8 and mostly is not gets guessed.
"""

from __future__ import annotations

import codecs
import re

import webencodings

from geoscout_places.parse.guess import guess_codec

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HEADER_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;\"']+)", re.IGNORECASE)
_PAGE_CHARSET = re.compile(
    rb"<meta[^>]{0,400}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})"
    rb"|^\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]{2,40})",
    re.IGNORECASE,
)
_PAGE_LANGUAGE = re.compile(
    rb"<html[^>]{0,400}?\blang\s*=\s*[\"']?([a-zA-Z-]{2,20})", re.IGNORECASE
)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_SEQUENCE = re.compile(r"[^\x00-\x7f]")

# Where a declaration is looked for. The standard stops at 1,024 bytes; pages with long comments or
# scripts in front of it exist, and looking further costs nothing.
_PROLOGUE_BYTES = 4096
# From this many multi-byte sequences on, valid UTF-8 is not there by accident: Western
# text that happens to be valid UTF-8 needs pairs such as "Ã¤" throughout.
_SURE_SEQUENCES = 2
_SAMPLE = 100_000
_UNDECIDED = ("", "utf-8")  # declares nothing, or what half the pages declare by habit
_SINGLE_BYTE = ("cp125", "iso8859", "koi8", "mac-", "cp874", "cp866")

# Where we read other bytes than the codec behind a label of the Encoding Standard would. The
# standard decodes GBK as gb18030; its x-user-defined and "replacement" encodings keep no letters,
# so a page that declares them by mistake is taken for Western, or guessed. "latin-1" is not in the
# standard, and frequent.
_OTHER_CODECS = {"gbk": "gb18030", "x-user-defined": "cp1252", "replacement": ""}
_OTHER_LABELS = {"latin-1": "cp1252"}

# Countries whose pages were rarely in windows-1252, and the language that tells what in instead.
_LANGUAGE_OF_DOMAIN = {
    "ba": "bs", "bg": "bg", "by": "be", "cn": "zh", "cz": "cs", "ee": "et", "eg": "ar", "gr": "el",
    "hk": "zh", "hr": "hr", "hu": "hu", "il": "he", "ir": "fa", "jp": "ja", "kr": "ko", "kz": "kk",
    "lt": "lt", "lv": "lv", "mk": "mk", "pl": "pl", "ro": "ro", "rs": "sr", "ru": "ru", "sa": "ar",
    "si": "sl", "sk": "sk", "su": "ru", "th": "th", "tr": "tr", "tw": "zh", "ua": "uk", "vn": "vi",
}  # fmt: skip


def decode(body: bytes, content_type: str = "", url: str = "") -> str:
    """The text of the bytes; what cannot be read becomes U+FFFD, and nothing raises.

    Args:
        body: a page as it came.
        content_type: the HTTP header's value, "" where there was none.
        url: where it came from; the country's domain is a hint where nothing is declared.
    """
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    if body.isascii() and b"\x1b" not in body and b"\0" not in body[:_PROLOGUE_BYTES]:
        return body.decode("ascii")
    return _decode_as(body, declared_codec(body, content_type), url)


def declared_codec(body: bytes, content_type: str = "") -> str:
    """The codec that the header or else the page names; "" when neither names a known one."""
    header = _HEADER_CHARSET.search(content_type)
    if header and (codec := codec_of(header[1])):
        return codec
    prologue = body[:_PROLOGUE_BYTES]
    found = _PAGE_CHARSET.search(_COMMENT.sub(b"", prologue) if b"<!--" in prologue else prologue)
    if not found:
        return ""
    codec = codec_of((found[1] or found[2]).decode("ascii", "replace"))
    # A declaration that could be read as ASCII is not in UTF-16, whatever it says.
    return "utf-8" if codec.startswith("utf-16") else codec


def codec_of(label: str) -> str:
    """The Python codec for a label of the Encoding Standard; "" for one it does not have.

    The standard's labels count, because pages are tested in browsers: "latin1" and "ascii" mean
    windows-1252 there. Python's own aliases say otherwise, so `codecs.lookup` is not asked.

    >>> codec_of(" ISO-8859-1 "), codec_of("Shift_JIS"), codec_of("gb2312"), codec_of("klingon")
    ('cp1252', 'cp932', 'gb18030', '')
    """
    if not label.isascii():  # no label has other letters, and lone surrogates make `lookup` fail
        return ""
    found = webencodings.lookup(label)
    if found is None:
        return _OTHER_LABELS.get(label.strip().lower(), "")
    return _OTHER_CODECS.get(found.name, str(found.codec_info.name))


def may_be_utf8(body: bytes, content_type: str, *, sure: bool) -> bool:
    """Whether bytes that are UTF-8 by their form are read as it, whatever the page declares.

    `sure`: they have enough sequences of several bytes not to be UTF-8 by accident.
    """
    declared = declared_codec(body, content_type)
    return declared in _UNDECIDED or (sure and declared.startswith(_SINGLE_BYTE))


def _decode_as(body: bytes, declared: str, url: str) -> str:
    undecided = declared in _UNDECIDED
    if undecided or declared.startswith(_SINGLE_BYTE):
        text = _as_utf8(body, sure=undecided)
        if text is not None:
            return text
    return body.decode(_better_than_utf8(body, url) if undecided else declared, "replace")


def _as_utf8(body: bytes, *, sure: bool) -> str | None:
    """The text if the bytes are UTF-8 without a flaw; when not `sure`, only if beyond doubt."""
    if b"\x1b$" in body or b"\0" in body[:_PROLOGUE_BYTES]:  # ISO-2022-JP or UTF-16 in disguise
        return None
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if sure or text.isascii():
        return text
    return text if len(_SEQUENCE.findall(text[:_SAMPLE])) >= _SURE_SEQUENCES else None


def _better_than_utf8(body: bytes, url: str) -> str:
    """Decide what flawed UTF-8 is: UTF-8 with a few bad bytes, or something else."""
    text = body.decode("utf-8", "replace")
    flaws = text.count("\ufffd")
    good = len(_SEQUENCE.findall(text)) - flaws
    return "utf-8" if good > flaws else guess_codec(body, _language(body, url))


def _language(body: bytes, url: str) -> str:
    """What the page says its language is, or else what its country speaks; "" when neither."""
    found = _PAGE_LANGUAGE.search(body[:_PROLOGUE_BYTES])
    if found:
        return found[1].decode("ascii")
    host = url.partition("://")[2].partition("/")[0].partition(":")[0]
    return _LANGUAGE_OF_DOMAIN.get(host.rpartition(".")[2].lower(), "")
