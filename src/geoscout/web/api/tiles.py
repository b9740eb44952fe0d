"""The tiles of a PMTiles file that was given to the server."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from geoscout.web.api.asking import PROBLEMS, SiteHere
from geoscout.web.problems import NotFoundError
from geoscout_places.errors import DamagedDataError

router = APIRouter(prefix="/api", tags=["map"], responses=PROBLEMS)
_A_DAY = "private, max-age=86400"
_HIGHEST = 26
_Number = Annotated[int, Path(ge=0, lt=2**_HIGHEST)]


@router.get("/tiles/{z}/{x}/{y}", response_class=Response)
def tile(
    site: SiteHere, z: Annotated[int, Path(ge=0, le=_HIGHEST)], x: _Number, y: _Number
) -> Response:
    """A tile of the file that `serve --tiles` was given; of one that it does not have, nothing."""
    file = site.tiles.file
    if file is None:
        raise NotFoundError("no file of map tiles is served here; give one with --tiles")
    if max(x, y) >= 2**z:
        raise NotFoundError(f"there are {2**z} tiles in a row at zoom {z}")
    try:
        found = file.tile(z, x, y)
    except Exception as error:  # the library has no error of its own for damaged directories
        raise DamagedDataError(f"the file of map tiles is damaged: {error!r}") from error
    if found is None:  # an empty vector tile is one; an image without bytes is not
        return Response(status_code=200 if file.is_vector else 204, media_type=file.media_type)
    headers = {"cache-control": _A_DAY}
    if file.encoding:
        headers["content-encoding"] = file.encoding
    return Response(found, media_type=file.media_type, headers=headers)
