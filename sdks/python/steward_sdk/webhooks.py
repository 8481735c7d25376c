"""Verifies event webhooks: signature and time, over the raw bytes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

_SERVICE_HEADER = "x-service-signature"
_UNIX_SECONDS = re.compile(r"[0-9]{1,12}\Z")
_HEX = re.compile(r"[0-9a-f]{64}\Z")
_PREFIX = "whsec_"


class WebhookVerificationError(Exception):
    """A request that is not accepted. `code` is the reason, with the codes of `@steward/webhook-verify`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def verify_webhook(
    raw_body: Union[bytes, str],
    headers: Mapping[str, Any],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """Verifies one webhook request and returns its event.

    Store `event["id"]` and skip events that you have already handled: delivery is at least once. Ignore event types that
    this version does not know, and respond with 2xx. `raw_body` contains the received bytes, before any JSON parser;
    `secrets` is the endpoint's secret, or both during a rotation, with or without `whsec_`.
    """
    keys = _require_secrets(secrets)
    if not isinstance(raw_body, (bytes, bytearray, str)):
        raise WebhookVerificationError("body_not_raw", "Pass the body as bytes or str, as received.")
    body = raw_body.encode("utf-8") if isinstance(raw_body, str) else bytes(raw_body)
    given = {str(name).lower(): _join(value) for name, value in headers.items()}
    service = given.get(_SERVICE_HEADER, "").strip()
    signed_at = _check_service(service, body, keys) if service else _check_standard(given, body, keys)
    # The time is checked after the signature: if it is refused, it is known to come from the sender.
    age = int(time.time() if now is None else now) - signed_at
    if age > tolerance_seconds:
        raise WebhookVerificationError("timestamp_too_old", "The request was signed {} s ago.".format(age))
    if -age > tolerance_seconds:
        raise WebhookVerificationError("timestamp_in_future", "The request was signed {} s ahead.".format(-age))
    return _parse_event(body)


def _require_secrets(secrets: Union[str, Sequence[str]]) -> List[str]:
    listed = [secrets] if isinstance(secrets, str) else list(secrets)
    # An unset variable must not become an empty key with which anyone could sign.
    if not listed or not all(isinstance(secret, str) and secret != "" for secret in listed):
        raise WebhookVerificationError("secret_missing", "Pass at least one secret; no secret may be empty.")
    return [key for secret in listed for key in ([secret] if secret.startswith(_PREFIX) else [secret, _PREFIX + secret])]


def _join(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _check_service(header: str, body: bytes, secrets: Sequence[str]) -> int:
    parts = [part.strip() for part in header.split(",")]
    times = [part[2:] for part in parts if part.startswith("t=")]
    signatures = [part[3:] for part in parts if part.startswith("v1=") and _HEX.match(part[3:])]
    # With two times it would be unclear which one was signed.
    if len(times) != 1 or not _UNIX_SECONDS.match(times[0]) or not signatures:
        raise WebhookVerificationError("header_malformed", "X-Service-Signature is not t=<unix seconds>,v1=<hex>.")
    payload = times[0].encode("ascii") + b"." + body
    macs = [hmac.new(secret.encode("utf-8"), payload, hashlib.sha256).hexdigest() for secret in secrets]
    _require_match(macs, signatures)
    return int(times[0])


def _check_standard(given: Mapping[str, str], body: bytes, secrets: Sequence[str]) -> int:
    header = given.get("webhook-signature", "").strip()
    identifier, sent_at = given.get("webhook-id", "").strip(), given.get("webhook-timestamp", "").strip()
    if not header or not identifier or not sent_at:
        raise WebhookVerificationError("header_missing", "The request has neither X-Service-Signature nor webhook-* headers.")
    signatures = [part[3:] for part in header.split(" ") if part.startswith("v1,")]
    if not _UNIX_SECONDS.match(sent_at) or not signatures:
        raise WebhookVerificationError("header_malformed", "webhook-signature is not v1,<base64>, or the time is not a number.")
    payload = "{}.{}.".format(identifier, sent_at).encode("utf-8") + body
    macs = [
        base64.b64encode(hmac.new(_standard_key(secret), payload, hashlib.sha256).digest()).decode("ascii")
        for secret in secrets
    ]
    _require_match(macs, signatures)
    return int(sent_at)


def _standard_key(secret: str) -> bytes:
    """Returns the part after `whsec_`, decoded, if it is base64 of 24 to 64 bytes; otherwise the bytes of the text."""
    encoded = secret[len(_PREFIX) :] if secret.startswith(_PREFIX) else ""
    try:
        decoded = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return secret.encode("utf-8")
    is_key = 24 <= len(decoded) <= 64 and base64.b64encode(decoded).decode("ascii") == encoded
    return decoded if is_key else secret.encode("utf-8")


def _require_match(macs: Sequence[str], signatures: Sequence[str]) -> None:
    """Compares all MACs with all signatures in constant time and never stops early, so the duration reveals nothing."""
    matched = False
    for mac in macs:
        for signature in signatures:
            matched = hmac.compare_digest(mac.encode("ascii"), signature.encode("utf-8")) or matched
    if not matched:
        message = "No signature matches. Either the secret belongs to another endpoint, or the body was changed."
        raise WebhookVerificationError("signature_mismatch", message)


def _parse_event(body: bytes) -> Dict[str, Any]:
    try:
        event: Any = json.loads(body)
    except ValueError as error:
        raise WebhookVerificationError("body_not_json", "The signed body is not JSON.") from error
    is_event = isinstance(event, dict) and isinstance(event.get("id"), str) and isinstance(event.get("type"), str)
    if not is_event or not isinstance(event.get("data"), dict):
        raise WebhookVerificationError("body_not_event", "The signed body is not an event with id, type and data.")
    return dict(event)
