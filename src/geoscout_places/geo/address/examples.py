"""An address of each country, read before a crawl begins.

Reading compiles the patterns of a country and opens the tables it needs. Processes that are forked
afterwards share both, so what a crawl will meet is read before the fork: the countries of its
region.
"""

from __future__ import annotations

from collections.abc import Collection

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address.extract import extract_addresses
from geoscout_places.model import Address

# With a door where people write one, for it has patterns of its own.
EXAMPLES = {
    "AT": "Schwindgasse 14, Top 6\n1040 Wien",
    "AU": "Level 5/123 Pitt St\nSydney NSW 2000",
    "BE": "Wetstraat 16 bus 3\n1000 Brussel",
    "BR": "Av. Paulista, 1578 - Bela Vista\nSão Paulo - SP, 01310-200",
    "CA": "365 Bloor St East, Suite 1600\nToronto, ON M4W 3L4",
    "CH": "Bahnhofstrasse 5\nCH-8001 Zürich",
    "CZ": "Národní 9\n110 00 Praha",
    "DE": "Gasthaus Adler\nHauptstr. 5, Hinterhaus\n10117 Berlin",
    "DK": "Vesterbrogade 4 A, 2. tv.\n1620 København",
    "ES": "Calle Mayor, 5, 3º B\n28013 Madrid",
    "FI": "Mannerheimintie 12 B\n00100 Helsinki",
    "FR": "12 bis, rue de la Paix, Bâtiment B\n75002 Paris",
    "GB": "Unit 5, 71-75 Shelton Street\nLondon WC2H 9JQ",
    "HR": "Ilica 10\n10000 Zagreb",
    "HU": "1051 Budapest, Nádor utca 11",
    "IE": "8 Hanover Quay\nDublin 2\nD02 DP23",
    "IN": "No. 14, Vedavinayagar Street, Avadi\nChennai - 600054",
    "IT": "Via Giuseppe Garibaldi n. 42\n20121 Milano (MI)",
    "JP": "1-2-3 Shibuya, Shibuya-ku\nTokyo 150-0002, Japan",
    "LI": "Städtle 5\n9490 Vaduz",
    "LU": "12, rue de la Gare\nL-1611 Luxembourg",
    "MX": "Av. Insurgentes Sur 1234, Col. Del Valle\nC.P. 03100, Ciudad de México",
    "NL": "Damrak 1-5\n1012 LG Amsterdam",
    "NO": "Storgata 10 B\n0155 Oslo",
    "NZ": "Level 10, 120 Albert Street\nAuckland 1010",
    "PL": "ul. Marszałkowska 12/5\n00-624 Warszawa",
    "PT": "Rua Augusta, 100, 2.º Esq.\n1100-053 Lisboa",
    "SE": "Storgatan 14\n114 55 Stockholm",
    "SI": "Slovenska cesta 10\n1000 Ljubljana",
    "SK": "Hlavná 5\n811 01 Bratislava",
    "US": "123 N. Main St, Suite 5\nSpringfield, IL 62701",
    "ZA": "23 Long Street\nCape Town, 8001",
}


def read_examples(gazetteer: Gazetteer, countries: Collection[str]) -> list[Address]:
    """Read the examples of these countries, as far as there are any."""
    texts = (EXAMPLES[country] for country in sorted(EXAMPLES) if country in countries)
    return [address for text in texts for address in extract_addresses(text, gazetteer)]
