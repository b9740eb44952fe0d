"""The encoding of a page that does not say it and is not UTF-8.

Such pages are old and few, so the guess is small: a hint of the language where there is one, then
the shape of the bytes. Statistics of letters, as browsers and the chardet family keep them, tell
Central European and Turkish pages apart too; we take those for windows-1252 unless the page tells
its language, and in return need no tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

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
