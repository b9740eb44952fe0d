"""Where the limits of a query stand changes how long it takes, and nothing else."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from geoscout.index import reader
from geoscout.index.base import PageFilters, PlaceField, Wanted, Where
from geoscout.index.reader import IndexReader
from tests.unit.index.documents import ALFAMA, LISBON, PORTO, PORTUGAL, document, write

VOCABULARY = "pizza pizzas museum museums bread lisbon porto old tram trams".split()
MUSEUM, PIZZA = ("museum", "museums"), ("pizza", "pizzas")
STRONG = Where((LISBON, PORTUGAL), field=PlaceField.STRONG)
ASKED = (
    Wanted((MUSEUM,), where=(Where((LISBON,)),)),
    Wanted((MUSEUM, PIZZA), where=(STRONG,), preferred=(Where((ALFAMA,)),), hints=("lisbon",)),
    Wanted((MUSEUM, PIZZA, ("bread",)), where=(STRONG,), needs_all=False, without=(PORTO,)),
    Wanted((PIZZA,), named=("porto",), titled=("tram",)),
    Wanted((PIZZA,), where=(Where((PORTO,)),), filters=PageFilters(host="a.example")),
    Wanted((), where=(STRONG,), titled=("tram",)),
)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("index")
    chance = random.Random(1)
    pages = [
        replace(
            document(
                f"http://{chance.choice('ab')}.example/{number}",
                " ".join(chance.choices(VOCABULARY, k=chance.randint(1, 30))),
                chance.choice((LISBON, ALFAMA, PORTO)),
            ),
            title=" ".join(chance.choices(VOCABULARY, k=2)),
        )
        for number in range(300)
    ]
    write(folder, *pages[:200])
    write(folder, *pages[200:], cursor="2")
    return IndexReader(folder)


@pytest.mark.parametrize("wanted", ASKED)
def test_limits_inside_and_outside_of_unions_find_the_same(index, wanted, monkeypatch):
    inside = index.find(wanted, 50)
    monkeypatch.setattr(reader, "_MOST_INSIDE", -1)
    outside = index.find(wanted, 50)

    assert inside.total == outside.total > 0
    assert inside.slots.tolist() == outside.slots.tolist()
    np.testing.assert_allclose(inside.scores, outside.scores, rtol=1e-6)
