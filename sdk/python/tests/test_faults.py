"""What both clients do when things go wrong: nothing is missed, and nothing is done twice."""

import asyncio
import json
import math
import pickle
import threading
import time
from email.utils import formatdate
from pathlib import Path
from typing import Any, Callable, List

import pytest

import mailkin
from conftest import Connect, Script, Step, cut, halfway, reply, scripted
from mailkin import Mailbox, models

HEALTH = json.dumps({"status": "ok"}).encode()
SLOW_DOWN = b'{"error":"Slow down.","code":"rate_limited"}'


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> List[float]:
    """Pauses are noted, and not made."""
    pauses: List[float] = []

    sleep = asyncio.sleep

    async def note(seconds: float) -> None:
        if seconds:  # else others get their turn
            pauses.append(seconds)
        await sleep(0)

    monkeypatch.setattr("time.sleep", pauses.append)
    monkeypatch.setattr("asyncio.sleep", note)
    return pauses


def hang(request: Script) -> None:
    """Answer nothing until the client hangs up."""
    request.connection.recv(1)
    request.close_connection = True


def test_retry_after_is_honoured(connect: Connect, short_pauses: List[float]) -> None:
    with scripted(reply(429, Retry_After="7"), reply(503, Retry_After="2"), reply(200, HEALTH)) as server:
        connect(server.url).send(to="a@x.test")  # a POST: nothing was done
        assert len(server.asked) == 3 and short_pauses == [7.0, 2.0]


def test_retry_after_may_be_a_date(connect: Connect, short_pauses: List[float]) -> None:
    ahead = formatdate(time.time() + 7, usegmt=True)
    with scripted(reply(503, Retry_After=ahead), reply(429, Retry_After=ahead)) as server:
        with pytest.raises(mailkin.RateLimitError) as caught:
            connect(server.url, max_retries=1).me()
        assert 0 < short_pauses[0] <= 8 and 0 < (caught.value.retry_after or 0) <= 8
    with scripted(reply(429, Retry_After="soon")) as server:
        with pytest.raises(mailkin.RateLimitError) as caught:
            connect(server.url, max_retries=0).me()
        assert caught.value.retry_after is None


def test_what_was_deleted_is_not_deleted_again(connect: Connect) -> None:
    with scripted(cut, reply(404)) as server:
        with pytest.raises(mailkin.APIConnectionError):  # and not that there is no such message
            connect(server.url).delete_email(id="1")
        assert len(server.asked) == 1


def test_gives_up(connect: Connect) -> None:
    with scripted(reply(429, SLOW_DOWN, Retry_After="3")) as server:
        with pytest.raises(mailkin.RateLimitError) as caught:
            connect(server.url, max_retries=1).me()
        assert caught.value.retry_after == 3 and caught.value.code == "rate_limited" and len(server.asked) == 2
    copy = pickle.loads(pickle.dumps(caught.value))  # as it comes from another process
    assert isinstance(copy, mailkin.RateLimitError) and str(copy) == str(caught.value) and copy.retry_after == 3


@pytest.mark.parametrize("fault", [cut, halfway, hang, reply(502), reply(500)])
def test_what_is_safe_is_repeated(connect: Connect, fault: Step) -> None:
    with scripted(fault, reply(200, HEALTH)) as server:
        assert connect(server.url, timeout=0.5).health().status == "ok" and len(server.asked) == 2


@pytest.mark.parametrize("fault", [cut, halfway, hang, reply(502), reply(500)])
def test_what_is_not_safe_is_not(connect: Connect, fault: Step) -> None:
    with scripted(fault, reply(200)) as server:
        with pytest.raises(mailkin.MailkinError) as caught:
            connect(server.url, timeout=0.5).create_mailbox(name="wren")
        assert len(server.asked) == 1
        assert isinstance(caught.value, mailkin.APITimeoutError) == (fault is hang)


@pytest.mark.parametrize("fault", [cut, halfway, hang, reply(502), reply(503)])
def test_one_key_per_send(connect: Connect, fault: Step) -> None:
    with scripted(fault, reply(200)) as server:
        client = connect(server.url, timeout=0.5)
        client.send(to="a@x.test", subject="One")
        keys = [r.headers["Idempotency-Key"] for r in server.asked]
        assert len(keys) == 2 and len(set(keys)) == 1 and server.asked[0].body == server.asked[1].body
        client.send(to="a@x.test", subject="Two")
        client.send(to="a@x.test", subject="Three", idempotency_key="of-my-own-making")
        more = [r.headers["Idempotency-Key"] for r in server.asked[2:]]
        assert more[0] != keys[0] and more[1] == "of-my-own-making"


def test_a_file_is_read_again(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"x" * 1000)
    with scripted(reply(503), reply(200)) as server, open(tmp_path / "a.bin", "rb") as f:
        connect(server.url).attach_to_draft("1", file=f)
        assert server.asked[0].body.count(b"x" * 1000) == server.asked[1].body.count(b"x" * 1000) == 1


def first_half(request: Script) -> None:
    request.send_response(200)
    request.send_header("ETag", '"1"')
    request.send_header("Content-Length", "11")
    request.end_headers()
    request.wfile.write(b"hello")
    request.close_connection = True


def test_a_download_goes_on_where_it_broke(connect: Connect, tmp_path: Path) -> None:
    def rest(request: Script) -> None:
        assert request.headers["Range"] == "bytes=5-"
        request.reply(206, b" world", ETag='"1"')

    with scripted(first_half, rest) as server:
        assert connect(server.url).attachment(id="1").read() == b"hello world"
    with scripted(first_half, reply(206, b" world", ETag='"2"')) as server:  # another file by now
        with pytest.raises(mailkin.APIConnectionError):
            connect(server.url).attachment(id="1").save(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []  # not half of it


def event(n: int) -> bytes:
    return f'id: {n}\nevent: message.received\ndata: {{"event":"message.received","subject":"n{n}"}}\n\n'.encode()


def stream(*pieces: bytes, then: Step = lambda request: None) -> Step:
    def answer(request: Script) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.end_headers()
        for piece in (b"retry: 1000\n\n: keepalive\n\n",) + pieces:
            request.wfile.write(piece)
        then(request)
        request.close_connection = True

    return answer


def test_events_without_gap_or_duplicate(connect: Connect) -> None:
    with scripted(
        stream(event(1), event(2), event(3)[:-20]), cut, reply(503, Retry_After="1"), reply(429),
        stream(event(2), event(3), then=hang), stream(), stream(event(4)),
    ) as server:
        seen = []
        events = connect(server.url, timeout=0.5).events()
        for e in events:
            seen.append(e.subject)
            if len(seen) == 4:
                break
        assert seen == ["n1", "n2", "n3", "n4"] and events.last_id == "4"
        asked = [r.path.partition("last_event_id=")[2] for r in server.asked]
        assert asked == ["", "2", "2", "2", "2", "3", "3"]


def test_lines_end_where_the_server_ends_them(connect: Connect) -> None:
    odd = "a\u0085b\u2028c\x0cd\x1ce"
    data = ('id: 7\ndata: {"event":"message.received","subject":"%s"}\r\n\r\n' % odd.replace("\x0c", "\\f")).encode()
    with scripted(stream(data.replace(b"\x1c", b"\\u001c")[:30], data.replace(b"\x1c", b"\\u001c")[30:])) as server:
        for e in connect(server.url).events():
            assert e.subject == odd
            break


@pytest.mark.parametrize(
    "answer, kind",
    [
        (reply(401, b'{"error":"Unauthorized"}'), mailkin.AuthenticationError),
        (reply(200, b"<html></html>", Content_Type="text/html"), mailkin.UnexpectedAnswerError),
    ],
)
def test_events_end_with_what_is_no_fault(connect: Connect, answer: Step, kind: type) -> None:
    with scripted(answer) as server:
        with pytest.raises(kind):
            next(iter(connect(server.url).events()))
        assert len(server.asked) == 1


def test_a_wait_goes_through_faults(connect: Connect) -> None:
    me = json.dumps({"mailbox": "a@x.test", "event_id": "1"}).encode()
    code = json.dumps({"id": "m", "code": "482915", "event_id": "2"}).encode()
    email = json.dumps({"email": {"id": "m", "subject": "n"}, "event_id": "2"}).encode()
    faults: List[Step] = [cut, halfway, reply(502), reply(503, Retry_After="1"), reply(429, SLOW_DOWN)]
    nothing = reply(200, b'{"code":null}')
    with scripted(reply(200, me), *faults, nothing, reply(200, code), *faults, reply(200, email)) as server:
        box = connect(server.url).open_mailbox()
        assert box.wait_for_code(timeout=60) == "482915"
        assert box.wait_for_message(timeout=60).subject == "n"
        assert all("after=1&" in r.path + "&" for r in server.asked[1:])


ME = json.dumps({"mailbox": "a@x.test", "event_id": "1"}).encode()
CODE = json.dumps({"id": "m", "code": "482915", "event_id": "2"}).encode()


def test_a_code_is_consumed_once(connect: Connect) -> None:
    """A wait goes through faults until there is a code. Whether it was taken in a call that broke, nobody knows."""
    there = reply(200, CODE)
    refused = reply(503, Retry_After="1")
    with scripted(reply(200, ME), cut, reply(502), there, refused, there, there) as server:
        assert box_at(connect, server.url).wait_for_code(timeout=60, consume=True) == "482915"
        assert ["consume=true" in r.path for r in server.asked[1:]] == [False, False, False, True, False, True]
    with scripted(reply(200, ME), there, cut, there) as server:
        with pytest.raises(mailkin.APIConnectionError):
            box_at(connect, server.url).wait_for_code(timeout=60, consume=True)
        assert len(server.asked) == 3
    with scripted(reply(200, ME), there, reply(200, b'{"code":null}'), there) as server:  # another call has it
        assert box_at(connect, server.url).wait_for_code(timeout=60, consume=True) == "482915"
        assert ["after=2" in r.path for r in server.asked[1:]] == [False, False, True, True]


def wait_for_code(box: Mailbox, **more: Any) -> None:
    box.wait_for_code(**more)


def wait_for_message(box: Mailbox, **more: Any) -> None:
    box.wait_for_message(**more)


@pytest.mark.parametrize("wait", [wait_for_code, wait_for_message])
def test_a_wait_keeps_to_its_time(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, wait: Callable[..., None]
) -> None:
    """A server that hangs does not hold it up, nor one that wants to be left alone."""
    monkeypatch.setattr("mailkin._waiting.GRACE", 0.1)
    with scripted(reply(200, ME), hang) as server:
        box, begun = box_at(connect, server.url), time.monotonic()
        with pytest.raises(mailkin.WaitTimeoutError, match="The last attempt failed: The server did not answer"):
            wait(box, timeout=0.1)
        with pytest.raises(mailkin.APITimeoutError):  # not that nothing came
            box.expect_nothing(0.1)
        assert time.monotonic() - begun < 20  # and not the 30 s of the client


@pytest.mark.parametrize("wait", [wait_for_code, wait_for_message])
@pytest.mark.parametrize("fault", [hang, reply(429, SLOW_DOWN, Retry_After="60")])
def test_a_wait_is_cancelled_at_once(connect: Connect, wait: Callable[..., None], fault: Step) -> None:
    with scripted(reply(200, ME), fault) as server:
        box, stop, begun = box_at(connect, server.url), threading.Event(), time.monotonic()
        threading.Timer(0.3, stop.set).start()
        with pytest.raises(mailkin.WaitTimeoutError, match="before the wait was cancelled"):
            wait(box, timeout=600, cancel=stop)
        assert time.monotonic() - begun < 20


def test_odd_timeouts(connect: Connect) -> None:
    with scripted(reply(200, ME), reply(200, CODE)) as server:
        box = box_at(connect, server.url)
        for seconds in (0, -1, 0.001, math.inf, 1e300):  # what is there is found
            assert box.wait_for_code(after="1", timeout=seconds) == "482915"
        with pytest.raises(mailkin.MailkinError, match="no number"):
            box.wait_for_code(timeout=math.nan)
        with pytest.raises(mailkin.MailkinError, match="no kind of links 'nonsense': they are verification, "):
            box.wait_for_link(kind="nonsense")  # type: ignore[arg-type]


@pytest.mark.parametrize("body", [b"[]", b"null", b'"x"', b"5", b""])
def test_json_of_another_shape(connect: Connect, body: bytes) -> None:
    with scripted(reply(200, body)) as server:
        client = connect(server.url)
        calls: List[Callable[[], object]] = [client.me, client.bootstrap, client.open_mailbox, client.inbox().first]
        for call in calls:
            with pytest.raises(mailkin.UnexpectedAnswerError):
                call()


def test_a_mailbox_without_a_mark_is_none(connect: Connect) -> None:
    """Without one a wait would begin by the clock."""
    with scripted(reply(200)) as server:
        for call in (connect(server.url).bootstrap, connect(server.url).open_mailbox):
            with pytest.raises(mailkin.UnexpectedAnswerError):
                call()


def box_at(connect: Connect, url: str) -> Mailbox:
    client = connect(url)
    return client.open_mailbox()


def test_a_wait_says_that_it_could_not_ask(connect: Connect, short_pauses: List[float]) -> None:
    me = json.dumps({"mailbox": "a@x.test", "event_id": "1"}).encode()
    with scripted(reply(200, me), reply(429, SLOW_DOWN, Retry_After="60")) as server:
        box = box_at(connect, server.url)
        with pytest.raises(mailkin.WaitTimeoutError, match="The last attempt failed: Slow down"):
            box.wait_for_message(timeout=0.3)
        assert short_pauses and short_pauses[0] <= 0.3
        with pytest.raises(mailkin.WaitTimeoutError, match="The last attempt failed: Slow down"):
            box.wait_for_code(timeout=0.3)
        with pytest.raises(mailkin.RateLimitError):  # not that nothing came
            box.expect_nothing(0.3)


@pytest.mark.parametrize("path", ["", "/elsewhere"])
def test_what_is_no_mailkin(connect: Connect, path: str) -> None:
    with scripted(reply(200, b"<html>Hello</html>", Content_Type="text/html")) as server:
        with pytest.raises(mailkin.UnexpectedAnswerError, match="is that a Mailkin"):
            connect(server.url + path).me()
    with scripted(reply(308, Location="https://mail.example.com/v1/me")) as server:
        with pytest.raises(mailkin.APIError, match="https://mail.example.com/v1/me: give that address") as caught:
            connect(server.url + path).me()
        assert (caught.value.status, caught.value.code) == (308, "redirected") and len(server.asked) == 1


@pytest.mark.parametrize("url", ["mail.example.com", "ftp://mail.example.com", "https://", "/"])
def test_what_is_no_address(connect: Connect, url: str) -> None:
    with pytest.raises(mailkin.MailkinError, match="is no URL"):
        connect(url)


def test_what_is_no_key(connect: Connect) -> None:
    for key in ("mk_a\nb", "mk_ü", "mk a"):
        with pytest.raises(mailkin.MailkinError, match="The key is none"):
            connect("http://x.test", key)
    assert connect("http://x.test", " mk_1\n").api_key == "mk_1"  # as it comes from a file


def test_answers_of_other_versions(connect: Connect) -> None:
    """What is new is left out, and what is missing is None."""
    with scripted(reply(200, b'{"mailbox":"a@x.test","something":{"new":1}}'), reply(404)) as server:
        me = connect(server.url).me()
        assert isinstance(me, models.Me) and me.mailbox == "a@x.test" and me.event_id is None
        with pytest.raises(mailkin.NotFoundError):
            connect(server.url).me()


def test_many_wait_at_once() -> None:
    """More than httpx has connections for by default."""
    together = threading.Barrier(130)

    def answer(request: Script) -> None:
        together.wait(30)
        request.reply(200, HEALTH)

    with scripted(answer) as server, mailkin.Mailkin("mk_test", base_url=server.url, timeout=20) as client:
        threads = [threading.Thread(target=client.health) for _ in range(130)]
        for t in threads:
            t.start()
        for t in threads:
            t.join(60)
        assert len(server.asked) == 130 and not together.broken
