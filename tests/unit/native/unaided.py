"""The geoparser's names by the forms in Python, next to which the kernel is held."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.gazetteer.arrays import ArrayFile
from geoscout_places.gazetteer.automaton import load_automaton
from geoscout_places.gazetteer.schema import arrays_of
from geoscout_places.geo.mentions import (
    NameKnowledge,
    believe,
    binding,
    find,
    kinds_beside,
    recognise,
)


def unaided_knowledge(gazetteer: SqliteGazetteer) -> NameKnowledge:
    """What is known of names, without the kernel."""
    with patch.object(gazetteer, "written_bearers", lambda: None):
        known = NameKnowledge.load(gazetteer)
    file = ArrayFile(arrays_of(gazetteer._file))
    known.search = load_automaton(file.part("automaton"))
    file.close()
    return known


@contextmanager
def without_kernel() -> Iterator[None]:
    """Meanwhile names are recognised and resolved in Python."""
    with ExitStack() as stack:
        for module in (recognise, binding, believe, kinds_beside, find):
            stack.enter_context(patch.object(module, "_kernel", None))
        yield
