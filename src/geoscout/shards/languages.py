"""Codes of languages in three letters, as archives and the Open Web Index have them."""

from __future__ import annotations

# ISO 639-1 and 639-3. Of other languages the code stays as the page has it.
_THREE = dict(
    pair.split(":")
    for pair in (
        "ar:ara bg:bul bs:bos ca:cat cs:ces cy:cym da:dan de:deu el:ell en:eng es:spa et:est"
        " eu:eus fa:fas fi:fin fr:fra ga:gle gl:glg he:heb hi:hin hr:hrv hu:hun id:ind is:isl"
        " it:ita ja:jpn ko:kor lb:ltz lt:lit lv:lav mk:mkd mt:mlt nb:nob nl:nld nn:nno no:nor"
        " pl:pol pt:por ro:ron ru:rus sk:slk sl:slv sq:sqi sr:srp sv:swe th:tha tr:tur uk:ukr"
        " vi:vie zh:zho"
    ).split()
)


def three_letters(language: str) -> str | None:
    """The code of three letters for what a page says of its language; None for nothing.

    >>> three_letters("de-AT"), three_letters("")
    ('deu', None)
    """
    code = language.partition("-")[0].lower()
    return _THREE.get(code, code) or None
