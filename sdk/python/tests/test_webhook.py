"""Webhooks: those that the server posts are genuine, and no others."""

import hashlib
import hmac
import threading
from typing import Dict, List, Tuple

import pytest

from conftest import Script, scripted
from mailkin import Server, WebhookEvent, WebhookSignatureError, models, verify_webhook

Posted = Tuple[bytes, Dict[str, str], str, str]


@pytest.fixture(scope="module")
def posted(mailkin_server: Server) -> Posted:
    """What the server posts for a message, and the two secrets."""
    came = threading.Event()

    def take(request: Script) -> None:
        request.reply(204, b"")
        came.set()

    with scripted(take) as receiver, mailkin_server.client() as operator:
        made = operator.create_mailbox(name="hooked")
        with mailkin_server.client(made.api_key) as own:
            own.change_mailbox(webhook_url=receiver.url)
            mailkin_server.mail(made.mailbox, "Hello there")
            assert came.wait(20)
            request = receiver.asked[0]
            return request.body, dict(request.headers), own.webhook_secret().secret, mailkin_server.webhook_secret


def test_genuine(posted: Posted) -> None:
    body, headers, secret, deployment = posted
    for key in (secret, deployment):
        event = verify_webhook(body, headers, key)
        assert isinstance(event, models.HookEvent)
        assert (event.event, event.subject, event.from_) == ("message.received", "Hello there", "ada@example.com")
    shouted = {k.upper(): v for k, v in headers.items()}
    assert verify_webhook(body.decode(), shouted, secret).subject == "Hello there"
    both = {**headers, "webhook-signature": "v1,AAAA " + headers["webhook-signature"]}
    assert verify_webhook(body, both, secret)
    pairs = [(k.encode(), v.encode()) for k, v in headers.items()]  # as ASGI has them
    assert verify_webhook(body, pairs, secret + "\n") == verify_webhook(body, list(headers.items()), secret)


@pytest.mark.parametrize(
    "change",
    [
        {"webhook-signature": "v1,AAAA"}, {"webhook-signature": ""}, {"webhook-id": "msg_other"},
        {"webhook-timestamp": "1"}, {"webhook-timestamp": "now"}, {"webhook-timestamp": "1e9"},
    ],
)
def test_not_genuine(posted: Posted, change: Dict[str, str]) -> None:
    body, headers, secret, _ = posted
    same = {k.lower(): v for k, v in headers.items()}
    with pytest.raises(WebhookSignatureError):
        verify_webhook(body, {**same, **change}, secret)


def test_other_bodies_and_secrets(posted: Posted) -> None:
    body, headers, secret, deployment = posted
    forged: List[Tuple[bytes, Dict[str, str], str]] = [
        (body + b" ", headers, secret), (body + b" ", headers, deployment), (body, headers, "whsec_AAAA"),
        (body, headers, "whsec_"), (body, headers, "whsec_!"), (body, headers, ""), (body, headers, "other"),
        (body, {}, secret), (body, {}, deployment),
    ]
    for b, h, s in forged:
        with pytest.raises(WebhookSignatureError):
            verify_webhook(b, h, s)


def test_kinds() -> None:
    def event(text: str) -> WebhookEvent:
        body = text.encode()
        mac = hmac.new(b"s3cret", body, hashlib.sha256).hexdigest()
        return verify_webhook(body, {"X-Webhook-Signature": "sha256=" + mac}, "s3cret")

    assert isinstance(event('{"event":"message.bounced","recipient":"a@x.test"}'), models.HookOutcome)
    assert isinstance(event('{"event":"mailbox.sending_paused"}'), models.HookStop)
    full = event('{"event":"mailbox.quota","quota":{"percent":80}}')
    assert isinstance(full, models.HookQuota) and full.quota.percent == 80
    for text in ("[]", "{", "7"):
        with pytest.raises(WebhookSignatureError):
            event(text)
