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


def verify_webhook(
    raw_body: Union[bytes, str], headers: Headers, secret: str, *, tolerance: float = 300.0
) -> WebhookEvent:
    """Return the event that was posted, or raise WebhookSignatureError where it is not signed with the secret.

    raw_body: the body as it came, before anything parsed it.
    headers: those of the request, in any case.
    secret: the mailbox's or the route's (`whsec_…`, of `GET /v1/webhook/secret`), for `webhook-signature`; or the
    deployment's WEBHOOK_SECRET, for `X-Webhook-Signature`, which covers neither id nor time.
    tolerance: how many seconds old it may be; only for the first kind.
    """
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    given = {name.lower(): value for name, value in headers.items()}
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
    if not re.fullmatch("[0-9]{1,12}", sent) or abs(time.time() - int(sent)) > tolerance:
        raise WebhookSignatureError("The header webhook-timestamp is missing, or too far from now.")
    mac = hmac.new(key, f"{name}.{sent}.".encode() + body, hashlib.sha256).digest()
    want = b"v1," + base64.b64encode(mac)
    signatures = given.get("webhook-signature", "").split(" ")
    if not any([hmac.compare_digest(one.encode(), want) for one in signatures]):
        raise WebhookSignatureError("The header webhook-signature does not fit this body and secret.")


def _event(body: bytes) -> WebhookEvent:
    try:
        said = json.loads(body)
        kind = _KINDS.get(said["event"], models.HookOutcome)
    except (ValueError, KeyError, TypeError) as e:
        raise WebhookSignatureError("The body is no event.") from e
    event: WebhookEvent = decode(kind, said)
    return event
