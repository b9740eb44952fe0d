"""What makes a second visit cheap: the marks by which a server tells that a page is unchanged."""

from __future__ import annotations

from dataclasses import dataclass

from geoscout.model import Response


@dataclass(frozen=True, slots=True)
class Validators:
    """The marks of a stored answer; "" where it had none."""

    etag: str = ""
    last_modified: str = ""

    def headers(self) -> dict[str, str]:
        """The header fields that ask for the page only if it changed (status 304 if not).

        Both are sent where both are known; a server uses the tag then (RFC 9110, 13.1.3).
        """
        fields = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in fields.items() if value}


def validators_of(response: Response) -> Validators:
    """The marks an answer carries, for the next visit; what could break a header is left out."""
    found = {"etag": "", "last-modified": ""}
    for name, value in response.headers:
        if name in found and value.isascii() and value.isprintable():
            found[name] = value
    return Validators(found["etag"], found["last-modified"])
