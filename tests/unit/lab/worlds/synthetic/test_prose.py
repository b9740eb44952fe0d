from __future__ import annotations

import pytest

from geoscout_lab.worlds.synthetic import render
from geoscout_lab.worlds.synthetic.hosts import HostType
from geoscout_lab.worlds.synthetic.profile import Chance, language_of
from geoscout_places.geo.address import extract_addresses
from geoscout_places.parse import parse_html


def test_addresses_are_found_in_every_form(web, gazetteer):
    register = web.register
    missed = []
    for page in range(web.size):
        entities = register.entities(page)
        if not entities or len(missed) > 50 or page > 1500:
            continue
        language = register.site(page).language
        html = f'<meta charset="utf-8">{render.addresses(entities, language, Chance(1, page))}'
        text = parse_html(html.encode(), "http://a.example/").text
        found = {address.postcode for address in extract_addresses(text, gazetteer)}
        missed += [e.town_line for e in entities if e.postcode not in found]

    assert len(missed) <= 10


def test_half_an_address_is_none(web, gazetteer):
    for city in web.structure.cities:
        language = next(s.language for s in web.register.sites if s.city.country == city.country)
        texts = [render.half_an_address(language, city, Chance(1, n)) for n in range(40)]
        page = parse_html("".join(texts).encode(), "http://a.example/")
        assert extract_addresses(page.text, gazetteer) == []


def test_local_pages_often_say_what_and_where_they_are(web):
    site = next(s for s in web.register.sites if s.type is HostType.BUSINESS)
    other = render.InPassing(web.structure.cities[-1], 0.12)

    pages = [
        " ".join(render.paragraphs(site, site.topic, site.city, other, Chance(2, n)))
        for n in range(400)
    ]

    named = [text for text in pages if site.city.name in text]
    assert 0.4 < len(named) / len(pages) < 0.65
    assert any(site.kind in text for text in named)


@pytest.mark.parametrize("country", ["DE", "US", "FR"])
def test_words_of_a_language_are_whole(country):
    language = language_of(country)

    assert set(language.trades) == set(language.topics)
    for topic in language.topics:
        assert not [text for text in language.pool(topic) if "{" in text]
        assert len(language.kinds.get(topic, ())) in (0, len(language.trades[topic]))
