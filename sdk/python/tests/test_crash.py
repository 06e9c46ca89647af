"""The real server is killed and comes back, in the middle of things: nothing is missed, and nothing is doubled."""

import threading

import httpx
import pytest

from mailkin import Mailkin, Server


@pytest.fixture
def server():
    with Server() as own:
        yield own


class Cut(httpx.BaseTransport):
    """A way to the server on which the answers to some requests are lost, after the server has done its work."""

    def __init__(self, lose):
        self.inner, self.lose, self.lost = httpx.HTTPTransport(), lose, 0

    def handle_request(self, request):
        response = self.inner.handle_request(request)
        if request.method == "POST" and self.lost < self.lose:
            self.lost += 1
            response.read()
            raise httpx.ReadError("cut")
        return response


def test_killed_in_a_wait(server):
    box = server.new_mailbox()
    server.mail(box.address, "before")
    assert box.wait_for_message(timeout=30).subject == "before"
    got = []
    waiting = threading.Thread(target=lambda: got.append(box.wait_for_code(timeout=60)))
    waiting.start()
    server.kill()
    server.start()
    server.mail(box.address, "after", "Your verification code is 482915.")
    waiting.join(60)
    assert got == ["482915"]
    assert box.wait_for_message(timeout=30).subject == "after"


def test_killed_in_a_stream(server):
    box = server.new_mailbox()
    seen, first, done = [], threading.Event(), threading.Event()

    def follow():
        for event in box.client.events(types="message.received", last_event_id=box.mark):
            seen.append(event.subject)
            first.set()
            if event.subject == "n5":
                break
        done.set()

    threading.Thread(target=follow, daemon=True).start()
    for n in range(3):
        server.mail(box.address, f"n{n}")
    assert first.wait(30)
    server.kill()
    server.start()
    for n in range(3, 6):
        server.mail(box.address, f"n{n}")
    assert done.wait(60) and seen == [f"n{n}" for n in range(6)]


def test_killed_in_a_send(server):
    sender, box = server.new_mailbox(), server.new_mailbox()
    http = httpx.Client(transport=Cut(2))
    client = Mailkin(sender.api_key, base_url=server.url, http_client=http, max_retries=8)
    client.send(to=box.address, subject="One", text="Only once.")  # stored, twice unanswered, and asked for again
    assert http._transport.lost == 2
    server.kill()  # while the next one is under way
    back = threading.Timer(0.3, server.start)
    back.start()
    client.send(to=box.address, subject="Two", text="Only once.")
    back.join()
    assert {box.wait_for_message(timeout=30).subject for _ in range(2)} == {"One", "Two"}
    assert len(sender.client.inbox(direction="outbound").all()) == 2 == len(box.client.inbox().all())
