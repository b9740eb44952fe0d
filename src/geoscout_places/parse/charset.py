"""Any bytes to text.

The order is the one browsers keep (HTML standard, section 13.2.3.2): byte-order mark, the HTTP
header, the page's own declaration, then a guess. Two departures, because we want the names in the
text rather than the picture a browser would paint: bytes that are beyond doubt UTF-8 are read as
UTF-8 whatever an 8-bit label says, and a page that claims UTF-8 and mostly is not gets guessed.

The encoding of a page that does not say it and is not UTF-8 is guessed. Such pages are old and few,
so the guess is small: a hint of the language where there is one, then the shape of the bytes.
Statistics of letters, as browsers and the chardet family keep them, tell Central European and
Turkish pages apart too; we take those for windows-1252 unless the page tells its language, and in
return need no tables.
"""

import codecs
import re
from collections.abc import Iterable

import webencodings

_WESTERN = "cp1252"
_SAMPLE_BYTES = 65_536
_LEAST_TELLING = 0.04  # share of telling characters; real text has 0.08 (Chinese) to 0.6 (kana)

# Multi-byte candidates in the order in which one wins a tie, with the characters that ordinary text
# in them is made of: kana, or the commonest syllables and ideographs.
_EAST_ASIAN = (
    ("iso2022-jp", re.compile("[\u3040-\u30ff]")),
    ("euc-jp", re.compile("[\u3040-\u309f]")),
    ("cp932", re.compile("[\u3040-\u30ff]")),
    ("cp949", re.compile("[이다는의에을를은가고한하지로기서]")),
    ("gb18030", re.compile("[的一是不了在人有我他这中大来上国和地到说为]")),
    ("big5hkscs", re.compile("[的一是不了在人有我他這中大來上國和地到說為]")),
)
_EAST_ASIAN_OF_LANGUAGE = {
    "ja": ("iso2022-jp", "euc-jp", "cp932"),
    "ko": ("cp949",),
    "zh": ("gb18030", "big5hkscs"),
}
# Alphabets whose words are wholly above ASCII, with their commonest small letters, which make up
# about half of any text; read by the wrong codec, capitals or marks come out instead.
_ALPHABETS = (
    ("cp1251", "оеаинтсл"),
    ("koi8-r", "оеаинтсл"),
    ("iso8859-5", "оеаинтсл"),
    ("cp866", "оеаинтсл"),
    ("cp1253", "αοιετσνηυ"),
    ("cp1255", "יוהלאתרמב"),
    ("cp1256", "اليمنرتبة"),
)
_LEAST_SHARE = 0.35
# What people of a language used before UTF-8: the fallbacks of the HTML standard, section 13.2.3.2,
# kept by language because a page tells its language more often than its encoding.
_CODEC_OF_LANGUAGE = {
    "ar": "cp1256", "fa": "cp1256", "ur": "cp1256",
    "be": "cp1251", "bg": "cp1251", "kk": "cp1251", "ky": "cp1251", "mk": "cp1251",
    "mn": "cp1251", "ru": "cp1251", "sr": "cp1251", "tg": "cp1251", "tt": "cp1251", "uk": "cp1251",
    "bs": "cp1250", "cs": "cp1250", "hr": "cp1250", "hu": "cp1250", "pl": "cp1250",
    "ro": "cp1250", "sk": "cp1250", "sl": "cp1250", "sq": "cp1250",
    "el": "cp1253", "he": "cp1255", "iw": "cp1255", "az": "cp1254", "ku": "cp1254", "tr": "cp1254",
    "et": "cp1257", "lt": "cp1257", "lv": "cp1257", "th": "cp874", "vi": "cp1258",
}  # fmt: skip
_WORD_OF_HIGH_BYTES = re.compile(rb"[\x80-\xff]{3,}")
_RUN_OF_HIGH_BYTES = re.compile(rb"[\x80-\xff]{2,}")
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
_MARKUP = re.compile(rb"<[^>]*>")


def guess_codec(body: bytes, language: str = "") -> str:
    """The likeliest codec; windows-1252 when nothing speaks for another."""
    sample = body[:_SAMPLE_BYTES]
    if wide := _sixteen_bit(sample):
        return wide
    tongue = language.lower().replace("_", "-").partition("-")[0]
    habit = _CODEC_OF_LANGUAGE.get(tongue, _WESTERN)
    if habit not in {_WESTERN, "cp1251"}:
        return habit
    if _is_sparse(sample):
        return habit
    # Cyrillic goes by the letters even where the language is known: it had four encodings.
    named = _EAST_ASIAN_OF_LANGUAGE.get(tongue)
    return _east_asian(sample, named) or _alphabetic(_MARKUP.sub(b" ", sample)) or habit


def _is_sparse(sample: bytes) -> bool:
    """Single letters above ASCII among Latin ones: no alphabet or script of its own."""
    high = len(_HIGH_BYTE.findall(sample))
    in_runs = sum(map(len, _RUN_OF_HIGH_BYTES.findall(sample)))
    return high > 0 and in_runs * 4 < high


def _sixteen_bit(sample: bytes) -> str:
    """UTF-16 without a mark shows in its markup: every other byte of it is zero."""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if (even + odd) * 10 < len(sample) or min(even, odd) * 10 > max(even, odd):
        return ""
    return "utf-16-be" if even > odd else "utf-16-le"


def _east_asian(sample: bytes, codecs: Iterable[str] | None) -> str:
    best, best_share = "", 0.0
    for codec, telling in _EAST_ASIAN:
        if codecs is not None and codec not in codecs:
            continue
        text = sample.decode(codec, "replace")
        wide = sum(1 for character in text if character > "\u02ff")
        if not wide or text.count("\ufffd") * 50 > wide:
            continue
        share = len(telling.findall(text)) / wide
        # A wrong double-byte codec makes ideographs too, but rare ones.
        if share > max(best_share, _LEAST_TELLING):
            best, best_share = codec, share
    return best


def _alphabetic(text: bytes) -> str:
    """The alphabet whose commonest letters are the commonest bytes, if words are high bytes."""
    words = _WORD_OF_HIGH_BYTES.findall(text)
    letters = b"".join(words)
    if len(words) < 3 or len(letters) * 2 < len(_HIGH_BYTE.findall(text)):
        return ""
    best, best_share = "", _LEAST_SHARE
    for codec, common in _ALPHABETS:
        read = letters.decode(codec, "replace")
        share = sum(map(read.count, common)) / len(letters)
        if share > best_share:
            best, best_share = codec, share
    return best


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
