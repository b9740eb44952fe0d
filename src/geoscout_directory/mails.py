"""Mail addresses of a text, also those that are written so that machines miss them."""

from __future__ import annotations

import re

_AT = r"(?:@|\s?[\[({<]\s?(?:at|ät|@)\s?[\])}>]\s?|\s(?:at|AT)\s(?=[\w-]+\s?[\[({]))"
_DOT = r"(?:\.|\s?[\[({<]\s?(?:dot|punkt|\.)\s?[\])}>]\s?)"
_MAIL = re.compile(
    rf"(?<![\w.+-])([A-Za-z0-9][\w.+-]{{0,63}}){_AT}((?:[A-Za-z0-9-]{{1,63}}{_DOT}){{1,4}}[A-Za-z]{{2,18}})(?![\w@-])",
    re.IGNORECASE,
)
_DOTS = re.compile(_DOT, re.IGNORECASE)
# Names of pictures for screens with more dots, and what forms show as an example.
_NO_HOST = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|css|js)$|^(?:example|domain|email|mail)\.\w+$")


def find_mails(text: str, start: int = 0, end: int | None = None) -> list[str]:
    """The mail addresses in a part of a text, in lower case, each once.

    >>> find_mails("Write to info [at] inn.example or to Post@Inn.Example")
    ['info@inn.example', 'post@inn.example']
    >>> find_mails("look at photo@2x.png")
    []
    """
    part = text[start:end]
    if "@" not in part and "at" not in part.lower() and "ät" not in part:
        return []
    return list(dict.fromkeys(filter(None, (_plain(m) for m in _MAIL.finditer(part)))))


def _plain(match: re.Match[str]) -> str:
    host = _DOTS.sub(".", match[2]).lower()
    if _NO_HOST.search(host):
        return ""
    return f"{match[1].lower().rstrip('.')}@{host}"
