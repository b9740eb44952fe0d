"""What a crawl does not use is not loaded: all crawls and their readers would pay for it."""

import subprocess
import sys

import pytest

RARE = (
    "aiohttp", "geoscout.collaborate.partition", "geoscout.crawling.watching",
    "geoscout.fetch.registries", "geoscout.geocode", "geoscout.strategy.rank",
    "importlib.resources", "rapidfuzz", "zipfile",
)  # fmt: skip
OF_READERS = (
    "geoscout.geocode",
    "geoscout_directory.page_reader",
    "phonenumbers",
    "rapidfuzz",
)


def loaded_by(module: str) -> set[str]:
    """The modules that are there after an import."""
    script = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("module", "rare"),
    [
        ("geoscout.cli.commands.crawl", RARE),
        ("geoscout.crawling.read", OF_READERS),
        ("geoscout.cli.show.readings", ("numpy", "selectolax")),  # to geoparse plain text
    ],
)
def test_rare_parts_are_not_loaded(module, rare):
    loaded = loaded_by(module)

    assert module in loaded
    assert sorted(loaded & set(rare)) == []


def test_a_crawl_starts_without_parser_and_geoparser():
    script = (
        "import sys, geoscout.cli.commands.crawl\n"
        "from geoscout_places.geo.address.formats import countries_read\n"
        "countries_read()\n"
        "late = ('geoparser', 'mentions', 'address.countries.', 'parse.html')\n"
        "print([name for name in sys.modules if any(part in name for part in late)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )

    assert done.stdout.strip() == "[]"
