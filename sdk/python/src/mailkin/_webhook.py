"""Whether a webhook is genuine, and what it says."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Iterable, Mapping, Protocol, Tuple, Union

from . import models
from ._convert import decode
from ._errors import WebhookSignatureError

WebhookEvent = Union[models.HookEvent, models.HookOutcome, models.HookStop, models.HookQuota]

_KINDS: Dict[str, Any] = {
    "message.received": models.HookEvent,
    "mailbox.sending_paused": models.HookStop,
    "mailbox.quota": models.HookQuota,
}


class Headers(Protocol):
    """Those of a request: a dictionary, or what a framework or the standard library has for them."""

    def items(self) -> Iterable[Tuple[str, str]]: ...


Pairs = Iterable[Tuple[Union[str, bytes], Union[str, bytes]]]
"""Headers as ASGI has them."""


def verify_webhook(
    raw_body: Union[bytes, str], headers: Union[Headers, Pairs], secret: str, *, tolerance: float = 300.0
) -> WebhookEvent:
    """Return the event that was posted, or raise WebhookSignatureError where it is not signed with the secret.

    raw_body: the body as it came, before anything parsed it.
    headers: those of the request, in any case: a mapping, or pairs.
    secret: the mailbox's or the route's (`whsec_…`, of `GET /v1/webhook/secret`), for `webhook-signature`; or the
    deployment's WEBHOOK_SECRET, for `X-Webhook-Signature`, which covers neither id nor time.
    tolerance: how many seconds old it may be; only for the first kind.
    """
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    secret = secret.strip()  # as it comes from a file
    pairs: Pairs = headers.items() if hasattr(headers, "items") else headers
    given = {_text(name).lower(): _text(value) for name, value in pairs}
    if not secret:
        raise WebhookSignatureError("There is no secret to check the signature with.")
    if secret.startswith("whsec_"):
        _check_standard(body, given, secret, tolerance)
    else:
        mac = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(given.get("x-webhook-signature", "").encode(), mac.encode()):
            raise WebhookSignatureError("The header X-Webhook-Signature does not fit this body and secret.")
    return _event(body)


def _check_standard(body: bytes, given: Mapping[str, str], secret: str, tolerance: float) -> None:
    try:
        key = base64.b64decode(secret[len("whsec_"):], validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise WebhookSignatureError("The secret is not one: it is whsec_ and base64.")
    name, sent = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", sent):
        raise WebhookSignatureError("The header webhook-timestamp is missing, or no time.")
    if abs(time.time() - int(sent)) > tolerance:
        raise WebhookSignatureError(f"The header webhook-timestamp is more than {tolerance:g} seconds from now.")
    mac = hmac.new(key, f"{name}.{sent}.".encode() + body, hashlib.sha256).digest()
    want = b"v1," + base64.b64encode(mac)
    signatures = given.get("webhook-signature", "").split(" ")
    if not any([hmac.compare_digest(one.encode(), want) for one in signatures]):
        raise WebhookSignatureError("The header webhook-signature does not fit this body and secret.")


def _text(value: Union[str, bytes]) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _event(body: bytes) -> WebhookEvent:
    try:
        said = json.loads(body)
        kind = _KINDS.get(said["event"], models.HookOutcome)
    except (ValueError, KeyError, TypeError) as e:
        raise WebhookSignatureError("The body is no event.") from e
    event: WebhookEvent = decode(kind, said)
    return event
