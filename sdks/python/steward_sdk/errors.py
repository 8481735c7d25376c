"""Errors of the service, and of the connection to it."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional


class StewardError(Exception):
    """An error response of the service, or no response."""

    #: Stable machine-readable code, such as `not_found`; `unreachable` or `timeout` if there was no response.
    code: str
    #: HTTP status; 0 if there was no response.
    status: int
    #: All details of the error, such as `field`, `permission` and `limit`.
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
    """Reads the error of a response; an error page of a proxy results in an error with its status."""
    try:
        parsed = json.loads(body)
        detail = parsed["detail"]
        return StewardError(status, {"message": "", **detail, "code": detail["code"]}, parsed.get("request_id", request_id))
    except (ValueError, KeyError, TypeError):
        detail = {"code": "unexpected_answer", "message": "The service responded with {}.".format(status)}
        return StewardError(status, detail, request_id)
