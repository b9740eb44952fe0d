import gzip
from pathlib import Path

import httpx
import pytest
from pmtiles.tile import Compression, TileType, zxy_to_tileid
from pmtiles.writer import Writer

from geoscout.settings import Settings
from geoscout.web.maps import PmtilesFile, open_tiles
from geoscout.web.site import open_site
from geoscout_places.errors import UsageError
from tests.unit.web.conftest import serving
from tests.unit.web.world import PIXEL, make_report

CREDIT = '<a href="https://www.openstreetmap.org">&copy; OpenStreetMap</a>'


def write_tiles(path: Path, type: TileType = TileType.PNG, tile: bytes = PIXEL) -> Path:
    """A file with tiles of zoom 0 and 1; of images, enough of zoom 7 for leaf directories, too."""
    first = zxy_to_tileid(7, 0, 0)
    with path.open("wb") as file:
        writer = Writer(file)
        for id in range(5):
            # Equal tiles would be one run, and the writer takes its highest zoom from its first.
            packed = gzip.compress(tile, mtime=id) if type is TileType.MVT else tile
            writer.write_tile(id, packed)
        for id in range(first, first + 5000) if type is TileType.PNG else ():
            writer.write_tile(id, tile + id.to_bytes(4))
        compression = Compression.GZIP if type is TileType.MVT else Compression.NONE
        world = {"min_lon_e7": -1800000000, "max_lon_e7": 1800000000}
        world |= {"min_lat_e7": -850000000, "max_lat_e7": 850000000}
        middle = {"center_zoom": 0, "center_lon_e7": 0, "center_lat_e7": 0}
        header = {"tile_type": type, "tile_compression": compression, **world, **middle}
        writer.finalize(header, {"attribution": CREDIT})
    return path


def test_tiles_are_read_through_leaf_directories(tmp_path):
    file = PmtilesFile(write_tiles(tmp_path / "world.pmtiles"))

    assert file.tile(0, 0, 0) == PIXEL
    found = file.tile(7, 20, 30)
    assert found == PIXEL + zxy_to_tileid(7, 20, 30).to_bytes(4)
    assert file.tile(7, 127, 0) is None
    assert (file.media_type, file.encoding, file.highest_zoom) == ("image/png", "", 7)


def test_the_makers_are_named_without_markup(tmp_path):
    tiles = open_tiles(str(write_tiles(tmp_path / "world.pmtiles")))

    assert (tiles.address, tiles.kind) == ("/api/tiles/{z}/{x}/{y}", "raster")
    assert tiles.credit == "© OpenStreetMap"


def test_an_address_is_passed_on():
    tiles = open_tiles("https://{s}.tiles.example.org/{z}/{x}/{y}.png")

    assert tiles.address == "https://{s}.tiles.example.org/{z}/{x}/{y}.png"
    assert (tiles.kind, tiles.credit, tiles.file) == ("raster", "map: tiles.example.org", None)


@pytest.mark.parametrize("content", [b"", b"PMTiles", b"PMTiles\x03" + bytes(200), b"x" * 500])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "some.pmtiles").write_bytes(content)

    with pytest.raises(UsageError, match="not a PMTiles file"):
        open_tiles(str(tmp_path / "some.pmtiles"))


@pytest.mark.parametrize("given", ["https://tiles.example.org/", "/no/such.pmtiles"])
def test_what_is_neither_address_nor_file_is_told(given):
    with pytest.raises(UsageError, match=r"\{z\}"):
        open_tiles(given)


def test_the_server_sends_tiles_as_they_are_packed(tmp_path, gazetteer):
    make_report(tmp_path / "reports" / "first")
    path = write_tiles(tmp_path / "town.pmtiles", TileType.MVT, b"a vector tile")
    site = open_site([tmp_path / "reports"], gazetteer, Settings(tiles=str(path)))
    with serving(site) as address, httpx.Client(base_url=address) as client:
        told = client.get("/api/site").json()
        tile = client.get("/api/tiles/0/0/0")
        empty = client.get("/api/tiles/2/0/0")
        beyond = client.get("/api/tiles/1/2/0")

    assert (told["tile_kind"], told["tile_zoom"]) == ("vector", 1)
    assert (tile.content, tile.headers["content-encoding"]) == (b"a vector tile", "gzip")
    assert (empty.status_code, empty.content) == (200, b"")
    assert beyond.status_code == 404


def test_without_a_file_there_are_no_tiles(client):
    answer = client.get("/api/tiles/0/0/0")

    assert answer.status_code == 404
    assert "--tiles" in answer.json()["detail"]
