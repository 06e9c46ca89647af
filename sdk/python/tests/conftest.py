"""What the tests share."""

import asyncio
import contextlib
import http.server
import inspect
import threading
from importlib import metadata
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional, Tuple

import httpx
import pytest

from mailkin import AsyncMailkin, Mailbox, Mailkin

# How pytest is told of the fixtures in another project: not at all where the package is installed.
_distribution = [d for d in metadata.distributions() if d.metadata["Name"] == "mailkin"]
PLUGIN = ["-p", "no:cacheprovider"] + ([] if _distribution else ["-p", "mailkin.pytest_plugin"])


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nothing of whoever runs the tests may get into them."""
    for name in ("MAILKIN_URL", "MAILKIN_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


@pytest.fixture
def own(mailbox: Mailbox) -> Mailkin:
    """A client of a new permanent mailbox, which may send."""
    return mailbox.client


class Blocking:
    """A client for asyncio, or something that it returned, used like the one without: what is awaitable is awaited."""

    def __init__(self, inner: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._inner, self._loop = inner, loop

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        return self._came(value) if not callable(value) else lambda *a, **more: self._came(value(*a, **more))

    def __iter__(self) -> Iterator[Any]:
        items = self._inner.__aiter__()
        try:
            while True:
                try:
                    yield self._loop.run_until_complete(items.__anext__())
                except StopAsyncIteration:
                    return
        finally:
            self._loop.run_until_complete(items.aclose())

    def _came(self, value: Any) -> Any:
        if inspect.isawaitable(value):
            value = self._loop.run_until_complete(value)
        ours = type(value).__module__.startswith("mailkin._async") or inspect.isasyncgen(value)
        return Blocking(value, self._loop) if ours else value


Connect = Callable[..., Mailkin]


@pytest.fixture(params=["sync", "async"])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Makes a client of a URL, of either kind. `asked` is called with the path of each request that is made."""
    loop = asyncio.new_event_loop()

    def open(url: str, key: str = "mk_test", asked: Optional[Callable[[str], None]] = None, **options: Any) -> Any:
        def note(r: httpx.Request) -> None:
            if asked is not None:
                asked(r.url.path)

        async def anote(r: httpx.Request) -> None:
            note(r)

        if request.param == "sync":
            hooked = httpx.Client(event_hooks={"request": [note]})
            return Mailkin(key, base_url=url, http_client=hooked, **options)
        ahooked = httpx.AsyncClient(event_hooks={"request": [anote]})
        return Blocking(AsyncMailkin(key, base_url=url, http_client=ahooked, **options), loop)

    yield open
    loop.close()


class Script(http.server.BaseHTTPRequestHandler):
    """Answers as the test says: a list of functions that are given the request, the last one again and again."""

    server: "Scripted"

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        if self.headers.get("Transfer-Encoding") == "chunked":
            while True:
                size = int(self.rfile.readline(), 16)
                self.body += self.rfile.read(size)
                self.rfile.readline()
                if not size:
                    break
        asked, steps = self.server.asked, self.server.steps
        asked.append(self)
        steps[min(len(asked), len(steps)) - 1](self)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def reply(self, status: int, body: bytes = b"{}", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


Step = Callable[[Script], None]


class Scripted(http.server.ThreadingHTTPServer):
    def __init__(self, *steps: Step) -> None:
        super().__init__(("127.0.0.1", 0), Script)
        self.steps: Tuple[Step, ...] = steps
        self.asked: List[Script] = []
        self.url = f"http://127.0.0.1:{self.server_port}"


@contextlib.contextmanager
def scripted(*steps: Step) -> Iterator[Scripted]:
    """A server that answers with the steps."""
    server = Scripted(*steps)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def reply(status: int, body: bytes = b"{}", **headers: str) -> Step:
    return lambda request: request.reply(status, body, **headers)


def cut(request: Script) -> None:
    """Hang up without an answer."""
    request.close_connection = True
    request.connection.close()


def halfway(request: Script) -> None:
    """Hang up in the middle of the answer."""
    request.send_response(200)
    request.send_header("Content-Length", "100")
    request.end_headers()
    request.wfile.write(b'{"sta')
    request.close_connection = True
