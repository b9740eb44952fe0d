import pytest

from geoscout_places.library import Places

spacy = pytest.importorskip("spacy")


def test_the_component_marks_the_places_of_a_text(gazetteer):
    from geoscout_places.spacy import PlacesComponent  # noqa: PLC0415

    doc = PlacesComponent(Places(gazetteer), resolve=False)(spacy.blank("xx")("We left Lisbon."))

    assert [(s.text, s._.place["country"]) for s in doc.spans["places"]] == [("Lisbon", "PT")]


def test_the_component_says_what_entities_mean(gazetteer):
    from geoscout_places.spacy import PlacesComponent  # noqa: PLC0415

    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "GPE", "pattern": "Paris"}])
    doc = PlacesComponent(Places(gazetteer), resolve=True)(nlp("Paris, Texas, is a town."))

    assert [s._.place["country"] for s in doc.spans["places"]] == ["US"]
