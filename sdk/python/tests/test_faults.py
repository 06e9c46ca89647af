"""What the client does when things go wrong: nothing is missed, and nothing is done twice."""

import json
import threading

import pytest

import mailkin
from conftest import client_of, cut, halfway, reply, scripted

HEALTH = json.dumps({"status": "ok"}).encode()


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    """Pauses are noted, and not made."""
    pauses = []
    monkeypatch.setattr("time.sleep", pauses.append)
    return pauses


def test_retry_after_is_honoured(short_pauses):
    with scripted(reply(429, Retry_After="7"), reply(503, Retry_After="2"), reply(200, HEALTH)) as server:
        client_of(server).send(to="a@x.test")  # a POST: nothing was done
        assert len(server.asked) == 3 and short_pauses == [7.0, 2.0]


def test_gives_up(short_pauses):
    with scripted(reply(429, b'{"error":"Slow down.","code":"rate_limited"}', Retry_After="3")) as server:
        with pytest.raises(mailkin.RateLimitError) as caught:
            client_of(server, max_retries=1).me()
        assert caught.value.retry_after == 3 and caught.value.code == "rate_limited" and len(server.asked) == 2


@pytest.mark.parametrize("fault", [cut, halfway, reply(502), reply(500)])
def test_what_is_safe_is_repeated(fault):
    with scripted(fault, reply(200, HEALTH)) as server:
        assert client_of(server).health().status == "ok" and len(server.asked) == 2


@pytest.mark.parametrize("fault", [cut, halfway, reply(502), reply(500)])
def test_what_is_not_safe_is_not(fault):
    with scripted(fault, reply(200)) as server:
        with pytest.raises(mailkin.MailkinError):
            client_of(server).create_mailbox(name="wren")
        assert len(server.asked) == 1


@pytest.mark.parametrize("fault", [cut, halfway, reply(502), reply(503)])
def test_one_key_per_send(fault):
    with scripted(fault, reply(200)) as server:
        client = client_of(server)
        client.send(to="a@x.test", subject="One")
        keys = [r.headers["Idempotency-Key"] for r in server.asked]
        assert len(keys) == 2 and len(set(keys)) == 1 and server.asked[0].body == server.asked[1].body
        client.send(to="a@x.test", subject="Two")
        client.send(to="a@x.test", subject="Three", idempotency_key="of-my-own-making")
        more = [r.headers["Idempotency-Key"] for r in server.asked[2:]]
        assert more[0] != keys[0] and more[1] == "of-my-own-making"


def test_slow_answer():
    done = threading.Event()
    with scripted(lambda r: done.wait(10)) as server:
        with pytest.raises(mailkin.APITimeoutError):
            client_of(server, timeout=0.2, max_retries=0).me()
        done.set()


def test_a_file_is_read_again(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"x" * 1000)
    with scripted(reply(503), reply(200)) as server, open(tmp_path / "a.bin", "rb") as f:
        client_of(server).attach_to_draft("1", file=f)
        assert server.asked[0].body.count(b"x" * 1000) == server.asked[1].body.count(b"x" * 1000) == 1


def test_a_download_goes_on_where_it_broke():
    def rest(request):
        assert request.headers["Range"] == "bytes=5-"
        request.reply(206, b" world", ETag='"1"')

    def first(request):
        request.send_response(200)
        request.send_header("ETag", '"1"')
        request.send_header("Content-Length", "11")
        request.end_headers()
        request.wfile.write(b"hello")
        request.close_connection = True

    with scripted(first, rest) as server:
        assert client_of(server).attachment(id="1").read() == b"hello world"
    with scripted(first, reply(206, b" world", ETag='"2"')) as server:  # another file by now
        with pytest.raises(mailkin.APIConnectionError):
            client_of(server).attachment(id="1").read()


def event(n):
    return f'id: {n}\nevent: message.received\ndata: {{"event":"message.received","subject":"n{n}"}}\n\n'.encode()


def stream(*pieces):
    def answer(request):
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.end_headers()
        for piece in (b"retry: 1000\n\n: keepalive\n\n",) + pieces:
            request.wfile.write(piece)
        request.close_connection = True

    return answer


def test_events_without_gap_or_duplicate():
    with scripted(
        stream(event(1), event(2), event(3)[:-20]), cut, reply(503, Retry_After="1"), stream(event(2), event(3)),
        stream(), stream(event(4)),
    ) as server:
        seen = []
        events = client_of(server).events()
        for e in events:
            seen.append(e.subject)
            if len(seen) == 4:
                break
        assert seen == ["n1", "n2", "n3", "n4"] and events.last_id == "4"
        asked = [r.path.partition("last_event_id=")[2] for r in server.asked]
        assert asked == ["", "2", "2", "2", "3", "3"]


def test_events_end_with_what_is_no_fault():
    with scripted(reply(401, b'{"error":"Unauthorized"}')) as server:
        with pytest.raises(mailkin.AuthenticationError):
            next(iter(client_of(server).events()))


def test_a_wait_keeps_to_its_time(short_pauses):
    with scripted(reply(429, b'{"error":"Slow down."}', Retry_After="60")) as server:
        box = mailkin.Mailbox(client_of(server), "a@x.test", "1", None)
        with pytest.raises((mailkin.RateLimitError, mailkin.WaitTimeoutError)):
            box.wait_for_message(timeout=0.3)
        assert short_pauses and short_pauses[0] <= 0.3
