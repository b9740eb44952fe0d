"""What holds for every page, whatever it was made of."""

from itertools import pairwise

from geoscout_places.model import Page


def check_sound(page: Page) -> None:
    """Fail unless the blocks are the text, in order, none empty, with a newline between two."""
    assert page.text == "\n".join(page.text[block.start : block.end] for block in page.blocks)
    assert all(block.start < block.end for block in page.blocks)
    assert all(one.end + 1 == other.start for one, other in pairwise(page.blocks))
    assert all(link.url.startswith(("http://", "https://")) for link in page.links)
