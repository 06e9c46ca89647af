"""The real server is killed and comes back, in the middle of things: nothing is missed, and nothing is doubled."""

import threading
import time

import httpx
import pytest

from mailkin import Mailkin, Server


@pytest.fixture
def server():
    with Server() as own:
        yield own


class Watched(httpx.BaseTransport):
    """A way to the server that tells when a request for a path has been sent off."""

    def __init__(self, path):
        self.inner, self.path, self.begun = httpx.HTTPTransport(), path, threading.Event()

    def handle_request(self, request):
        if request.url.path == self.path:
            threading.Timer(0.2, self.begun.set).start()  # by then the server has it
        return self.inner.handle_request(request)


def test_killed_in_a_wait(server):
    way = Watched("/v1/code")
    client = Mailkin(server.new_mailbox().api_key, base_url=server.url, http_client=httpx.Client(transport=way))
    box = client.open_mailbox()
    server.mail(box.address, "before")
    assert box.wait_for_message(timeout=30).subject == "before"
    got = []
    waiting = threading.Thread(target=lambda: got.append(box.wait_for_code(timeout=60)))
    waiting.start()
    assert way.begun.wait(30)
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
    client = Mailkin(sender.api_key, base_url=server.url, max_retries=20)

    def kills():
        for _ in range(3):
            time.sleep(0.03)  # not a wait for something: the moment of the kill
            server.kill()
            server.start()

    killing = threading.Thread(target=kills)
    killing.start()
    sent = [f"n{n}" for n in range(60)]
    for subject in sent:
        client.send(to=box.address, subject=subject, text="Only once.")
    killing.join()
    assert sorted(m.subject for m in sender.client.inbox(direction="outbound")) == sorted(sent)
    assert sorted(m.subject for m in box.client.inbox()) == sorted(sent)
