"""Webhooks: those that the server posts are genuine, and no others."""

import hashlib
import hmac
import threading

import pytest

from conftest import reply, scripted
from mailkin import WebhookSignatureError, models, verify_webhook


@pytest.fixture(scope="module")
def posted(mailkin_server):
    """What the server posts for a message, and the two secrets."""
    came = threading.Event()

    def take(request):
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


def test_genuine(posted):
    body, headers, secret, deployment = posted
    for key in (secret, deployment):
        event = verify_webhook(body, headers, key)
        assert isinstance(event, models.HookEvent)
        assert (event.event, event.subject, event.from_) == ("message.received", "Hello there", "ada@example.com")
    shouted = {k.upper(): v for k, v in headers.items()}
    assert verify_webhook(body.decode(), shouted, secret).subject == "Hello there"
    both = {**headers, "webhook-signature": "v1,AAAA " + headers["webhook-signature"]}
    assert verify_webhook(body, both, secret)


@pytest.mark.parametrize(
    "change",
    [
        {"webhook-signature": "v1,AAAA"}, {"webhook-signature": ""}, {"webhook-id": "msg_other"},
        {"webhook-timestamp": "1"}, {"webhook-timestamp": "now"}, {"webhook-timestamp": "1e9"},
    ],
)
def test_not_genuine(posted, change):
    body, headers, secret, _ = posted
    same = {k.lower(): v for k, v in headers.items()}
    with pytest.raises(WebhookSignatureError):
        verify_webhook(body, {**same, **change}, secret)


def test_other_bodies_and_secrets(posted):
    body, headers, secret, deployment = posted
    for b, h, s in [
        (body + b" ", headers, secret), (body + b" ", headers, deployment), (body, headers, "whsec_AAAA"),
        (body, headers, "whsec_"), (body, headers, "whsec_!"), (body, headers, ""), (body, headers, "other"),
        (body, {}, secret), (body, {}, deployment),
    ]:
        with pytest.raises(WebhookSignatureError):
            verify_webhook(b, h, s)


def test_kinds():
    def event(text):
        body = text.encode()
        mac = hmac.new(b"s3cret", body, hashlib.sha256).hexdigest()
        return verify_webhook(body, {"X-Webhook-Signature": "sha256=" + mac}, "s3cret")

    assert isinstance(event('{"event":"message.bounced","recipient":"a@x.test"}'), models.HookOutcome)
    assert isinstance(event('{"event":"mailbox.sending_paused"}'), models.HookStop)
    assert event('{"event":"mailbox.quota","quota":{"percent":80}}').quota.percent == 80
    for text in ("[]", "{", "7"):
        with pytest.raises(WebhookSignatureError):
            event(text)
