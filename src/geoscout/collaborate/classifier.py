"""By a text classifier: all links of a page go to the node of the city its words speak of.

The classes are the owned cities and "none" (G-7), so that the measures of locality have a city to
compare; with `classes=nodes` the model is trained on nodes instead. The model comes with the aim:
see `text_classifier.py` for how one is trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from geoscout.collaborate.base import (
    ClaimingCollaboration,
    Collaboration,
    CollaborationAim,
    CollaborationTraits,
    Origin,
)
from geoscout.collaborate.policy import Claim, Claims, CollaborationOptions, Policy, best_place
from geoscout.collaborate.text_classifier import NONE, TextClassifier
from geoscout_places.errors import UsageError
from geoscout_places.model import Link
from geoscout_places.plugins import read_options, setting

_REMEMBERED = 16  # texts: a page is asked about for its links and again for its label
_MOST_CLAIMS = 10  # under policy B; the rest have no weight worth a download


@dataclass(frozen=True, slots=True)
class ClassifierOptions(CollaborationOptions):
    """When a class is believed."""

    least: float = setting(0.0, "the posterior a city needs; below it a page is of no city")


def create(aim: CollaborationAim) -> Collaboration:
    """The collaboration that classifies pages.

    Raises:
        UsageError: no model was handed in.
    """
    options = read_options("classifier", ClassifierOptions, aim.options)
    if aim.model is None:
        raise UsageError("collaboration 'classifier' needs a trained model as classifier")
    return ByClassifier(aim, aim.model, options)


class ByClassifier(ClaimingCollaboration):
    """The class of a page."""

    traits = CollaborationTraits(reads_links=False)

    def __init__(
        self, aim: CollaborationAim, model: TextClassifier, options: ClassifierOptions
    ) -> None:
        super().__init__(aim.partition, Policy(aim.partition, options))
        self._model = model
        self._least = options.least
        self._many = options.policy == "B"
        self._claims = lru_cache(_REMEMBERED)(self._claim)

    def claims(self, origin: Origin, links: Sequence[Link]) -> Sequence[Claims]:
        return [self._claims(origin.page.text)] * len(links)

    def label(self, origin: Origin) -> int:
        return best_place(self._claims(origin.page.text))

    def _claim(self, text: str) -> Claims:
        """The likely cities; none when "none" is likelier than each of them."""
        ranked = self._model.classify(text, _MOST_CLAIMS if self._many else 1)
        if ranked[0][0] == NONE or ranked[0][1] < self._least:
            return ()
        return [Claim(place, share) for place, share in ranked if place != NONE and share > 0]
