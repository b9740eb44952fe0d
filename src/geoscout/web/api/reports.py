"""The reports of `geoscout compare`: their figures, pictures and pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import orjson
from fastapi import APIRouter, Response
from fastapi import Path as PathParameter
from typing_extensions import TypedDict

from geoscout.crawl_folder import open_stream
from geoscout.web.api.asking import PROBLEMS, SiteHere, as_json
from geoscout.web.problems import NotFoundError
from geoscout.web.shelf import REPORT_FILE
from geoscout.web.site import Site
from geoscout_places.errors import UsageError

router = APIRouter(prefix="/api/reports", tags=["reports"], responses=PROBLEMS)
_Name = Annotated[str, PathParameter(max_length=200)]
_LARGEST = 50_000_000  # bytes of a file
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
# A report is a page of its own with its scripts inside: it runs, but as a page of no origin.
_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline';"
    " style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
)


class ReportJson(TypedDict):
    """A report with its files and the runs it compares."""

    name: str
    files: list[str]
    results: dict[str, object]


class ReportHead(TypedDict):
    """A report in a list."""

    name: str
    runs: int
    strategies: list[str]


@router.get("", response_model=list[ReportHead])
def reports(site: SiteHere) -> Response:
    """The reports that are served."""
    return as_json([_head(name, folder) for name, folder in site.reports.items()])


@router.get("/{name}", response_model=ReportJson)
def report(site: SiteHere, name: _Name) -> Response:
    """The settings and runs of a report, and the names of its files."""
    folder = _folder(site, name)
    files = sorted(path.name for path in folder.iterdir() if path.suffix in _TYPES)
    return as_json({"name": name, "files": files, "results": _results(folder)})


@router.get("/{name}/{file}")
def file(
    site: SiteHere, name: _Name, file: Annotated[str, PathParameter(max_length=200)]
) -> Response:
    """A file of a report."""
    folder = _folder(site, name)
    known = {path.name: path for path in folder.iterdir() if path.suffix in _TYPES}
    if file not in known or known[file].is_symlink() or not known[file].is_file():
        raise NotFoundError(f"the report {name} has no file {file}")
    if known[file].stat().st_size > _LARGEST:
        raise UsageError(f"{file} is too large to be shown")
    headers = {"content-security-policy": _POLICY}
    type = _TYPES[known[file].suffix]
    return Response(_read(known[file]), media_type=type, headers=headers)


def _folder(site: Site, name: str) -> Path:
    try:
        return site.report(name)
    except UsageError as error:
        raise NotFoundError(str(error)) from error


def _read(file: Path) -> bytes:
    with open_stream(file, "rb") as opened:
        content: bytes = opened.read()
    return content


def _results(folder: Path) -> dict[str, object]:
    try:
        results = orjson.loads(_read(folder / REPORT_FILE))
    except (OSError, orjson.JSONDecodeError) as error:
        raise NotFoundError(f"the report in {folder.name} cannot be read: {error}") from error
    return results if isinstance(results, dict) else {"runs": results}


def _head(name: str, folder: Path) -> ReportHead:
    try:
        runs = _results(folder).get("runs")
    except NotFoundError:  # it is being written
        runs = []
    listed = runs if isinstance(runs, list) else []
    names = dict.fromkeys(str(run.get("strategy", "")) for run in listed if isinstance(run, dict))
    return {"name": name, "runs": len(listed), "strategies": list(names)}
