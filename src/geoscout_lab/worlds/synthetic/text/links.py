"""From sketches to the links a parser would find in the page, without the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from geoscout_lab.worlds.synthetic.text.layouts import Frame, Layout
from geoscout_lab.worlds.synthetic.text.sketch import LinkSketch, Sketch, Zone
from geoscout_places.model import Link

_WINDOW = 25  # tokens, as in the links of `geoscout_places.parse`


def links_of(
    sketches: Sequence[Sketch], layout: Layout, url: Callable[[int], str], foot: str
) -> list[Link]:
    """The links in the order of the page; `foot` is the text behind those at its foot."""
    links: list[Link] = []
    for zone, group in groupby(sketches, key=_zone):
        frame = layout.frames[zone]
        if frame.is_line:
            links += _links_in_line(list(group), frame, url, foot if zone is Zone.FOOT else "")
        else:
            links += [
                _link(sketch.anchor, frame, url, _last(sketch.before), _first(sketch.after))
                for sketch in group
            ]
    return links


def _zone(sketch: Sketch) -> Zone:
    return sketch.zone


def _links_in_line(
    sketches: Sequence[Sketch], frame: Frame, url: Callable[[int], str], end: str
) -> Iterator[Link]:
    """Links that share one block see each other's words."""
    texts = [sketch.anchor.text for sketch in sketches]
    for number, sketch in enumerate(sketches):
        before = "".join(text + frame.between for text in texts[:number])
        after = "".join(frame.between + text for text in texts[number + 1 :]) + end
        yield _link(sketch.anchor, frame, url, _last(before), _first(after))


def _last(text: str) -> str:
    return " ".join(text.split()[-_WINDOW:]) if text else ""


def _first(text: str) -> str:
    return " ".join(text.split(None, _WINDOW)[:_WINDOW]) if text else ""


def _link(
    anchor: LinkSketch, frame: Frame, url: Callable[[int], str], before: str, after: str
) -> Link:
    return Link(
        url=url(anchor.target),
        anchor=anchor.text,
        title=anchor.title,
        rel=(anchor.relation,) if anchor.relation else (),
        alt=anchor.alternative,
        before=before,
        after=after,
        tag_path=frame.path,
        part=frame.part,
    )
