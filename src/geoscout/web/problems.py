"""Errors as RFC 9457 asks: `application/problem+json` with a sentence a person can act on."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from geoscout_places.errors import DamagedDataError, GeoscoutError, UnknownPlaceError, UsageError

_LONGEST = 500  # letters of a detail: what a client sent comes back in it
_SENTENCES = {
    404: "there is nothing at this address; /api/docs lists what there is",
    405: "this address takes other methods; /api/docs lists them",
}


class NotFoundError(UsageError):
    """What the address names is not there."""


class RefusedError(UsageError):
    """What is asked for cannot be done, or not by this client; with the status that says so."""

    def __init__(self, status: int, detail: str, **more: object) -> None:
        """`more` are further members of the problem document."""
        super().__init__(detail)
        self.status, self.more = status, more


class InvalidRequestError(RefusedError):
    """A request has parameters that it may not have, or lacks some."""

    def __init__(self, faults: Sequence[Mapping[str, object]]) -> None:
        """Each of the `faults` says `where` and `what`; the first is the detail."""
        shown = [{**fault, "what": str(fault["what"])[:_LONGEST]} for fault in faults]
        super().__init__(422, f"{shown[0]['where']}: {shown[0]['what']}", errors=shown)


def problem(status: int, detail: str, **more: object) -> Response:
    """A problem document; `more` are its further members."""
    title = HTTPStatus(status).phrase
    body = {"title": title, "status": status, "detail": detail[:_LONGEST], **more}
    return Response(orjson.dumps(body, default=str), status, media_type="application/problem+json")


def _on_our_error(_request: Request, error: Exception) -> Response:
    """The answer to a request that ended with an error of ours."""
    if isinstance(error, NotFoundError):
        return problem(404, str(error))
    if isinstance(error, RefusedError):
        return problem(error.status, str(error), **error.more)
    if isinstance(error, UnknownPlaceError):
        return problem(404, str(error), suggestions=list(error.suggestions))
    if isinstance(error, UsageError):
        return problem(400, str(error))
    status = 410 if isinstance(error, DamagedDataError) else 503
    return problem(status, str(error))


def _on_http_error(_request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    response = problem(error.status_code, _SENTENCES.get(error.status_code, str(error.detail)))
    response.headers.update(error.headers or {})
    return response


ON_ERROR: dict[Any, Any] = {GeoscoutError: _on_our_error, HTTPException: _on_http_error}
