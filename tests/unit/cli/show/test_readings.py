"""Documents as the command reads them."""

from geoscout.cli.show.readings import TextReader
from tests.unit.places.geo.address.worlds import small_world


def test_command_reads_strictly_if_told():
    denying = small_world(streets={"New York": ["Broadway", "Unicorn"]})
    content = b"Visit us: 123 Nonexistent Avenue, New York, NY 10036"

    lenient = TextReader(denying).document(content, html=False)
    strict = TextReader(denying, strict_streets=True).document(content, html=False)

    assert len(lenient.found.reading.addresses) == 1
    assert strict.found.reading.addresses == ()
