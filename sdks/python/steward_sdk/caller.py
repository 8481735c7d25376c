"""Sends requests to the service, and repeats them where this is safe."""

from __future__ import annotations

import json
import random
import re
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from http.client import HTTPException
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Union

from .errors import StewardError, read_error
from .pages import Pages

RawBody = Union[str, bytes]
Token = Union[str, Callable[[], str]]

_PASSING = frozenset([408, 425, 429, 500, 502, 503, 504])
_LONGEST_PAUSE = 15.0
# Maximum delay that the service may request; above this limit, the caller gets the error instead.
_LONGEST_RETRY_AFTER = 60.0


class Answer(NamedTuple):
    """A response as it was received."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirects, which could send the credential to another host."""

    def redirect_request(self, *_given: Any) -> None:
        return None


class Caller:
    """Sends requests to one service. Every method of `Steward` uses it."""

    def __init__(
        self,
        base_url: str,
        token: Optional[Token] = None,
        *,
        timeout: float = 60.0,
        retries: int = 4,
        retry_delay: float = 0.25,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._retries = retries
        self._retry_delay = retry_delay
        self._opener = urllib.request.build_opener(_NoRedirects)

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Any] = None,
        raw_body: Optional[RawBody] = None,
        raw_answer: bool = False,
        repeat: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Sends one request and returns the content of the response. Raises StewardError if it is an error."""
        headers = {"accept": "application/json"}
        content: Optional[bytes] = None
        if raw_body is not None:
            content = raw_body.encode("utf-8") if isinstance(raw_body, str) else raw_body
            headers["content-type"] = "application/octet-stream"
        elif body is not None:
            content = json.dumps(body).encode("utf-8")
            headers["content-type"] = "application/json"
        if repeat == "key":
            headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
        seconds = timeout if timeout is not None else self._timeout + _held_open(query, body)
        url = self._base_url + path + _format_query(query)
        repeatable = _is_repeatable(method, repeat, body)
        answer = self._send(lambda: self._attempt(method, url, headers, content, seconds), repeatable)
        if raw_answer:
            return answer
        return json.loads(answer.body) if answer.body else None

    def pages(self, method: str, path: str, **given: Any) -> Pages[Any, Any]:
        """Returns a list; no request is sent before it is iterated."""
        place = "query" if given.get("body") is None else "body"

        def read(cursor: Optional[str]) -> Any:
            asked = dict(given)
            if cursor is not None:
                asked[place] = {**(given.get(place) or {}), "cursor": cursor}
            return self.call(method, path, **asked)

        return Pages(read)

    def _send(self, attempt: Callable[[], Answer], repeatable: bool) -> Answer:
        tried = 0
        while True:
            failure: StewardError
            wait: Optional[float]
            try:
                answer = attempt()
                if answer.status < 300:
                    return answer
                failure = read_error(answer.status, answer.body, answer.headers.get("x-request-id"))
                wait = self._choose_pause(answer, tried, repeatable)
            except _Unsent as unsent:
                failure = unsent.error
                wait = self._back_off(tried) if repeatable or unsent.never_arrived else None
            if wait is None or tried >= self._retries:
                raise failure
            time.sleep(wait)
            tried += 1

    def _choose_pause(self, answer: Answer, tried: int, repeatable: bool) -> Optional[float]:
        if answer.status not in _PASSING:
            return None
        asked = _read_seconds(answer.headers.get("retry-after"))
        # The service refuses with 429 before it does anything; a 503 may follow a change whose response was lost.
        if not repeatable and (asked is None or answer.status != 429):
            return None
        if asked is None:
            return self._back_off(tried)
        return None if asked > _LONGEST_RETRY_AFTER else asked + random.random() * 0.1

    def _back_off(self, tried: int) -> float:
        capped: float = min(self._retry_delay * 2.0**tried, _LONGEST_PAUSE)
        # Half fixed, half random, so that the clients of a deployment do not retry at the same time.
        return capped / 2 + random.random() * capped / 2

    def _attempt(
        self, method: str, url: str, headers: Dict[str, str], content: Optional[bytes], seconds: float
    ) -> Answer:
        request = urllib.request.Request(url, data=content, method=method, headers=headers)
        token = self._token() if callable(self._token) else self._token
        if token is not None:
            if not re.fullmatch("[\\x21-\\x7e]+", token):
                raise ValueError("The token contains an invalid character, such as a space or a line break.")
            request.add_unredirected_header("authorization", "Bearer " + token)
        try:
            with self._opener.open(request, timeout=seconds) as response:
                return _read(response.status, response)
        except urllib.error.HTTPError as error:
            with error:
                return _read(error.code, error)
        except urllib.error.URLError as error:
            raise _describe(error.reason) from error
        except (OSError, HTTPException) as error:
            raise _describe(error) from error


class _Unsent(Exception):
    def __init__(self, error: StewardError, never_arrived: bool) -> None:
        super().__init__(str(error))
        self.error = error
        self.never_arrived = never_arrived


def _describe(reason: Any) -> _Unsent:
    if isinstance(reason, (socket.timeout, TimeoutError)):
        return _Unsent(StewardError(0, {"code": "timeout", "message": "The service did not respond in time."}), False)
    message = "The service could not be reached: {}".format(reason)
    never_arrived = isinstance(reason, (ConnectionRefusedError, socket.gaierror))
    return _Unsent(StewardError(0, {"code": "unreachable", "message": message}), never_arrived)


def _read(status: int, response: Any) -> Answer:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Answer(status, headers, response.read())


def _read_seconds(header: Optional[str]) -> Optional[float]:
    try:
        return None if header is None else max(0.0, float(header))
    except ValueError:
        return None


def _is_repeatable(method: str, repeat: Optional[str], body: Any) -> bool:
    if repeat == "id":
        return isinstance(body.get("external_id"), str)
    return repeat is not None or method not in ("POST", "PATCH")


def _held_open(query: Optional[Mapping[str, Any]], body: Any) -> float:
    """Returns the seconds that the service is asked to wait."""
    asked = (query or {}).get("wait")
    if asked is None and isinstance(body, dict):
        asked = body.get("wait_seconds")
    return float(asked or 0)


def _format_query(query: Optional[Mapping[str, Any]]) -> str:
    pairs = []
    for name, value in (query or {}).items():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is not None:
                pairs.append((name, str(each).lower() if isinstance(each, bool) else str(each)))
    return "?" + urllib.parse.urlencode(pairs) if pairs else ""
