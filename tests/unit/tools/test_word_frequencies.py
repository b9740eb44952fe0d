"""The derivation of how often names are used as words."""

import gzip
import lzma
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tools.derive.word_counts import counted_languages, read_counts
from tools.derive.word_frequencies import Bearer, importance, offset, read_nouns

import geoscout_places.gazetteer


def test_counts_are_read_from_bins(monkeypatch):
    msgpack = ModuleType("msgpack")
    bins = [{"format": "cB"}, [], ["und", "3,5"], *([[]] * 98), ["lage"]]
    msgpack.unpackb = lambda data, raw: bins  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "msgpack", msgpack)

    found = dict(read_counts(gzip.compress(b"")))

    assert found == {"und": pytest.approx(8.99), "lage": pytest.approx(8.0)}


def test_offset_is_what_own_towns_have_beyond_the_expectation():
    bearers = {f"town{n}": Bearer(20_000, "DK") for n in range(30)}
    bearers["metropolis"] = Bearer(9_000_000, "CN")
    counts = dict.fromkeys(bearers, 3.0)

    expected = 1.7 + importance(Bearer(20_000, "DK")) - 4.3

    assert offset(counts, bearers, ["DK"]) == pytest.approx(3.0 - expected, abs=0.05)
    assert offset(counts, bearers, ["SE"]) == 0.0


def test_nouns_are_read_in_all_forms():
    table = (
        "lemma,pos,genus,nominativ singular,dativ plural\n"
        "Küche,Substantiv,f,Küche,Küchen\n"
        "Essen,Substantiv,n,Essen,Essen\n"
        'Essen,"Substantiv,Toponym",n,Essen,\n'
        'Ulm,"Substantiv,Toponym",n,Ulm,\n'
    )

    found = read_nouns(table.encode())

    assert found == {"kuche": "1", "kuchen": "1", "essen": "2"}


def test_the_languages_that_are_counted_are_those_of_the_shipped_table():
    table = Path(geoscout_places.gazetteer.__file__).parent / "data" / "word_frequencies.txt.xz"
    heading = lzma.decompress(table.read_bytes()).decode().partition("\n")[0]

    counted = [language.code for language in counted_languages()]

    assert counted == [column.partition("=")[0] for column in heading.split()]
