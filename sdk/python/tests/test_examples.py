"""What the README and the examples say works."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List

import httpx
import pytest

from conftest import PLUGIN
from mailkin import Mailbox, Server

HERE = Path(__file__).resolve().parent.parent
EXAMPLES = HERE / "examples"


class Programs:
    """Programs with the settings of a server. Those that have not ended are ended with the test."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._running: List["subprocess.Popen[str]"] = []

    def start(
        self, *code: str, key: str = "", python: str = sys.executable, also_errors: bool = False, **more: str
    ) -> "subprocess.Popen[str]":
        environ = {
            **os.environ, "MAILKIN_URL": self._server.url, "MAILKIN_API_KEY": key, "PYTHONUNBUFFERED": "1", **more
        }
        process = subprocess.Popen(
            [python, *code], env=environ, stdout=subprocess.PIPE, text=True, cwd=EXAMPLES,
            stderr=subprocess.STDOUT if also_errors else None,
        )
        self._running.append(process)
        return process

    def run(self, *code: str, **more: Any) -> str:
        return ended(self.start(*code, **more))

    def end(self) -> None:
        for process in self._running:
            process.kill()
            process.communicate()


@pytest.fixture
def programs(mailkin_server: Server) -> Iterator[Programs]:
    started = Programs(mailkin_server)
    yield started
    started.end()


def ended(process: "subprocess.Popen[str]") -> str:
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0, out
    return out


def said(process: "subprocess.Popen[str]", pattern: str) -> str:
    """Read until a line has something in it, and return that."""
    assert process.stdout is not None
    lines = ""
    for line in process.stdout:
        lines += line
        found = re.search(pattern, line)
        if found:
            return found.group()
    pytest.fail(lines)


def blocks() -> List[str]:
    return re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)


def test_first_minute(mailkin_server: Server, programs: Programs, tmp_path: Path) -> None:
    """A newcomer's clock: from `pip install` to the first code. Without a wheel, only the code is tried."""
    code = blocks()[0].replace("1025", mailkin_server.smtp.rpartition(":")[2])
    wheel = os.environ.get("MAILKIN_WHEEL", "")
    python = sys.executable
    if wheel:
        python = str(tmp_path / "venv" / "bin" / "python")
        venv = [sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", str(tmp_path / "venv")]
        subprocess.run(venv, check=True)
    start = time.monotonic()
    if wheel:
        pip = [sys.executable, "-m", "pip", "--python", python]
        subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", wheel], check=True)
    assert programs.run("-c", code, python=python) == "482915\n"
    took = time.monotonic() - start
    assert took < 60
    if wheel:
        Path(wheel).with_name("clock").write_text(f"{took:.1f}")


def test_rest_of_the_readme(mailkin_server: Server, mailbox: Mailbox, programs: Programs, tmp_path: Path) -> None:
    settings, everything, fixtures = blocks()[1:]
    compile(settings, "README.md", "exec")
    (tmp_path / "a.txt").write_text("hello")
    mailkin_server.mail(mailbox.address, "Your invoice", attachments=[str(tmp_path / "a.txt")])
    os.remove(tmp_path / "a.txt")
    there = f"import os; os.chdir({str(tmp_path)!r})\n"
    assert programs.run("-c", there + everything, key=mailbox.api_key) == "Your invoice\n"
    assert [path.read_text() for path in tmp_path.iterdir()] == ["hello"]
    (tmp_path / "test_readme.py").write_text(fixtures)
    assert "1 passed" in programs.run("-m", "pytest", "-q", *PLUGIN, str(tmp_path / "test_readme.py"))


@pytest.mark.parametrize("name", ["sign_up.py", "sign_up_browser.py"])
def test_sign_up(mailkin_server: Server, programs: Programs, tmp_path: Path, name: str) -> None:
    page = programs.start("sign_up_page.py", "0", mailkin_server.smtp)
    flags = "--no-sandbox --disable-dev-shm-usage"  # for root, and where /dev/shm is small
    out = programs.run(name, said(page, "http://.*"), CHROMIUM_FLAGS=flags, HOME=str(tmp_path))
    assert re.search(r"^The code is \d{6}\n(Signed up as|Welcome,) agent-\S+@\S+\n$", out), out


def test_support_agent(mailkin_server: Server, mailbox: Mailbox, programs: Programs) -> None:
    customer = mailkin_server.new_mailbox()
    agent = programs.start("support_agent.py", "1", key=mailbox.api_key or "")
    said(agent, f"^Answering mail to {mailbox.address}$")
    customer.client.send(to=mailbox.address, subject="My tide table", text="It is wrong.")
    assert ended(agent) == f"Answered {customer.address}\n"
    assert "My tide table" in customer.wait_for_message(from_=mailbox.address, timeout=30).body_text


def test_follow_up(mailkin_server: Server, mailbox: Mailbox, programs: Programs) -> None:
    customer = mailkin_server.new_mailbox()
    program = programs.start("follow_up.py", customer.address, key=mailbox.api_key or "")
    said(program, f"^Asked {customer.address}$")
    asked = customer.wait_for_message(subject="Your order", timeout=30)
    customer.client.reply(email_id=asked.id, text="Yes.")
    assert "is called back" in ended(program)
    sent = mailbox.client.inbox(direction="outbound").all()
    assert sorted(m.status for m in sent) == ["canceled", "delivered"]


def test_webhook_receiver(mailkin_server: Server, mailbox: Mailbox, programs: Programs) -> None:
    secret = mailbox.client.webhook_secret().secret
    receiver = programs.start("webhook_receiver.py", "0", MAILBOX_SECRET=secret)
    mailbox.client.change_mailbox(webhook_url=said(receiver, "http://.*"))
    mailkin_server.mail(mailbox.address, "The tide")
    assert said(receiver, ".*") == "message.received The tide"


@pytest.mark.parametrize("secret", ["mailbox", "deployment"])
@pytest.mark.parametrize("command", ["flask --app flask_webhook run --port 0", "uvicorn fastapi_webhook:app --port 0"])
def test_frameworks(
    mailkin_server: Server, mailbox: Mailbox, programs: Programs, command: str, secret: str
) -> None:
    secrets: Dict[str, str] = {
        "mailbox": mailbox.client.webhook_secret().secret, "deployment": mailkin_server.webhook_secret
    }
    receiver = programs.start("-m", *command.split(), also_errors=True, MAILBOX_SECRET=secrets[secret])
    url = said(receiver, r"http://[\d.:]+") + "/hook"
    forged = {"X-Webhook-Signature": "sha256=00", "webhook-id": "1", "webhook-timestamp": "1"}
    assert httpx.post(url, content=b"{}", headers=forged).status_code == 401
    mailbox.client.change_mailbox(webhook_url=url)
    mailkin_server.mail(mailbox.address, "The tide")
    assert said(receiver, "message.received.*") == "message.received The tide"
