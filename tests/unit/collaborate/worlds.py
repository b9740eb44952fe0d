"""A few American cities as of 2006, and what is needed to assign links to nodes that own them."""

from geoscout.collaborate import CollaborationAim, Node, Origin, Partition
from geoscout_places.model import Kind, Link, Page, Place, Point
from tests.fakes import FakeGazetteer


def place(id: int, name: str, parent: int, population: int = 0, kind: Kind = Kind.CITY) -> Place:
    point = Point(30 + id % 17, -80 - id % 23)
    return Place(
        id, name, kind, point, "US", population=population, timezone="America/Denver", parent=parent
    )


USA = place(1, "United States", 0, kind=Kind.COUNTRY)
STATES = {
    name: place(10 + number, name, 1, kind=Kind.REGION)
    for number, name in enumerate(
        ["Arizona", "California", "New York", "Georgia", "Missouri", "Kansas", "Washington"]
    )
}
GLENDALE_AZ = place(101, "Glendale", STATES["Arizona"].id, 244_734)
GLENDALE_CA = place(102, "Glendale", STATES["California"].id, 204_747)
MESA = place(103, "Mesa", STATES["Arizona"].id, 447_541)
SAN_FRANCISCO = place(104, "San Francisco", STATES["California"].id, 744_041)
ALBANY_NY = place(105, "Albany", STATES["New York"].id, 93_963)
ALBANY_GA = place(106, "Albany", STATES["Georgia"].id, 75_335)
NEW_YORK = place(107, "New York", STATES["New York"].id, 8_214_426)
KANSAS_CITY_MO = place(108, "Kansas City", STATES["Missouri"].id, 441_833)
KANSAS_CITY_KS = place(109, "Kansas City", STATES["Kansas"].id, 143_402)
CITIES = [GLENDALE_AZ, GLENDALE_CA, MESA, SAN_FRANCISCO, ALBANY_NY, ALBANY_GA, NEW_YORK]
CITIES += [KANSAS_CITY_MO, KANSAS_CITY_KS]
CODES = {"Arizona": "AZ", "California": "CA", "New York": "NY", "Georgia": "GA"}
CODES |= {"Missouri": "MO", "Kansas": "KS", "Washington": "WA"}
ALIASES = {STATES[name].id: [code] for name, code in CODES.items()}
ALIASES[SAN_FRANCISCO.id] = ["SF", "San Fran"]
ALIASES[NEW_YORK.id] = ["NYC", "New York City"]

GAZETTEER = FakeGazetteer([USA, *STATES.values(), *CITIES], aliases=ALIASES)
NODES = [
    Node("general"),
    Node("mountain", (GLENDALE_AZ, MESA)),
    Node("pacific", (GLENDALE_CA, SAN_FRANCISCO)),
    Node("eastern", (NEW_YORK, KANSAS_CITY_MO)),
]
PARTITION = Partition(NODES, GAZETTEER)


def aim(**options: str) -> CollaborationAim:
    return CollaborationAim(PARTITION, GAZETTEER, options)


def page(text: str = "", url: str = "http://page.example/", title: str = "") -> Origin:
    return Origin(Page(url, title, "en", text, ()), "general")


def link(
    url: str = "http://link.example/", anchor: str = "", before: str = "", after: str = ""
) -> Link:
    return Link(url, anchor, before=before, after=after, tag_path="body/a")
