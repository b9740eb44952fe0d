from __future__ import annotations

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.synthetic.structure.pages import Role


def _share(web: SyntheticWeb, role: Role) -> float:
    return float((web.structure.pages.role == role).mean())


def test_noise_comes_in_its_shares(web: SyntheticWeb) -> None:
    assert _share(web, Role.DUPLICATE) == pytest.approx(0.22, abs=0.005)
    assert _share(web, Role.REDIRECT) == pytest.approx(0.08, abs=0.005)
    assert _share(web, Role.DEAD) == pytest.approx(0.12, abs=0.005)
    assert _share(web, Role.SOFT_ERROR) == pytest.approx(0.02, abs=0.005)
    assert web.structure.blocked.mean() == pytest.approx(0.03, abs=0.005)


def test_web_has_the_size_asked_for(web: SyntheticWeb) -> None:
    assert web.size == pytest.approx(6000, abs=5)


def test_redirect_has_one_target(web: SyntheticWeb) -> None:
    moved = np.flatnonzero(web.structure.pages.role == Role.REDIRECT)[:200].tolist()

    assert {web.status(page) for page in moved} == {301}
    assert {len(web.targets(page)) for page in moved} == {1}


def test_copy_says_and_links_what_its_original_does(web: SyntheticWeb) -> None:
    structure = web.structure
    copies = np.flatnonzero(structure.pages.role == Role.DUPLICATE)[:200].tolist()
    answering = [page for page in copies if web.status(int(structure.original[page])) == 200]

    for page in answering:
        original = int(structure.original[page])
        assert web.targets(page) == web.targets(original)
        assert web.is_relevant(page) == web.is_relevant(original)
        assert web.url(page) != web.url(original)


def test_dead_and_silent_pages_are_not_relevant(web: SyntheticWeb) -> None:
    assert not web.structure.relevant[web.structure.status != 200].any()
