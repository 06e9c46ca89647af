"""Fixtures for pytest: a server, a mailbox for each test, and what is expected of it.

    def test_sign_up(app, mailbox, expect_message, expect_no_message):
        app.sign_up(mailbox.address)
        app.enter(mailbox.wait_for_code(timeout=10))
        expect_message(subject="Welcome")
        expect_no_message(2)

The server is the program `mailkin` in capture mode, started once for each session (and for each worker of xdist, so
that workers never meet). MAILKIN_BINARY names the program where it is not in the path. Point the mail settings of what
you test at `mailkin_server.smtp`.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator

import pytest

from . import models
from ._errors import UnexpectedMessageError, WaitTimeoutError
from ._server import Server
from ._sync.mailbox import Mailbox


@pytest.fixture(scope="session")
def mailkin_server() -> Iterator[Server]:
    """A server that takes mail for every address: its `url`, where it takes mail (`smtp`), `client()` and `mail()`."""
    with Server() as server:
        yield server


@pytest.fixture
def mailkin_mailbox(mailkin_server: Server) -> Iterator[Mailbox]:
    """The same as `mailbox`, for a project that has a fixture of that name."""
    box = mailkin_server.new_mailbox()
    with box.client:
        yield box


@pytest.fixture
def mailbox(mailkin_mailbox: Mailbox) -> Mailbox:
    """A new mailbox, of this test alone."""
    return mailkin_mailbox


@pytest.fixture
def expect_message(mailkin_mailbox: Mailbox) -> Callable[..., models.Email]:
    """Takes what `mailbox.wait_for_message` takes and returns the message, or fails and shows what did arrive."""

    def expect(*conditions: Any, timeout: float = 10.0, **more: Any) -> models.Email:
        __tracebackhide__ = True
        try:
            return mailkin_mailbox.wait_for_message(*conditions, timeout=timeout, **more)
        except WaitTimeoutError as e:
            failed = str(e)
        pytest.fail(failed)

    return expect


@pytest.fixture
def expect_no_message(mailkin_mailbox: Mailbox) -> Callable[..., None]:
    """Takes what `mailbox.expect_nothing` takes, and fails and shows the message if one arrives."""

    def expect(seconds: float = 2.0, **conditions: Any) -> None:
        __tracebackhide__ = True
        try:
            return mailkin_mailbox.expect_nothing(seconds, **conditions)
        except UnexpectedMessageError as e:
            failed = f"{e}\n\n{e.email.body_text}"
        pytest.fail(failed)

    return expect
