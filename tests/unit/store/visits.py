"""Visits made up for the tests of the store."""

from geoscout.store.base import Visit
from geoscout_places.model import (
    Address,
    Kind,
    Link,
    Mention,
    MentionKind,
    Page,
    Part,
    Place,
    Point,
    Precision,
    Reading,
    Request,
    Response,
    ScopePlace,
)

USA = Place(1, "United States", Kind.COUNTRY, Point(39.8, -98.6), "US")
TEXAS = Place(2, "Texas", Kind.REGION, Point(31.3, -99.3), "US", parent=1)
AUSTIN = Place(3, "Austin", Kind.CITY, Point(30.27, -97.74), "US", population=900_000, parent=2)
PARIS = Place(4, "Paris", Kind.CITY, Point(48.86, 2.35), "FR", population=2_100_000)
ADDRESS = Address(
    start=4, end=31, text="12 Main St, Austin, TX 78701", house_number="12", street="Main St",
    unit="", city="Austin", region="TX", postcode="78701", country="US",
    point=Point(30.268, -97.742), place=AUSTIN, source="text", precision=Precision.POSTCODE,
)  # fmt: skip
READING = Reading(
    addresses=(ADDRESS,),
    mentions=(
        Mention(0, 6, "Austin", MentionKind.PLACE, AUSTIN, confidence=0.6),
        Mention(9, 15, "Austin", MentionKind.PLACE, AUSTIN, confidence=0.9),
        Mention(20, 25, "Paris", MentionKind.PLACE, PARIS, confidence=0.4),
        Mention(30, 35, "Xyzzy", MentionKind.PLACE, None, confidence=0.1),
    ),
    points=((Point(30.0, -97.0), "meta"),),
    scope=(ScopePlace(AUSTIN, (USA, TEXAS, AUSTIN), 0.8),),
)
LINK = Link(
    url="http://a.example/next", anchor="Next", title="The next page", rel=("nofollow",),
    alt="an arrow", before="see the", after="of them", tag_path="body/p/a", part=Part.MAIN,
)  # fmt: skip


def respond(url: str, body: bytes = b"<p>Hello", status: int = 200, at: float = 1e9) -> Response:
    """An answer of a server."""
    headers = (("content-type", "text/html"), ("x-served-by", "fake"))
    return Response(url, status, headers, body, "192.0.2.1", fetched_at=at, seconds=0.25)


def visit(url: str, body: bytes = b"<p>Hello", status: int = 200) -> Visit:
    """A visit of a page with a link and everything a reading can have; of none unless 200."""
    request = Request(url, priority=0.5, depth=2, distance=1, parent="http://a.example/")
    if status != 200:
        return Visit(request, respond(url, body, status))
    page = Page(url, "A title", "en", "Hello", (), links=(LINK,))
    return Visit(
        request, respond(url, body), page, READING, relevant=True, simhash=2**64 - 5, degree=0.75
    )
