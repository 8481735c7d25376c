"""The client, with the methods that send more than one request."""

from __future__ import annotations

import time
from datetime import datetime, timezone
from typing import Any, Callable, Iterator, Optional, TypeVar, Union

from . import types as t
from .caller import Caller, Token
from .errors import StewardError
from .operations import Operations

Result = TypeVar("Result")

# Maximum time in seconds for which the service holds a request open.
_LONG_POLL = 30
_POLL = 0.5
_ENDED = frozenset(["SUCCEEDED", "FAILED", "STOPPED"])


class Steward(Operations):
    """A Steward service. Its methods have the names of the API's operations: path parameters, then body, then query.

    >>> steward = Steward("http://127.0.0.1:8000", token=os.environ["STEWARD_API_KEY"])
    >>> session = steward.open_session({"session_source_type": "agent", "session_source_id": "run-1"})
    """

    def __init__(
        self,
        base_url: str,
        token: Optional[Token] = None,
        *,
        timeout: float = 60.0,
        retries: int = 4,
        retry_delay: float = 0.25,
    ) -> None:
        super().__init__(Caller(base_url, token, timeout=timeout, retries=retries, retry_delay=retry_delay))

    @classmethod
    def with_password(cls, base_url: str, username: str, password: str, **options: Any) -> "Steward":
        """Logs in. Use API keys for programs that run longer than an access token is valid."""
        tokens = cls(base_url, **options).log_in({"username": username, "password": password})
        return cls(base_url, tokens["access_token"], **options)

    def search_all(self, body: t.SearchSessionsRequest) -> Iterator[t.FoundSession]:
        """Searches sessions and reads as many pages as the loop requests."""
        asked: Any = dict(body)
        while True:
            page = self.search_sessions(asked)
            yield from page["results"]
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]

    def wait_for_execution(self, execution_id: str, *, within: float = 600.0) -> t.Execution:
        """Waits until an execution has ended, with any verdict (`status`)."""

        def is_ended(execution: t.Execution) -> bool:
            return execution["status"] in _ENDED

        return _wait_for(lambda wait: self.read_execution(execution_id, {"wait": wait}), is_ended, within)

    def wait_for_approval(self, approval_request_id: str, *, within: float = 600.0) -> t.ApprovalRequest:
        """Waits until an approval request is approved, declined, expired or cancelled."""

        def is_decided(request: t.ApprovalRequest) -> bool:
            return request["status"] != "pending"

        return _wait_for(
            lambda wait: self.read_approval_request(approval_request_id, {"wait": wait}), is_decided, within
        )

    def wait_for_indexing(
        self, stored_at: Optional[Union[datetime, str]] = None, *, within: float = 600.0
    ) -> bool:
        """Waits until content stored up to `stored_at` can be found by meaning. It can be found by words at once.

        Returns False, without waiting, if embeddings are disabled in the deployment or for the account.
        """
        through = _read_time(stored_at or datetime.now(timezone.utc))

        def is_done(setting: t.EmbeddingSetting) -> bool:
            corpus = setting["corpus"]
            embedded = corpus["embedded_through"]
            return (
                not setting["enabled"]
                or not setting["deployment_embedding_enabled"]
                or corpus["pending"] == 0
                or (embedded is not None and _read_time(embedded) >= through)
            )

        setting: t.EmbeddingSetting = _wait_for(lambda _wait: self.read_embedding_setting(), is_done, within)
        return setting["enabled"] and setting["deployment_embedding_enabled"]


def _read_time(value: Union[datetime, str]) -> datetime:
    if isinstance(value, datetime):
        return value
    return datetime.fromisoformat(value.replace("Z", "+00:00"))


def _wait_for(read: Callable[[int], Result], is_done: Callable[[Result], bool], within: float) -> Result:
    """Reads until the result is final; a read that the service holds open is repeated immediately."""
    deadline = time.monotonic() + within
    while True:
        started = time.monotonic()
        answer = read(int(min(max(deadline - started, 0), _LONG_POLL)))
        if is_done(answer):
            return answer
        if time.monotonic() >= deadline:
            message = "No decision was made within {} s.".format(within)
            raise StewardError(0, {"code": "wait_timeout", "message": message})
        time.sleep(max(0.0, min(started + _POLL, deadline) - time.monotonic()))
