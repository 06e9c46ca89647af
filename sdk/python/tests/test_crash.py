"""The real server is killed and comes back, in the middle of things: nothing is missed, and nothing is doubled."""

import threading
import time
from typing import Iterator, List

import pytest

from conftest import Connect
from mailkin import Server


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as own:
        yield own


def test_killed_in_a_wait(server: Server, connect: Connect) -> None:
    begun = threading.Event()

    def asked(path: str) -> None:
        if path == "/v1/code":
            threading.Timer(0.2, begun.set).start()  # by then the server has it

    box = connect(server.url, server.new_mailbox().api_key, asked=asked).open_mailbox()
    server.mail(box.address, "before")
    assert box.wait_for_message(timeout=30).subject == "before"
    got: List[str] = []
    waiting = threading.Thread(target=lambda: got.append(box.wait_for_code(timeout=60)))
    waiting.start()
    assert begun.wait(30)
    server.kill()
    server.start()
    server.mail(box.address, "after", "Your verification code is 482915.")
    waiting.join(60)
    assert got == ["482915"]
    assert box.wait_for_message(timeout=30).subject == "after"


def test_killed_in_a_stream(server: Server, connect: Connect) -> None:
    box = server.new_mailbox()
    client = connect(server.url, box.api_key)
    seen: List[str] = []
    first, done = threading.Event(), threading.Event()

    def follow() -> None:
        for event in client.events(types="message.received", last_event_id=box.mark):
            seen.append(event.subject or "")
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


def test_killed_in_a_send(server: Server, connect: Connect) -> None:
    sender, box = server.new_mailbox(), server.new_mailbox()
    client = connect(server.url, sender.api_key, max_retries=20)

    def kills() -> None:
        for _ in range(3):
            time.sleep(0.03)  # not a wait for something: the moment of the kill
            server.kill()
            server.start()

    killing = threading.Thread(target=kills)
    killing.start()
    sent = [f"n{n}" for n in range(40)]
    for subject in sent:
        client.send(to=box.address, subject=subject, text="Only once.")
    killing.join()
    assert sorted(m.subject for m in sender.client.inbox(direction="outbound")) == sorted(sent)
    assert sorted(m.subject for m in box.client.inbox()) == sorted(sent)
