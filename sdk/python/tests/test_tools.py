"""Tools for models: their schemas, and that they do what they say."""

import asyncio
import inspect
import json
import sys
import types
from typing import Any

import pytest

from mailkin import AsyncMailkin, Mailbox, Server
from mailkin.tools import AsyncMailTools, MailTools


def test_schemas(mailbox: Mailbox) -> None:
    tools = MailTools(mailbox)
    names = [t["function"]["name"] for t in tools.openai()]
    assert names == [t["name"] for t in tools.anthropic()] and "mail_send" in names
    assert "mail_send" not in [t.name for t in MailTools(mailbox, sending=False).tools]
    for t in tools.anthropic():
        assert t["description"] and t["input_schema"]["type"] == "object"
        assert set(t["input_schema"]["required"]) <= set(t["input_schema"]["properties"])
    json.dumps(tools.openai())


def test_calls(mailkin_server: Server, mailbox: Mailbox) -> None:
    tools = MailTools(mailbox)

    def call(name: str, arguments: Any = None) -> Any:
        return json.loads(tools.call(name, arguments))

    assert call("mail_address") == call("mail_address", "null") == {"address": mailbox.address}
    mailkin_server.mail(mailbox.address, "Sign in", "Your code is 482915, or open https://example.com/verify?t=1")
    assert call("mail_wait_for_code", '{"timeout": 20}')["code"] == "482915"
    assert call("mail_wait_for_link", {"from": "ada", "timeout": None})["url"] == "https://example.com/verify?t=1"
    message = call("mail_wait_for_message", {"subject": "sign", "timeout": 20})
    assert message["code"] == "482915" and message["trust"]
    assert [m["subject"] for m in call("mail_list", {"query": "code"})] == ["Sign in"]
    assert call("mail_read", {"id": message["id"]})["text"].startswith("Your code")
    assert call("mail_reply", {"id": message["id"], "text": "Thanks."})["id"]
    assert call("mail_send", {"to": ["b@example.com"], "subject": "Hi", "text": "Hello."})["id"]
    for name, arguments in [("mail_read", {}), ("mail_read", {"id": "x", "y": 1}), ("mail_read", "{"), ("other", {}),
                            ("mail_read", {"id": "019cb7d1-0000-7000-8000-000000000000"})]:
        assert call(name, arguments)["error"]


def test_langchain(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImportError):
        MailTools(mailbox).langchain()
    fake: Any = types.ModuleType("langchain_core.tools")
    fake.StructuredTool = types.SimpleNamespace(from_function=lambda **given: given)
    monkeypatch.setitem(sys.modules, "langchain_core", types.ModuleType("langchain_core"))
    monkeypatch.setitem(sys.modules, "langchain_core.tools", fake)
    made = MailTools(mailbox).langchain()
    assert made[0]["name"] == "mail_address" and json.loads(made[0]["func"]())["address"] == mailbox.address
    read = next(t for t in made if t["name"] == "mail_read")
    assert json.loads(read["func"](id="nonsense"))["error"]  # which the model is told, and the program goes on


def test_async(mailkin_server: Server, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    fake: Any = types.ModuleType("langchain_core.tools")
    fake.StructuredTool = types.SimpleNamespace(from_function=lambda **given: given)
    monkeypatch.setitem(sys.modules, "langchain_core.tools", fake)
    mailkin_server.mail(mailbox.address, "Sign in", "Your code is 482915, or open https://example.com/verify?t=1")

    async def use() -> None:
        async with AsyncMailkin(mailbox.api_key, base_url=mailkin_server.url) as client:
            box = await client.open_mailbox()
            box.mark = mailbox.mark
            tools = AsyncMailTools(box)
            assert tools.openai() == MailTools(mailbox).openai()

            async def call(name: str, arguments: Any = None) -> Any:
                return json.loads(await tools.call(name, arguments))

            assert await call("mail_address") == {"address": mailbox.address}
            assert (await call("mail_wait_for_code", {"timeout": 20}))["code"] == "482915"
            assert (await call("mail_wait_for_link", {"timeout": 20}))["url"] == "https://example.com/verify?t=1"
            message = await call("mail_wait_for_message", {"from": None, "timeout": 20})
            assert [m["id"] for m in await call("mail_list")] == [message["id"]]
            assert (await call("mail_read", {"id": message["id"]}))["subject"] == "Sign in"
            assert (await call("mail_reply", {"id": message["id"], "text": "Thanks."}))["id"]
            assert (await call("mail_send", {"to": ["b@example.com"], "subject": "Hi", "text": "Hello."}))["id"]
            assert (await call("mail_read", "[]"))["error"] and (await call("mail_read", {"id": "x"}))["error"]
            made = tools.langchain()[0]["coroutine"]
            assert inspect.iscoroutinefunction(made) and json.loads(await made())["address"] == mailbox.address

    asyncio.run(use())
