"""Addresses of the United States as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import extract_addresses
from geoscout_places.model import Address
from tests.unit.places.geo.address.reading import Expected, check
from tests.unit.places.geo.address.worlds import small_world

ADDRESSES = [
    (  # a code that the post has given up; those next to it are in the state
        "Department of Information Science\nIrvine, CA 92717",
        Expected(city="Irvine", region="CA", postcode="92717"),
    ),
    (
        "Visit us: 123 Main St (at 5th Ave), Downtown, Springfield, IL 62701",
        Expected(number="123", street="Main St", city="Springfield", region="IL", postcode="62701"),
    ),
    (
        "Suite 400, 1600 Pennsylvania Ave NW\nWashington, D.C. 20500",
        Expected(
            number="1600",
            street="Pennsylvania Ave NW",
            city="Washington",
            region="DC",
            postcode="20500",
        ),
    ),
    (
        "1 Infinite Loop\nCupertino, CA 95014\nUSA",
        Expected(
            number="1", street="Infinite Loop", city="Cupertino", region="CA", postcode="95014"
        ),
    ),
    (
        "Hotel Monaco\n501 Geary Street\nSan Francisco, California 94102",
        Expected(
            number="501", street="Geary Street", city="San Francisco", region="CA", postcode="94102"
        ),
    ),
    (
        "32-15 Astoria Blvd, Astoria, NY 11102",
        Expected(
            number="32-15", street="Astoria Blvd", city="Astoria", region="NY", postcode="11102"
        ),
    ),
    (
        "4500 N US-1, Melbourne, FL 32935",
        Expected(number="4500", street="N US-1", city="Melbourne", region="FL", postcode="32935"),
    ),
    (
        "2100 State Route 9\nLake George, NY 12845",
        Expected(
            number="2100", street="State Route 9", city="Lake George", region="NY", postcode="12845"
        ),
    ),
    (
        "8800 County Road 12, Navarre, OH 44662",
        Expected(
            number="8800", street="County Road 12", city="Navarre", region="OH", postcode="44662"
        ),
    ),
    (
        "5000 FM 1960 West, Houston, TX 77069",
        Expected(
            number="5000", street="FM 1960 West", city="Houston", region="TX", postcode="77069"
        ),
    ),
    (
        "P.O. Box 1234, Madison, WI 53701-1234",
        Expected(street="P.O. Box 1234", city="Madison", region="WI", postcode="53701-1234"),
    ),
    (
        "12-14 Elm Street, Salem, MA 01970",
        Expected(number="12-14", street="Elm Street", city="Salem", region="MA", postcode="01970"),
    ),
    (
        "Department of Computer Science, 1210 West Dayton Street, Madison, WI 53706",
        Expected(
            number="1210",
            street="West Dayton Street",
            city="Madison",
            region="WI",
            postcode="53706",
        ),
    ),
    (
        "4130 Upson Hall\nCornell University\nIthaca, NY 14853",
        Expected(number="4130", street="Upson Hall", city="Ithaca", region="NY", postcode="14853"),
    ),
    (
        "Address\n742 Evergreen Terrace\nSpringfield\nOR\n97477",
        Expected(
            number="742",
            street="Evergreen Terrace",
            city="Springfield",
            region="OR",
            postcode="97477",
        ),
    ),
    (
        "450 South 900 East, Salt Lake City, UT 84102",
        Expected(
            number="450",
            street="South 900 East",
            city="Salt Lake City",
            region="UT",
            postcode="84102",
        ),
    ),
    (
        "W156N8327 Pilgrim Rd, Menomonee Falls, WI 53051",
        Expected(
            number="W156N8327",
            street="Pilgrim Rd",
            city="Menomonee Falls",
            region="WI",
            postcode="53051",
        ),
    ),
    (
        "1234 Peachtree Street NE, Suite 500, Atlanta, GA 30309-1234",
        Expected(
            number="1234",
            street="Peachtree Street NE",
            city="Atlanta",
            region="GA",
            postcode="30309-1234",
        ),
    ),
    (
        "3 bed, 2 bath house at 5618 Maple Grove Ln, Plano, TX 75093 for sale",
        Expected(
            number="5618", street="Maple Grove Ln", city="Plano", region="TX", postcode="75093"
        ),
    ),
    (
        "One Microsoft Way, Redmond, WA 98052",
        Expected(
            number="One", street="Microsoft Way", city="Redmond", region="WA", postcode="98052"
        ),
    ),
    (
        "Our office at 100 Congress Avenue, Austin, Texas is open.",
        Expected(number="100", street="Congress Avenue", city="Austin", region="TX"),
    ),
    (
        "77 Massachusetts Avenue, Cambridge, Mass. 02139",
        Expected(
            number="77",
            street="Massachusetts Avenue",
            city="Cambridge",
            region="MA",
            postcode="02139",
        ),
    ),
    (
        "2000 Avenue of the Stars, Los Angeles, CA 90067",
        Expected(
            number="2000",
            street="Avenue of the Stars",
            city="Los Angeles",
            region="CA",
            postcode="90067",
        ),
    ),
    (
        "350 Fifth Avenue, 34th floor. New York, NY 10118-3299 USA",
        Expected(
            number="350", street="Fifth Avenue", city="New York", region="NY", postcode="10118-3299"
        ),
    ),
    (
        "1500 Broadway\nNew York NY 10036",
        Expected(number="1500", street="Broadway", city="New York", region="NY", postcode="10036"),
    ),
    (
        "55 1/2 Water St., Newburyport, MA",
        Expected(number="55 1/2", street="Water St.", city="Newburyport", region="MA"),
    ),
    (
        "The Hill | 1625 K Street, NW Suite 900 | Washington DC 20006",
        Expected(
            number="1625", street="K Street, NW", city="Washington", region="DC", postcode="20006"
        ),
    ),
    (
        "Mailing address: RR 2 Box 45, Stowe, VT 05672",
        Expected(street="RR 2 Box 45", city="Stowe", region="VT", postcode="05672"),
    ),
    (
        "12000 E. 47th Ave., Denver, CO 80239",
        Expected(
            number="12000", street="E. 47th Ave.", city="Denver", region="CO", postcode="80239"
        ),
    ),
    (
        "300 Alamo Plaza\nSan Antonio, TX 78205-2606",
        Expected(
            number="300",
            street="Alamo Plaza",
            city="San Antonio",
            region="TX",
            postcode="78205-2606",
        ),
    ),
    (
        "4000 Calle Tecate, Camarillo, CA 93012",
        Expected(
            number="4000", street="Calle Tecate", city="Camarillo", region="CA", postcode="93012"
        ),
    ),
    (
        "Apt. 4B, 221 East 10th Street, New York, NY 10003",
        Expected(
            number="221", street="East 10th Street", city="New York", region="NY", postcode="10003"
        ),
    ),
    (
        "1050 Connecticut Ave. N.W., Washington, DC 20036",
        Expected(
            number="1050",
            street="Connecticut Ave. N.W.",
            city="Washington",
            region="DC",
            postcode="20036",
        ),
    ),
    (
        "700 Hwy 71 W, Bastrop, TX 78602",
        Expected(number="700", street="Hwy 71 W", city="Bastrop", region="TX", postcode="78602"),
    ),
    (
        "Located at 1201 S. Figueroa St. in Los Angeles, CA 90015.",
        Expected(
            number="1201",
            street="S. Figueroa St.",
            city="Los Angeles",
            region="CA",
            postcode="90015",
        ),
    ),
    (
        "123 Main Street\nAnytown\nPhiladelphia, PA 19103",
        Expected(
            number="123", street="Main Street", city="Philadelphia", region="PA", postcode="19103"
        ),
    ),
    (
        "Street: 10 Park Pl\nCity: Newark\nState: NJ\nZip: 07102",
        Expected(number="10", street="Park Pl", city="Newark", region="NJ", postcode="07102"),
    ),
    (
        "600 Dexter Ave N\nSeattle WA  98109",
        Expected(
            number="600", street="Dexter Ave N", city="Seattle", region="WA", postcode="98109"
        ),
    ),
    (
        "1000 5th Ave, New York, NY 10028, United States",
        Expected(number="1000", street="5th Ave", city="New York", region="NY", postcode="10028"),
    ),
    (
        "5801 S. Ellis Ave. Chicago, Illinois 60637",
        Expected(
            number="5801", street="S. Ellis Ave.", city="Chicago", region="IL", postcode="60637"
        ),
    ),
    (
        "2211 NORTH FIRST STREET, SAN JOSE, CALIFORNIA 95131",
        Expected(
            number="2211",
            street="NORTH FIRST STREET",
            city="SAN JOSE",
            region="CA",
            postcode="95131",
        ),
    ),
    (
        "1 Hacker Way, Bldg 10, Menlo Park, CA 94025",
        Expected(number="1", street="Hacker Way", city="Menlo Park", region="CA", postcode="94025"),
    ),
    (
        "MLS# 123456 | 12 Oak Ln | Dallas | TX | 75201",
        Expected(number="12", street="Oak Ln", city="Dallas", region="TX", postcode="75201"),
    ),
    (
        "$450,000\n3bd 2ba 1,500 sqft\n123 Main St, Denver, CO 80202",
        Expected(number="123", street="Main St", city="Denver", region="CO", postcode="80202"),
    ),
    (
        "1234 Elm St #5\nDenver\n,\nCO\n80202",
        Expected(number="1234", street="Elm St", city="Denver", region="CO", postcode="80202"),
    ),
    (
        "Hilton Chicago, 720 South Michigan Avenue, Chicago, Illinois, 60605, United States",
        Expected(
            number="720",
            street="South Michigan Avenue",
            city="Chicago",
            region="IL",
            postcode="60605",
        ),
    ),
    (
        "720 South Michigan Avenue, Chicago, Illinois, USA",
        Expected(number="720", street="South Michigan Avenue", city="Chicago", region="IL"),
    ),
    (
        "Address: 720 South Michigan Ave\nChicago\nIllinois 60605\nUnited States of America",
        Expected(
            number="720", street="South Michigan Ave", city="Chicago", region="IL", postcode="60605"
        ),
    ),
    (
        "123 Main St .\nSpringfield , IL 62701",
        Expected(number="123", street="Main St", city="Springfield", region="IL", postcode="62701"),
    ),
    (
        "123\xa0Main\xa0St,\xa0Springfield,\xa0IL\xa062701",
        Expected(
            number="123", street="Main\xa0St", city="Springfield", region="IL", postcode="62701"
        ),
    ),
    (
        "12 Court St., Brooklyn NY 11201",
        Expected(number="12", street="Court St.", city="Brooklyn", region="NY", postcode="11201"),
    ),
    (
        "500 W. 7th St., Ft. Worth, Texas 76102",
        Expected(
            number="500", street="W. 7th St.", city="Ft. Worth", region="TX", postcode="76102"
        ),
    ),
    (
        "200 W Main Ave, Coeur d'Alene, ID 83814",
        Expected(
            number="200", street="W Main Ave", city="Coeur d'Alene", region="ID", postcode="83814"
        ),
    ),
    (
        "18 S Miller Rd, Lake in the Hills, IL 60156",
        Expected(
            number="18",
            street="S Miller Rd",
            city="Lake in the Hills",
            region="IL",
            postcode="60156",
        ),
    ),
    (
        "601 N. Trade St., Winston-Salem, N.C. 27101",
        Expected(
            number="601", street="N. Trade St.", city="Winston-Salem", region="NC", postcode="27101"
        ),
    ),
    (
        "1600 Pennsylvania Ave NW, Washington, DC",
        Expected(number="1600", street="Pennsylvania Ave NW", city="Washington", region="DC"),
    ),
    (
        "Street Address\n123 Main St\nCity\nSpringfield\nState\nIL\nZip Code\n62701",
        Expected(number="123", street="Main St", city="Springfield", region="IL", postcode="62701"),
    ),
    (
        "123 Main Street | Suite 100 | Springfield, IL 62701",
        Expected(
            number="123", street="Main Street", city="Springfield", region="IL", postcode="62701"
        ),
    ),
    (
        "123 Main St\nMap & Directions\nSpringfield, IL 62701",
        Expected(number="123", street="Main St", city="Springfield", region="IL", postcode="62701"),
    ),
    (
        "Find us at 4455 Genesee Street, Building 6, Cheektowaga NY 14225 or call",
        Expected(
            number="4455",
            street="Genesee Street",
            city="Cheektowaga",
            region="NY",
            postcode="14225",
        ),
    ),
    (
        "Store #1234\n1901 W Madison St\nPhoenix, AZ 85009-5231",
        Expected(
            number="1901", street="W Madison St", city="Phoenix", region="AZ", postcode="85009-5231"
        ),
    ),
    (
        "Holiday Inn Express\n7555 Hwy 1 South\nAlexandria, VA 22306",
        Expected(
            number="7555", street="Hwy 1 South", city="Alexandria", region="VA", postcode="22306"
        ),
    ),
    (
        "2 Penn Plaza, 15th Floor, New York, NY, 10121",
        Expected(number="2", street="Penn Plaza", city="New York", region="NY", postcode="10121"),
    ),
    (
        "10 Lincoln Center Plaza (Columbus Avenue at 63rd Street), New York, NY 10023",
        Expected(
            number="10",
            street="Lincoln Center Plaza",
            city="New York",
            region="NY",
            postcode="10023",
        ),
    ),
    (
        "The school is located at 700 East Washington Street in Bloomington, Illinois.",
        Expected(number="700", street="East Washington Street", city="Bloomington", region="IL"),
    ),
    (
        "18000 Studebaker Rd. Ste. 700\nCerritos, CA 90703",
        Expected(
            number="18000", street="Studebaker Rd.", city="Cerritos", region="CA", postcode="90703"
        ),
    ),
    (
        "Corporate Headquarters: One Dell Way, Round Rock, Texas 78682",
        Expected(number="One", street="Dell Way", city="Round Rock", region="TX", postcode="78682"),
    ),
    (
        "1111 S. Figueroa, Los Angeles, CA 90015",
        Expected(
            number="1111", street="S. Figueroa", city="Los Angeles", region="CA", postcode="90015"
        ),
    ),
    (
        "3799 Las Vegas Blvd South\nLas Vegas NV 89109",
        Expected(
            number="3799",
            street="Las Vegas Blvd South",
            city="Las Vegas",
            region="NV",
            postcode="89109",
        ),
    ),
    (
        "East Hall, 530 Church St, Ann Arbor, MI 48109-1043",
        Expected(
            number="530", street="Church St", city="Ann Arbor", region="MI", postcode="48109-1043"
        ),
    ),
    (
        "33 W. Monroe, Suite 1540, Chicago, IL 60603",
        Expected(number="33", street="W. Monroe", city="Chicago", region="IL", postcode="60603"),
    ),
    (
        "1 World Way, Los Angeles, CA 90045",
        Expected(number="1", street="World Way", city="Los Angeles", region="CA", postcode="90045"),
    ),
    (
        "100 Universal City Plz, Universal City, CA 91608",
        Expected(
            number="100",
            street="Universal City Plz",
            city="Universal City",
            region="CA",
            postcode="91608",
        ),
    ),
    (
        "Main Campus: 4202 E. Fowler Ave., Tampa, Fla. 33620",
        Expected(
            number="4202", street="E. Fowler Ave.", city="Tampa", region="FL", postcode="33620"
        ),
    ),
    (
        "2500 Victory Ave.\nDallas,TX 75219",
        Expected(
            number="2500", street="Victory Ave.", city="Dallas", region="TX", postcode="75219"
        ),
    ),
    (
        "Get directions\n8 N Queen St, 4th Fl\nLancaster, PA",
        Expected(number="8", street="N Queen St", city="Lancaster", region="PA"),
    ),
    (
        "45-10 Court Sq W, Long Island City, NY 11101",
        Expected(
            number="45-10",
            street="Court Sq W",
            city="Long Island City",
            region="NY",
            postcode="11101",
        ),
    ),
    (
        "6360 NW 5th Way, Fort Lauderdale, FL 33309",
        Expected(
            number="6360",
            street="NW 5th Way",
            city="Fort Lauderdale",
            region="FL",
            postcode="33309",
        ),
    ),
    (
        "9275 NE 48th Ct Apt 105, Lighthouse Point FL 33064",
        Expected(
            number="9275",
            street="NE 48th Ct",
            city="Lighthouse Point",
            region="FL",
            postcode="33064",
        ),
    ),
    (
        "20353 W 7 Mile Rd, Detroit, MI 48219",
        Expected(
            number="20353", street="W 7 Mile Rd", city="Detroit", region="MI", postcode="48219"
        ),
    ),
    (
        "4411 Stone Way North, Seattle, King County, Washington 98103",
        Expected(
            number="4411",
            street="Stone Way North",
            city="Seattle",
            region="WA",
            postcode="98103",
        ),
    ),
    (
        "Calle Marina 250, San Juan, Puerto Rico 00901",
        Expected(
            number="250", street="Calle Marina", city="San Juan", region="PR", postcode="00901"
        ),
    ),
    (
        "P.O. Box 29194, San Juan, PR 00929",
        Expected(street="P.O. Box 29194", city="San Juan", region="PR", postcode="00929"),
    ),
    (
        "245 Gun Beach Road, Tumon, Guam 96913",
        Expected(
            number="245", street="Gun Beach Road", city="Tumon", region="GU", postcode="96913"
        ),
    ),
    (
        "1303 Hospital Ground, Suite 10, Charlotte Amalie, St. Thomas, VI 00802",
        Expected(
            number="1303",
            street="Hospital Ground",
            city="St. Thomas",
            region="VI",
            postcode="00802",
        ),
    ),
    (
        "Where: 1717 Broadway\nWhen: 8 pm\nOakland, CA 94612",
        Expected(number="1717", street="Broadway", city="Oakland", region="CA", postcode="94612"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_address_is_read(text: str, expected: Expected, gazetteer: SqliteGazetteer) -> None:
    check(text, "US", expected, gazetteer)


WORLD: Gazetteer = small_world()


def _read(text: str) -> Address:
    (address,) = extract_addresses(text, WORLD, countries=["US"])
    return address


@pytest.mark.parametrize(
    ("text", "number", "street", "unit"),
    [
        ("47 Birch St", "47", "Birch St", ""),
        ("949 Burnt Hickory Dr, SW", "949", "Burnt Hickory Dr, SW", ""),
        ("4810 Crystal Lake Road, Unit C-D", "4810", "Crystal Lake Road", "Unit C-D"),
        ("4004 OCEAN FRONT APT 410", "4004", "OCEAN FRONT", "APT 410"),
    ],
)
def test_street_alone_is_read(text: str, number: str, street: str, unit: str) -> None:
    address = _read(text)

    assert (address.house_number, address.street, address.unit) == (number, street, unit)


@pytest.mark.parametrize(
    ("text", "city", "region"),
    [
        ("12 oak st springfield or", "springfield", "OR"),
        ("12 Oak St, Springfield", "Springfield", "IL"),
        ("12 Oak St Springfield", "Springfield", ""),
    ],
)
def test_town_behind_the_street_is_read(text: str, city: str, region: str) -> None:
    address = _read(text)

    assert (address.street.lower(), address.city, address.region) == ("oak st", city, region)


@pytest.mark.parametrize("text", ["12 Oak", "12 Monkeys on Main Street today", "Oak St"])
def test_other_lines_are_no_address(text: str) -> None:
    assert extract_addresses(text, WORLD, countries=["US"]) == []
