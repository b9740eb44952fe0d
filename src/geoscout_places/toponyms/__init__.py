"""What all who read place names share, below the stages.

| module | has |
|---|---|
| `short_texts.py` | names of the gazetteer in URLs, anchors and other short texts |
| `geowordnet.py` | the names of GeoWordNet, for the same |
| `finding.py` | a few given names in any text, and the places that bear a name |
| `segmentation.py` | cuts words that are run together, as in host names |
| `words.py` | which names are also words or names of people, and how often, language by language |

The stages add what is their own: geo its model of belief, strategy the view from the region,
collaborate the cities that nodes own, search the prepositions and the pages of the index. The
automaton over all names, and the form that names and texts have for it, belong to the gazetteer,
which is compiled with them; the stages take both from here. `short_texts` is imported by its own
name, because it needs the reading of URLs, which the geoparser does without.
"""

from geoscout_places.gazetteer.automaton import NameSearch, capitalised, heads, line_names, sight
from geoscout_places.toponyms.finding import (
    HomeArea,
    NameFinder,
    are_nested,
    forms_of_folded,
    is_code,
    is_first_bearer,
    proper_bearers,
    qualified_bearers,
    region_among,
    view_of,
)
from geoscout_places.toponyms.words import (
    NOT_NOUN,
    NOUN,
    NOUN_AND_PLACE,
    ORDINARY,
    TOWN_IMPORTANCE,
    UNKNOWN,
    WordFrequencies,
    WordUse,
    digit_count,
    expected_frequency,
    frequency_digit,
    lower_case,
    read_word_frequencies,
    read_words,
)

__all__ = [
    "NOT_NOUN",
    "NOUN",
    "NOUN_AND_PLACE",
    "ORDINARY",
    "TOWN_IMPORTANCE",
    "UNKNOWN",
    "HomeArea",
    "NameFinder",
    "NameSearch",
    "WordFrequencies",
    "WordUse",
    "are_nested",
    "capitalised",
    "digit_count",
    "expected_frequency",
    "forms_of_folded",
    "frequency_digit",
    "heads",
    "is_code",
    "is_first_bearer",
    "line_names",
    "lower_case",
    "proper_bearers",
    "qualified_bearers",
    "read_word_frequencies",
    "read_words",
    "region_among",
    "sight",
    "view_of",
]
