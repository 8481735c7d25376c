"""Errors of the service, and of the way to it."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional


class StewardError(Exception):
    """An answer of the service that is an error, or no answer at all."""

    #: Stable word to switch on, such as `not_found`; `unreachable` and `timeout` without an answer.
    code: str
    #: HTTP status; 0 without an answer.
    status: int
    #: The whole detail: `field`, `permission`, `limit` and the like.
    detail: Mapping[str, Any]
    #: Id of the request in the logs of the service.
    request_id: Optional[str]

    def __init__(self, status: int, detail: Mapping[str, Any], request_id: Optional[str] = None) -> None:
        super().__init__(str(detail["message"]))
        self.status = status
        self.code = str(detail["code"])
        self.detail = detail
        self.request_id = request_id


def read_error(status: int, body: bytes, request_id: Optional[str]) -> StewardError:
    """Reads the error of an answer; the page of a proxy becomes one with its status."""
    try:
        parsed = json.loads(body)
        detail = parsed["detail"]
        return StewardError(status, {"message": "", **detail, "code": detail["code"]}, parsed.get("request_id", request_id))
    except (ValueError, KeyError, TypeError):
        detail = {"code": "unexpected_answer", "message": "The service responded with {}.".format(status)}
        return StewardError(status, detail, request_id)
