"""The triggers of postcodes before a town ("10117 Berlin") and behind one ("Perth 6000").

Countries share these patterns, so that a text is scanned once for each shape of code and not once
for each country. Before a town all of them ask for a capital letter behind the code.
"""

from __future__ import annotations

from geoscout_places.geo.address.base import LONG_NUMBER

# Capital letters of Latin, Greek and Cyrillic script. Between Ā and Ž are small letters, too.
_CAPITAL = "(?=[A-ZÀ-ÞĀ-ŽΆ-ΩЀ-Я])"
_START = rf"{LONG_NUMBER}(?<![0-9])(?<![0-9][.,/-])"
# A comma may stand before five digits, for no group of thousands has as many: "Via Roma 2,00185".
FIVE_DIGITS = rf"{LONG_NUMBER}(?<![0-9])(?<![0-9][./-])[0-9]{{5}}[\s,]{{1,3}}{_CAPITAL}"
# What may be a year has to begin a line, or to follow a separator or a house number. In Norway
# and Portugal codes begin with a zero.
FOUR_DIGITS = (
    rf"{_START}(?:(?!1[89]|20)[0-9]{{4}}[\s,]{{1,3}}"
    rf"|(?:(?<![^\n,|•·–(-])|(?<=[,|•·–(0-9-] ))(?:1[89]|20)[0-9]{{2}} {{1,2}}){_CAPITAL}"
)
# "110 00 Praha", "114 55 Stockholm"
THREE_AND_TWO_DIGITS = rf"{_START}[0-9]{{3}}[ \u00a0][0-9]{{2}}[\s,]{{1,3}}{_CAPITAL}"
# "00-950 Warszawa"
TWO_AND_THREE_DIGITS = rf"(?<![0-9])(?<![0-9][.,/-])[0-9]{{2}}[-–][0-9]{{3}}[\s,]{{1,3}}{_CAPITAL}"
# "1200-109 Lisboa"
FOUR_AND_THREE_DIGITS = rf"{_START}[0-9]{{4}}[-–][0-9]{{3}}[\s,]{{1,3}}{_CAPITAL}"
# "1012 LG Amsterdam"; towns begin in lower case or with an apostrophe, too: "'s-Gravenhage".
FOUR_DIGITS_AND_LETTERS = (
    rf"{_START}[1-9][0-9]{{3}}[ \u00a0]?[A-Z]{{2}}[\s,]{{1,3}}(?:{_CAPITAL}|(?=['’‘`´]|den ))"
)
# "060274 București", "8340457 Santiago"
SIX_OR_SEVEN_DIGITS = rf"{_START}[0-9]{{6,7}}[\s,]{{1,3}}{_CAPITAL}"
# "101 Reykjavík", at the start of a line or behind a comma: three digits are too common otherwise.
THREE_DIGITS = rf"{LONG_NUMBER}(?:(?<![^\n])|(?<=, )|(?<=[A-Z]-))[0-9]{{3}} {_CAPITAL}"
# "Bangkok 10110", "Riga, LV-1050", "Dhaka - 1205"; what may be a year is left out.
BEHIND_TOWN = (
    rf"{LONG_NUMBER}(?!(?:1[5-9]|20)[0-9]{{2}}(?![0-9]))"
    r"(?:(?<=[^\W\d_] )|(?<=[^\W\d_], )|(?<=[^\W\d_][-–])|(?<=[^\W\d_] [-–] )|(?<=[^\W\d_]\n))"
    r"(?:[0-9]{4,7}|[0-9]{3} [0-9]{2})(?![\w%€$£+°/]|[.,-][0-9]| [0-9])"
)
# "Auckland 1010", "Cape Town, 8001", and below a line that ends in a word. The name of a country or
# a label may follow, no other word. What may be a year has to follow New South Wales, or one of the
# cities with such codes at the end of a line: in prose most numbers of four digits are years.
_COUNTRY = "(?:Aus|AUS|New Z|NEW Z|NZ|South A|SOUTH A|RSA)"
_CITY_ENDS = "(?:ckland|CKLAND|esburg|ESBURG|Sydney|SYDNEY|andton|ANDTON)"
FOUR_DIGITS_BEHIND = (
    rf"{LONG_NUMBER}(?<=[A-Za-z.,)]\s)(?<![0-9],\s)(?:(?!1[5-9]|20)[0-9]{{4}}"
    r"|(?<!\n)(?:(?<=NSW\s)|(?<=NSW, )|(?<=N\.S\.W\. )|(?<=Wales )"
    rf"|(?:(?<={_CITY_ENDS} )|(?<={_CITY_ENDS}, )|(?<=, )(?=1[5-7]))(?=[0-9]{{4}}(?:$|[\n\t|]))"
    rf"|(?=[0-9]{{4}},?\s{_COUNTRY}))(?:1[5-9]|20)[0-9]{{2}})"
    rf"(?![\w%]|[.,:/–-][0-9]|-[A-Za-z]| (?!{_COUNTRY}|Tel|TEL|Ph|Fax|FAX|[TPFE]:|[^\w]))"
    r"(?!\s[-–]\s?[0-9]{2,4}\b)"
)
