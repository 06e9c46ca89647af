"""What the tests share."""

import contextlib
import http.server
import threading

import pytest

from mailkin import Mailkin


@pytest.fixture(autouse=True)
def bare(monkeypatch, tmp_path_factory):
    """Nothing of whoever runs the tests may get into them."""
    for name in ("MAILKIN_URL", "MAILKIN_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


@pytest.fixture
def own(mailkin_server):
    """A client of a new permanent mailbox, which may send."""
    box = mailkin_server.new_mailbox()
    with box.client as client:
        client.address = box.address
        yield client


class Script(http.server.BaseHTTPRequestHandler):
    """Answers as the test says: a list of functions that are given the request, the last one again and again."""

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        if self.headers.get("Transfer-Encoding") == "chunked":
            while True:
                size = int(self.rfile.readline(), 16)
                self.body += self.rfile.read(size)
                self.rfile.readline()
                if not size:
                    break
        asked = self.server.asked
        asked.append(self)
        steps = self.server.steps
        steps[min(len(asked), len(steps)) - 1](self)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def reply(self, status, body=b"{}", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def scripted(*steps):
    """A server that answers with the steps."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Script)
    server.steps, server.asked = steps, []
    server.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def reply(status, body=b"{}", **headers):
    return lambda request: request.reply(status, body, **headers)


def cut(request):
    """Hang up without an answer."""
    request.close_connection = True
    request.connection.close()


def halfway(request):
    """Hang up in the middle of the answer."""
    request.send_response(200)
    request.send_header("Content-Length", "100")
    request.end_headers()
    request.wfile.write(b'{"sta')
    request.close_connection = True


def client_of(server, **options):
    return Mailkin("mk_test", base_url=server.url, **options)
