"""What the README and the examples say works."""

import importlib.util
import os
import re
import subprocess
import sys
import threading
import urllib.parse
from pathlib import Path

import pytest

from conftest import scripted

HERE = Path(__file__).resolve().parent.parent
EXAMPLES = HERE / "examples"


def run(code, server, key="", *arguments, **more):
    environ = {**os.environ, "MAILKIN_URL": server.url, "MAILKIN_API_KEY": key, "PYTHONUNBUFFERED": "1", **more}
    return subprocess.Popen([sys.executable, *code, *arguments], env=environ, stdout=subprocess.PIPE, text=True)


def ended(process):
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return out


def blocks():
    return re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)


def test_first_minute(mailkin_server):
    code = blocks()[0].replace("1025", mailkin_server.smtp.rpartition(":")[2])
    assert ended(run(["-c", code], mailkin_server)) == "482915\n"


def test_rest_of_the_readme(mailkin_server, mailbox, tmp_path):
    settings, everything, fixtures = blocks()[1:]
    compile(settings, "README.md", "exec")
    (tmp_path / "a.txt").write_text("hello")
    mailkin_server.mail(mailbox.address, "Your invoice", attachments=[str(tmp_path / "a.txt")])
    os.remove(tmp_path / "a.txt")
    there = f"import os; os.chdir({str(tmp_path)!r})\n"
    assert ended(run(["-c", there + everything], mailkin_server, mailbox.api_key)) == "Your invoice\n"
    assert (tmp_path / "a.txt").read_text() == "hello"
    (tmp_path / "test_readme.py").write_text(fixtures)
    plugin = [] if importlib.util.find_spec("mailkin").origin.startswith(sys.prefix) else ["-p", "mailkin.pytest_plugin"]
    ran = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin, str(tmp_path / "test_readme.py")], mailkin_server)
    assert "1 passed" in ended(ran)


def test_sign_up(mailkin_server):
    def form(request):
        return dict(urllib.parse.parse_qsl(request.body.decode()))

    def site(request):
        given = form(request)
        if request.path == "/sign-up":
            mailkin_server.mail(given["email"], "Welcome", "Your verification code is 482915.")
        request.reply(200 if request.path == "/sign-up" or given["code"] == "482915" else 403)

    with scripted(site) as shop:
        out = ended(run([str(EXAMPLES / "sign_up.py")], mailkin_server, "", shop.url))
    assert "The code is 482915\nSigned up as agent-" in out


def test_support_agent(mailkin_server, mailbox):
    customer = mailkin_server.new_mailbox()
    agent = run([str(EXAMPLES / "support_agent.py")], mailkin_server, mailbox.api_key, "1")
    assert agent.stdout.readline() == f"Answering mail to {mailbox.address}\n"
    customer.client.send(to=mailbox.address, subject="My tide table", text="It is wrong.")
    assert ended(agent) == f"Answered {customer.address}\n"
    assert "My tide table" in customer.wait_for_message(from_=mailbox.address, timeout=30).body_text


def test_follow_up(mailkin_server, mailbox):
    customer = mailkin_server.new_mailbox()
    program = run([str(EXAMPLES / "follow_up.py")], mailkin_server, mailbox.api_key, customer.address)
    assert program.stdout.readline() == f"Asked {customer.address}\n"
    asked = customer.wait_for_message(subject="Your order", timeout=30)
    customer.client.reply(email_id=asked.id, text="Yes.")
    assert "is called back" in ended(program)
    sent = mailbox.client.inbox(direction="outbound").all()
    assert sorted(m.status for m in sent) == ["canceled", "delivered"]


def test_webhook_receiver(mailkin_server, mailbox):
    secret = mailbox.client.webhook_secret().secret
    receiver = run([str(EXAMPLES / "webhook_receiver.py")], mailkin_server, "", "0", MAILBOX_SECRET=secret)
    try:
        url = receiver.stdout.readline().split()[-1]
        mailbox.client.change_mailbox(webhook_url=url)
        mailkin_server.mail(mailbox.address, "The tide")
        assert receiver.stdout.readline() == "message.received The tide\n"
    finally:
        receiver.kill()
        receiver.communicate()


@pytest.mark.parametrize("name", ["fastapi_webhook", "flask_webhook"])
def test_samples_compile(name):
    compile((EXAMPLES / (name + ".py")).read_text(), name, "exec")


def test_flask(mailkin_server, mailbox, monkeypatch, capfd):
    """Run where Flask is there."""
    pytest.importorskip("flask")
    monkeypatch.setenv("MAILBOX_SECRET", mailkin_server.webhook_secret)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import flask_webhook

    client = flask_webhook.app.test_client()
    assert client.post("/hook", data=b"{}").status_code == 401
    took = threading.Event()

    def take(request):
        headers = {k: v for k, v in request.headers.items() if k.lower().startswith(("x-webhook", "webhook"))}
        assert client.post("/hook", data=request.body, headers=headers).status_code == 204
        request.reply(204, b"")
        took.set()

    with scripted(take) as receiver:
        mailbox.client.change_mailbox(webhook_url=receiver.url)
        mailkin_server.mail(mailbox.address, "The tide")
        assert took.wait(20) and "message.received The tide" in capfd.readouterr().out
