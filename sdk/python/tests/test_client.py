"""The clients against the real server: settings, answers, lists, files, errors."""

import asyncio
import io
import inspect
import json
from pathlib import Path

import httpx
import pytest

import mailkin
from mailkin import AsyncMailkin, Mailbox, Mailkin, Server, models


def test_settings(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Mailkin().base_url == "http://127.0.0.1:8025" and Mailkin().api_key is None
    (bare / ".config" / "mailkin").mkdir(parents=True)
    (bare / ".config" / "mailkin" / "config.toml").write_text(
        '# Written by mailkin.\nurl = "http://one.test/"\napi_key = "mk_one"\nmailbox = "a@one.test"\n'
    )
    assert (Mailkin().base_url, Mailkin().api_key) == ("http://one.test", "mk_one")
    monkeypatch.setenv("MAILKIN_URL", "http://two.test")
    assert (Mailkin().base_url, Mailkin().api_key) == ("http://two.test", None)  # the key is for one.test
    monkeypatch.setenv("MAILKIN_API_KEY", "mk_two")
    assert Mailkin().api_key == "mk_two"
    given = Mailkin("mk_three", base_url="http://three.test")
    assert (given.base_url, given.api_key) == ("http://three.test", "mk_three")
    assert AsyncMailkin().api_key == "mk_two"


def test_every_operation(mailkin_server: Server) -> None:
    """Nothing missing and nothing invented, in both clients, with the same parameters."""
    document = httpx.get(mailkin_server.url + "/openapi.json").json()
    wanted = set()
    for methods in document["paths"].values():
        wanted |= {snake(op["operationId"]) for op in methods.values() if "operationId" in op}
    from mailkin._async.operations import AsyncOperations
    from mailkin._sync.operations import Operations

    for kind in (Operations, AsyncOperations):
        assert {name for name in vars(kind) if not name.startswith("_")} == wanted
    for name in wanted:
        one, other = getattr(Operations, name), getattr(AsyncOperations, name)
        assert inspect.signature(one).parameters == inspect.signature(other).parameters
        assert one.__doc__ and one.__doc__ == other.__doc__


def snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name)


def test_send_and_read(mailkin_server: Server, mailbox: Mailbox, own: Mailkin) -> None:
    mailkin_server.mail(mailbox.address, "Hello there", "The tide is out.")
    message = own.inbox().first()
    assert isinstance(message, models.Message) and message.subject == "Hello there"
    assert message.received_at.tzinfo is not None
    email = own.email(id=message.id)
    assert email.body_text.strip() == "The tide is out." and isinstance(email.trust, models.Trust)
    answer = own.reply(email_id=message.id, text="Thank you.")
    assert isinstance(answer, models.Sending)
    preview = own.send(to=mailbox.address, subject="x", text="y", dry_run=True)
    assert isinstance(preview, models.Preview)
    assert own.me().mailbox == mailbox.address


def test_list_pages_by_itself(mailkin_server: Server, mailbox: Mailbox, own: Mailkin) -> None:
    for n in range(5):
        mailkin_server.mail(mailbox.address, f"n{n}")
    inbox = own.inbox(limit=2)
    assert [m.subject for m in inbox] == ["n4", "n3", "n2", "n1", "n0"]
    assert [len(page.emails) for page in inbox.pages()] == [2, 2, 1]
    assert inbox.page().next_cursor and len(inbox.all()) == 5
    assert own.inbox(query="nowhere").first() is None


def test_errors(mailkin_server: Server, mailbox: Mailbox, own: Mailkin) -> None:
    with pytest.raises(mailkin.NotFoundError) as caught:
        own.email(id="019cb7d1-0000-7000-8000-000000000000")
    e = caught.value
    assert (e.status, e.code) == (404, "not_found") and e.request_id and e.retry_after is None and "Email not found" in str(e)
    with pytest.raises(mailkin.AuthenticationError):
        mailkin_server.client("mk_" + "0" * 64).me()
    with pytest.raises(mailkin.InvalidRequestError) as wrong:
        own.inbox(since="tomorrow").first()
    assert wrong.value.code == "invalid_since"
    with pytest.raises(mailkin.APIConnectionError):
        Mailkin(base_url="http://127.0.0.1:1", max_retries=0).health()


def test_files(mailkin_server: Server, mailbox: Mailbox, own: Mailkin, tmp_path: Path) -> None:
    content = bytes(range(256)) * 4096
    (tmp_path / "tide.bin").write_bytes(content)
    draft = own.create_draft(to=mailbox.address, subject="A file", text="See the file.")
    with open(tmp_path / "tide.bin", "rb") as f:
        own.attach_to_draft(draft.id, file=f)
    own.attach_to_draft(draft.id, file=("note.txt", b"hello", "text/plain"))
    odd = io.BytesIO(b"not this, but this")
    odd.seek(10)
    own.attach_to_draft(draft.id, file=('Z\u00fcrich "x" 100%.pdf', odd))
    own.send_draft(draft.id)
    email = own.wait(timeout=20, has="attachment").email
    assert email is not None
    files = {a.filename: a for a in email.attachments}
    assert set(files) == {"tide.bin", "note.txt", 'Z\u00fcrich "x" 100%.pdf'}
    assert own.attachment(id=files['Z\u00fcrich "x" 100%.pdf'].id).read() == b"but this"
    long = tmp_path / ("x" * 255)
    assert own.attachment(id=files["note.txt"].id).save(long) == 5 and long.read_bytes() == b"hello"
    assert own.attachment(id=files["tide.bin"].id).save(tmp_path / "back.bin") == len(content)
    assert (tmp_path / "back.bin").read_bytes() == content
    assert b"".join(own.attachment(id=files["note.txt"].id).chunks()) == b"hello"
    with pytest.raises(mailkin.NotFoundError):
        own.attachment(id="019cb7d1-0000-7000-8000-000000000000").read()
    raw = own.raw_email(id=email.id).read()
    with mailkin_server.client() as operator:
        operator.ingest(io.BytesIO(raw.replace(b"A file", b"A copy")), mailbox=mailbox.address)
    assert [m.subject for m in own.inbox(query="subject:copy")] == ["A copy"]


def test_async(mailkin_server: Server, mailbox: Mailbox, own: Mailkin, tmp_path: Path) -> None:
    mailkin_server.mail(mailbox.address, "One")
    mailkin_server.mail(mailbox.address, "Two")

    async def use() -> None:
        async with AsyncMailkin(own.api_key, base_url=mailkin_server.url) as client:
            assert [m.subject async for m in client.inbox(limit=1)] == ["Two", "One"]
            first = await client.inbox().first()
            assert first is not None and (await client.email(id=first.id)).subject == "Two"
            with pytest.raises(mailkin.NotFoundError):
                await client.email(id="019cb7d1-0000-7000-8000-000000000000")
            draft = await client.create_draft(to=mailbox.address, subject="Three", text="x")
            await client.attach_to_draft(draft.id, file=("a.txt", io.BytesIO(b"hello")))
            await client.send_draft(draft.id)
            email = (await client.wait(timeout=20, has="attachment")).email
            assert email is not None and await client.attachment(id=email.attachments[0].id).save(tmp_path / "a.txt") == 5
            subjects = []
            async for event in client.events(types="message.received"):
                subjects.append(event.subject)
                if len(subjects) == 3:
                    break
            assert subjects == ["One", "Two", "Three"]
            # a task that is cancelled leaves at once, and the client still works
            waiting = asyncio.ensure_future(client.code(timeout=55))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert (await client.me()).mailbox == mailbox.address

    asyncio.run(use())


def test_custom_http_client(mailkin_server: Server) -> None:
    seen = []
    with httpx.Client(event_hooks={"request": [lambda r: seen.append(r)]}) as own_client:
        Mailkin(base_url=mailkin_server.url, http_client=own_client).health()
        assert seen[0].headers["User-Agent"].startswith("mailkin-python/")
        assert own_client.get(mailkin_server.url + "/health").status_code == 200  # it is still open


def test_models_are_plain(mailkin_server: Server) -> None:
    health = mailkin_server.client().health()
    assert health == models.Health(**vars(health))
    from mailkin._convert import encode

    assert json.dumps(encode(health))
