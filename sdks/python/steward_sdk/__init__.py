"""Steward from Python: every operation of the API, retries, paging, waiting, and the verification of webhooks."""

from . import types
from .caller import Answer, Caller
from .client import Steward
from .errors import StewardError
from .pages import Pages
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "Answer",
    "Caller",
    "Pages",
    "Steward",
    "StewardError",
    "WebhookVerificationError",
    "types",
    "verify_webhook",
]
