"""Waiting: nothing is missed, nothing is stale, and clocks do not matter."""

import asyncio
import inspect
import threading
from typing import Iterator, List

import pytest

import mailkin
from conftest import Connect
from mailkin import AsyncMailkin, Mailbox, Mailkin, Server, models


@pytest.fixture
def box(mailkin_server: Server) -> Iterator[Mailbox]:
    with mailkin_server.client("") as client:
        yield client.bootstrap()


def code(n: int) -> str:
    return f"Your verification code is {n}."


def test_one_line_to_a_code(mailkin_server: Server) -> None:
    box = Mailkin(base_url=mailkin_server.url).bootstrap()
    threading.Timer(0.2, mailkin_server.mail, (box.address, "Sign in", code(482915))).start()
    got = box.wait_for_code(from_="example.com", timeout=30)
    assert got == "482915" and got.detail.subject == "Sign in" and (box.api_key or "").startswith("mk_")


def test_codes_are_never_stale(mailkin_server: Server, box: Mailbox) -> None:
    mailkin_server.mail(box.address, "one", code(111111))
    mailkin_server.mail(box.address, "two", code(222222))
    assert box.wait_for_code(timeout=20) == "222222"  # it came before the call; the first one is superseded
    with pytest.raises(mailkin.WaitTimeoutError) as caught:
        box.wait_for_code(timeout=0.2)
    assert "'two' from ada@example.com" in str(caught.value) and isinstance(caught.value, TimeoutError)
    mailkin_server.mail(box.address, "three", code(333333))
    assert box.wait_for_code(timeout=20) == "333333"
    again = mailkin.Mailbox(box.client, box.address, box.mark, None)
    assert again.wait_for_code(timeout=20) == "333333"


def test_messages_come_in_their_order_and_once(mailkin_server: Server, box: Mailbox) -> None:
    for n in range(3):
        mailkin_server.mail(box.address, f"n{n}")
    assert [box.wait_for_message(timeout=20).subject for _ in range(3)] == ["n0", "n1", "n2"]
    box.expect_nothing(0.1)
    mailkin_server.mail(box.address, "n3")
    with pytest.raises(mailkin.UnexpectedMessageError) as caught:
        box.expect_nothing(20)
    assert caught.value.email.subject == "n3" and "'n3' from" in str(caught.value)
    assert box.wait_for_message(subject="n3", timeout=20).subject == "n3"
    assert box.wait_for_message(after=box.mark, match=lambda m: m.subject > "n0", timeout=20).subject == "n1"


def test_codes_of_two_senders(mailkin_server: Server, box: Mailbox) -> None:
    mailkin_server.mail(box.address, "one", code(111111), from_="a@one.example")
    mailkin_server.mail(box.address, "two", code(222222), from_="a@two.example")
    assert box.wait_for_code("two.example", timeout=20) == "222222"
    assert box.wait_for_code("one.example", timeout=20) == "111111"  # it came before, and is not missed
    for sender in (None, "two.example"):  # and neither is returned again
        with pytest.raises(mailkin.WaitTimeoutError):
            box.wait_for_code(sender, timeout=0.2)
    mailkin_server.mail(box.address, "three", code(333333), from_="a@two.example")
    assert box.wait_for_code(timeout=20) == "333333"


def test_what_was_returned_is_not_asked_for_again(mailkin_server: Server, connect: Connect) -> None:
    asked: List[str] = []
    box = connect(mailkin_server.url, mailkin_server.new_mailbox().api_key, asked=asked.append).open_mailbox()
    for n in range(6):
        mailkin_server.mail(box.address, f"n{n}", f"See https://example.com/{n}")
    assert box.wait_for_message(match=lambda m: m.subject == "n3", timeout=20).subject == "n3"
    before = len(asked)
    got = [box.wait_for_message(timeout=20).subject for _ in range(5)]
    assert got == ["n0", "n1", "n2", "n4", "n5"] and len(asked) - before == 6
    assert [box.wait_for_link(timeout=20)[-1] for _ in range(6)] == list("012345") and len(asked) - before == 12
    assert box.wait_for_message(after=box.mark, timeout=20).subject == "n0"


def test_what_was_returned_is_passed_over(mailkin_server: Server, connect: Connect) -> None:
    """Also where a function chooses, which may choose otherwise the next time."""
    asked: List[str] = []
    box = connect(mailkin_server.url, mailkin_server.new_mailbox().api_key, asked=asked.append).open_mailbox()
    for n in range(8):
        mailkin_server.mail(box.address, f"n{n}")
    del asked[:]
    assert [box.wait_for_message(match=lambda m: m.subject != "n2", timeout=20).subject for _ in range(6)] == [
        "n0", "n1", "n3", "n4", "n5", "n6"
    ]
    assert len(asked) == 10  # each message once, and n2 once more in each call after it
    assert box.wait_for_message(query="n2", timeout=20).subject == "n2"
    assert box.wait_for_message(timeout=20).subject == "n7"
    del asked[:]
    box.expect_nothing(0.1)
    assert len(asked) == 9
    box.expect_nothing(0.1)
    assert len(asked) == 10


def test_a_code_is_not_older_than_the_last(mailkin_server: Server, mailbox: Mailbox) -> None:
    mailkin_server.mail(mailbox.address, "one", code(111111))
    mailkin_server.mail(mailbox.address, "two", code(222222))
    got = mailbox.wait_for_code(timeout=20)
    mailbox.client.delete_email(id=got.detail.id)
    with pytest.raises(mailkin.WaitTimeoutError):
        mailbox.wait_for_code("ada@example.com", timeout=0.1)


def test_a_match_that_is_awaited(mailkin_server: Server, box: Mailbox) -> None:
    async def second(m: models.Email) -> bool:
        return m.subject == "n1"

    for n in range(2):
        mailkin_server.mail(box.address, f"n{n}")

    async def use() -> None:
        async with AsyncMailkin(box.api_key, base_url=mailkin_server.url) as client:
            own = mailkin.AsyncMailbox(client, box.address, box.mark, None)
            assert (await own.wait_for_message(match=second, timeout=20)).subject == "n1"

    asyncio.run(use())
    with pytest.raises(mailkin.MailkinError, match="AsyncMailbox"):
        box.wait_for_message(match=second, timeout=20)  # type: ignore[arg-type]


def test_consume(mailkin_server: Server, mailbox: Mailbox) -> None:
    mailkin_server.mail(mailbox.address, "one", code(111111))
    other = mailkin.Mailbox(mailbox.client, mailbox.address, mailbox.mark, None)
    assert mailbox.wait_for_code(timeout=20, consume=True) == "111111"
    with pytest.raises(mailkin.WaitTimeoutError):
        other.wait_for_code(timeout=0.1, consume=True)
    mailkin_server.mail(mailbox.address, "two", code(222222))
    assert other.wait_for_code(timeout=20, consume=True) == "222222"


def test_threads_share_a_mailbox(mailkin_server: Server, box: Mailbox) -> None:
    got: List[str] = []
    threads = [
        threading.Thread(target=lambda: got.append(box.wait_for_message(timeout=30).subject)) for _ in range(8)
    ]
    for t in threads:
        t.start()
    for n in range(8):
        mailkin_server.mail(box.address, f"n{n}")
    for t in threads:
        t.join(60)
    assert sorted(got) == [f"n{n}" for n in range(8)]


def test_links(mailkin_server: Server, box: Mailbox) -> None:
    mailkin_server.mail(box.address, "Other", "See https://example.com/news for more.")
    mailkin_server.mail(box.address, "Verify", html='<a href="https://example.com/verify?t=1">Verify your address</a>')
    link = box.wait_for_link(kind="verification", timeout=20)
    assert link == "https://example.com/verify?t=1" and link.detail.kind == "verification"
    assert link.email.subject == "Verify"
    assert box.wait_for_link(contains="/news", timeout=20).email.subject == "Other"


def test_marks(mailkin_server: Server, mailbox: Mailbox, own: Mailkin) -> None:
    mailkin_server.mail(mailbox.address, "before", code(111111))
    box = own.open_mailbox()
    mark = box.mark
    mailkin_server.mail(mailbox.address, "after", code(222222))
    assert box.wait_for_code(timeout=20) == "222222"
    assert box.catch_up() != mark
    with pytest.raises(mailkin.WaitTimeoutError):
        box.wait_for_message(timeout=0.1)
    with mailkin_server.client() as operator:  # who waits in any mailbox
        assert operator.open_mailbox(mailbox.address).address == mailbox.address


def test_cancel(mailkin_server: Server, box: Mailbox) -> None:
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    with pytest.raises(mailkin.WaitTimeoutError, match="before the wait was cancelled"):
        box.wait_for_message(timeout=600, cancel=stop)
    mailkin_server.mail(box.address, "n0")
    assert box.wait_for_message(timeout=20, cancel=threading.Event()).subject == "n0"


def test_async(mailkin_server: Server) -> None:
    async def use() -> None:
        async with AsyncMailkin(base_url=mailkin_server.url) as client:
            box = await client.bootstrap()
            waiting = asyncio.ensure_future(box.wait_for_code(timeout=30))
            await asyncio.get_running_loop().run_in_executor(
                None, mailkin_server.mail, box.address, "Sign in", code(555111) + " https://example.com/verify/1"
            )
            assert await waiting == "555111"
            assert (await box.wait_for_message(has="code", timeout=20)).subject == "Sign in"
            assert await box.wait_for_link(timeout=20) == "https://example.com/verify/1"
            await box.expect_nothing(0.1)
            with pytest.raises(mailkin.UnexpectedMessageError):
                await box.expect_nothing(0.1, after=box.mark)
            await box.catch_up()
            with pytest.raises(mailkin.WaitTimeoutError):
                await box.wait_for_code(timeout=0.1)

    asyncio.run(use())


def test_both_have_the_same_surface() -> None:
    for one, other in ((Mailkin, AsyncMailkin), (mailkin.Mailbox, mailkin.AsyncMailbox)):
        names = {n for n in dir(one) if not n.startswith("_")}
        assert names == {n for n in dir(other) if not n.startswith("_")}
        for name in names:
            if inspect.isfunction(getattr(one, name)):
                takes = [list(inspect.signature(getattr(c, name)).parameters) for c in (one, other)]
                assert takes[0] == takes[1], name
