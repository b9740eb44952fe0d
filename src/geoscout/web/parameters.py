"""Refuses parameters that an endpoint does not have: one that is misspelt must not be ignored.

What an endpoint takes is read from the OpenAPI description, so that the two cannot differ, and an
endpoint that gets a parameter needs no change here. Addresses that are not in the description,
those of the pages, take any.
"""

from __future__ import annotations

import difflib

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError

_MOST_NAMED = 10  # parameters that are complained about


async def refuse_unknown(request: Request) -> None:
    """Let a request pass whose parameters the description has; a dependency of every endpoint.

    It does not wait for anything. FastAPI would run a plain function in a thread, and to get there
    and back takes longer than all of this.

    Raises:
        RequestValidationError: it has others; all of them are named.
    """
    known = _known(request.app, request.scope["route"].path, request.method)
    if known is None:
        return
    unknown = [name for name in dict.fromkeys(request.query_params) if name not in known]
    if unknown:
        raise RequestValidationError([_fault(name, known) for name in unknown[:_MOST_NAMED]])


def _known(app: FastAPI, path: str, method: str) -> list[str] | None:
    """The parameters of an operation; None for one that is not described."""
    operation = app.openapi()["paths"].get(path, {}).get(method.lower())
    if operation is None:
        return None
    return [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"]


def _fault(name: str, known: list[str]) -> dict[str, object]:
    near = difflib.get_close_matches(name[:60], known, n=1)
    there_are = f"there are: {', '.join(known)}" if known else "it takes none"
    hint = f"did you mean {near[0]!r}?" if near else there_are
    return {"loc": ("query", name[:60]), "msg": f"there is no such parameter; {hint}"}
