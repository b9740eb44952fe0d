"""How many digits the postcodes of a country have, where geoscout has no format of its own for it.

Facts of the posts of these countries, compared with the address data of Google's libaddressinput.
Countries without postcodes, and those whose codes begin like British ones, are not here.
"""

from __future__ import annotations

from collections.abc import Mapping

_BY_LENGTH = {
    3: "FO IS MG",
    4: "AF AL AM AZ BD BG CV CY ET GE GL GW LB LR LV MD MK MZ NE PH PY SJ TN VE",
    5: """
        AX BA BT CR CU DO DZ EE EG GR GT HN ID IL IQ JO KE KH KR KW LA LK LT MA ME MM MN MU MV MY
        NI NP PE PK RS SA SD SM SN TH TR TZ UA UY VA VN XK ZM
    """,
    6: "BY CN CO EC KG KH KZ NG RO RU SG TJ TM UZ VN",
    7: "CL IL",
}
# Letters that people write before the code, other than the code of the country.
PREFIXES: Mapping[str, str] = {
    "EST": "EE",
    "SRB": "RS",
    "BIH": "BA",
    "MNE": "ME",
    "RUS": "RU",
    "KWT": "KW",
}
LENGTHS: Mapping[str, frozenset[int]] = {
    country: frozenset(n for n, some in _BY_LENGTH.items() if country in some.split())
    for countries in _BY_LENGTH.values()
    for country in countries.split()
}
