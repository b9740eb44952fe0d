from __future__ import annotations

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.synthetic.structure.pages import Role


def _pages(web: SyntheticWeb, role: Role) -> list[int]:
    found: list[int] = np.flatnonzero(web.structure.pages.role == role).tolist()
    return found


def test_page_with_an_address_shows_entities_of_that_city(web: SyntheticWeb) -> None:
    shown = np.flatnonzero(web.structure.pages.address_city >= 0)[:500].tolist()

    for page in shown:
        cities = {entity.city.number for entity in web.register.entities(page)}
        assert cities == {int(web.structure.pages.address_city[page])}


def test_pages_of_one_host_show_one_address(web: SyntheticWeb) -> None:
    host = int(np.flatnonzero(web.structure.hosts.footer_address)[0])
    pages = np.flatnonzero(web.structure.pages.host == host).tolist()

    keys = {entity.key for page in pages for entity in web.register.entities(page)}

    assert keys == {host}


def test_few_national_titles_name_a_city(webs: dict[str, SyntheticWeb]) -> None:
    web = webs["usa2006"]
    content = [page for page in _pages(web, Role.CONTENT) if web.city(page) is None]

    named = [page for page in content if web.register.named_city(page)]

    assert len(named) / len(content) == pytest.approx(0.02, abs=0.01)


def test_some_content_pages_have_contact_words_astray(webs: dict[str, SyntheticWeb]) -> None:
    web = webs["usa2006"]
    content = _pages(web, Role.CONTENT)

    astray = [page for page in content if web.register.is_astray(page)]

    assert len(astray) / len(content) == pytest.approx(0.02, abs=0.01)
    assert web.register.title(astray[0]) in web.site(astray[0]).language.labels["contact"]
