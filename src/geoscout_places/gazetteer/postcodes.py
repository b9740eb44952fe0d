"""How postal codes are stored and looked up.

The shipped tables hold only the first part of the codes of some countries, so a look-up tries the
whole code and then shorter forms of it. British codes keep their space: "BT1 5" is a sector of
BT1, "BT15" another district.
"""

from __future__ import annotations

from collections.abc import Iterator

_INWARD = 3  # letters of the second half of a British postcode
# Of Canada the sortation area, of the Netherlands without letters; without the last digits.
_SHORTER = {"CA": 3, "NL": 4, "PT": 4, "US": 5}
_LETTERED = {"LU": "L-"}  # kept with letters that many leave out


def stored_form(country: str, code: str) -> str:
    """The form under which a table's code is kept.

    >>> stored_form("GB", "bt1 5"), stored_form("CA", "m5v 2t6"), stored_form("SE", "114 55")
    ('BT1 5', 'M5V2T6', '11455')
    """
    upper = code.upper()
    return " ".join(upper.split()) if country == "GB" else "".join(upper.split())


def forms(country: str, code: str) -> Iterator[str]:
    """The forms under which a code may be stored, the most precise first.

    >>> list(forms("GB", "BT15GS")), list(forms("US", "90210-1234")), list(forms("LU", "2449"))
    (['BT1 5GS', 'BT1 5', 'BT1'], ['90210-1234', '90210'], ['L-2449'])
    """
    whole = "".join(code.upper().split())
    if country == "GB" and len(whole) > _INWARD + 1:
        outward, inward = whole[:-_INWARD], whole[-_INWARD:]
        yield from (f"{outward} {inward}", f"{outward} {inward[0]}", outward)
        return
    letters = _LETTERED.get(country, "")
    yield whole if whole.startswith(letters) else f"{letters}{whole}"
    if len(whole) > _SHORTER.get(country, len(whole)):
        yield whole[: _SHORTER[country]]
