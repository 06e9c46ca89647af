"""The fixtures, as tests elsewhere use them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import PLUGIN
from mailkin import MailkinError, Server

PROJECT = """
import pytest

def test_mail(mailkin_server, mailbox, expect_message, expect_no_message):
    expect_no_message(0.1)
    mailkin_server.mail(mailbox.address, "Welcome")
    assert expect_message(subject="welcome").from_name == "Ada"

def test_own_mailbox(mailbox, expect_no_message):
    expect_no_message(0.1)

def test_says_what_came(mailkin_server, mailbox, expect_message):
    mailkin_server.mail(mailbox.address, "Something else", "Your verification code is 482915.")
    expect_message(subject="Welcome", timeout=0.2)

def test_says_what_should_not_have_come(mailkin_server, mailbox, expect_no_message):
    mailkin_server.mail(mailbox.address, "A surprise", "Here I am.")
    expect_no_message(0.1)
"""


OTHERS = """
import pytest

@pytest.fixture
def mailbox():
    return "of the project"

def test_mail(mailbox, mailkin_server, mailkin_mailbox, expect_message):
    mailkin_server.mail(mailkin_mailbox.address, "Welcome")
    assert expect_message().subject == "Welcome" and mailbox == "of the project"
"""


def test_fixtures_under_xdist(tmp_path: Path) -> None:
    (tmp_path / "test_project.py").write_text(PROJECT)
    (tmp_path / "test_others.py").write_text(OTHERS)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "4", *PLUGIN, "."],
        cwd=tmp_path, stdout=subprocess.PIPE, text=True,
        env={k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")},
    )
    assert "2 failed, 3 passed" in ran.stdout, ran.stdout
    for said in ("No message subject='Welcome' came to t-", "'Something else' from ada@example.com", "code 482915",
                 "A message came to t-", "'A surprise' from", "Here I am."):
        assert said in ran.stdout, ran.stdout


def test_a_server_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(MailkinError, match="did not start"):
        Server("/bin/false")
    with pytest.raises(MailkinError, match="There is no program './mailkin'"):
        Server("./mailkin")
    assert list(tmp_path.iterdir()) == []
    binary = os.environ["MAILKIN_BINARY"]
    with Server(os.path.relpath(binary)) as server:  # from where the tests are, and not from where it runs
        server.kill()
        server._binary = "/bin/false"
        with pytest.raises(MailkinError, match="did not start"):
            server.start()
