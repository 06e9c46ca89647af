"""Fixtures for pytest: a server, and a mailbox for each test.

The server is the program `mailkin` in capture mode, started once for each session (and for each worker of xdist, so
that workers never meet). MAILKIN_BINARY names the program where it is not in the path.
"""

from __future__ import annotations

from typing import Iterator

import pytest

from ._server import Server


@pytest.fixture(scope="session")
def mailkin_server() -> Iterator[Server]:
    """A server that takes mail for every address: its `url`, where it takes mail (`smtp`), `client()` and `mail()`."""
    with Server() as server:
        yield server
