"""Lines that look like addresses and are none. A false address costs more than a missed one."""

import pytest

from geoscout_places.geo.address import extract_addresses

_BEFORE = "A text that is certainly not a single short line and has no address in it at all.\n" * 2
FALSE_FRIENDS = [
    "In 2019 Boston, MA saw 12 new restaurants.",
    "12 Reviews\nAustin, TX restaurants",
    "She was born in 1998 in Springfield, Illinois and moved to Portland, OR in 2010.",
    "Auf Platz 1, Berlin auf Platz 2, Hamburg auf Platz 3.",
    "Am 26. Oktober 2023 Wien empfängt Gäste aus 5020 Orten.",
    "Im Jahr 2020 Hollabrunn gegen Stockerau 3:1",
    "Der Preis liegt bei 12345 Euro, 10000 Menschen kamen.",
    "Version A1 2BC of the file, code B12 3CD",
    "Order 12345 Main items, CA and NY",
    "He lived at 5 different houses in Dallas, TX",
    "The 2016 Ford Focus, Denver, CO, low miles",
    "Call 1-800-555-1234, Houston, TX",
    "Highway 61 Revisited was recorded in New York, NY 1965",
    "Le 14 juillet 1789 Paris se souleva, 25000 Parisiens",
    "10 Things to do in Chicago, IL",
    "Top 25 Restaurants, Miami, FL",
    "3 Bedrooms, 2 Baths, Tampa, FL",
    "May 12 2014, Portland, OR",
    "5 stars Hotel California, Los Angeles, CA",
    "Joe Smith, 34, Dallas, TX won the 2019 Marathon Way race",
    "The 25th Street Band played in Austin, Texas",
    "Flight 1234 Dallas, TX to Houston, TX",
    "Route 66 runs through Tulsa, OK 1926-1985",
    "In 1776 Congress met in Philadelphia, PA.",
    "13 Hours: The Secret Soldiers, Boston, MA 02111x",
    "ISBN 12345 Berlin Verlag",
    "Sie gewannen 2:1 in der 80331. Minute München",
    "Seit 2003 Bern, 2010 Basel",
    "1000 Lausanne fans, 2000 Neuchâtel fans came",
    "La Bundesstraße 12, München und die A9",
    "au 14 juillet 75001 Parisiens",
    "Model BT1 1GB RAM and DDR3 2GB",
    "M1 1AA batteries and AA1 1AA codes",
    "Room 12, Building 5, Oxford",
    "version H3B 4W8 build",
    "9 out of 10 Drive, Austin, TX",
    "Top 10 Places, San Francisco, CA",
    "Copyright 2005 Street Smart, Chicago, IL",
    "5 Guys Way, said Bob. Chicago, IL is nice",
    "2017 South By Southwest, Austin, Texas",
    "She came in 1949, via the port of Boston, Massachusetts",
    "Mon. 9/3 - Thurs. 9/5, 4 and 6 PM, CS1221\nMon. 9/9",
    "En 2019 1000 Bruxelles manifestants, 3000 Leuven students",
    "In 1150 Oslo did not exist; 0150 is a number",
    "The 9000 Gent supporters of Chapter 5",
    "Copa 2010 Madrid, Copa 2011 Barcelona, 28 goals",
    "Room 12, Milano 20121 is not written like this",
    "11-042 items, 50-370 Euro",
    "He was born in Trim, County Meath, Ireland.",
    "Summer Hill, New South Wales\n2007\n2011",
    "Sydney, 2000\nAthens, 2004",
    "Wellington beat Auckland 2014 in the last match of Auckland, 2016",
    "Dublin 4\nCork 2",
    "Pretoria 1900\nDurban 1899",
    "Mumbai 400001 visitors, 560001 in Bengaluru",
    "Model D02 AF30 of Cork",
    "Call Tokyo 555-1234 or Kyoto Grill 606-8501",
    "We drove 8 Mile Road, Detroit, Michigan",
    "Fall 1996\nMIT, 1981\nPerth 1987",
    "A budget of 97000 Mérida residents, 64000 Monterrey fans",
    "Serial 01310-100 of São Tomé",
]


@pytest.mark.parametrize("text", FALSE_FRIENDS)
def test_false_friend_is_not_an_address(text, gazetteer):
    assert extract_addresses(_BEFORE + text, gazetteer) == []


@pytest.mark.parametrize(
    "headline",
    ["88 Billion Dollar Highway Bill Passed", "12 Monkeys", "10 or 15 percent", "5 Stars", "2010"],
)
def test_headline_alone_is_not_an_address(headline, gazetteer):
    assert extract_addresses(headline, gazetteer) == []
