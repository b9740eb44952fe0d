"""A spaCy component: `nlp.add_pipe("geoscout_places")`.

It reads the text of a document as `Places.read` does and puts the names into the span group
`doc.spans["places"]`: label, and `span._.place` with what the name means. It needs no other
component, so `spacy.blank("xx")` will do. With `resolve=True` it finds no names itself but says
what the entities mean that a component before it has found (labels LOC, GPE, FAC).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spacy.language import Language
from spacy.tokens import Doc, Span

from geoscout_places.library import Places
from geoscout_places.reading import mention_as_json

if TYPE_CHECKING:
    from geoscout_places.model import Mention

_PLACES = ("LOC", "GPE", "FAC")


class PlacesComponent:
    """Adds the places of a text to its document."""

    def __init__(self, places: Places, *, resolve: bool) -> None:
        if not Span.has_extension("place"):
            Span.set_extension("place", default=None)
        self._places = places
        self._resolve = resolve

    def __call__(self, doc: Doc) -> Doc:
        doc.spans["places"] = [self._span(doc, mention) for mention in self._mentions(doc)]
        return doc

    def _mentions(self, doc: Doc) -> list[Mention]:
        if not self._resolve:
            return list(self._places.read(doc.text).mentions)
        given = [(e.start_char, e.end_char) for e in doc.ents if e.label_ in _PLACES]
        return self._places.resolve(doc.text, given)

    @staticmethod
    def _span(doc: Doc, mention: Mention) -> Span:
        span: Span = doc.char_span(
            mention.start, mention.end, label=mention.kind.upper(), alignment_mode="expand"
        )
        span._.place = mention_as_json(mention)
        return span


_factory = Language.factory("geoscout_places", default_config={"resolve": False, "home": ""})


@_factory  # type: ignore[untyped-decorator]  # of spaCy
def create(nlp: Language, name: str, *, resolve: bool, home: str) -> PlacesComponent:  # noqa: ARG001 - spaCy's form
    """The component, as spaCy makes it from its configuration."""
    return PlacesComponent(Places(home=home), resolve=resolve)
