"""A page where one signs up with a code that comes by mail: what a test of such a page would test.

    python sign_up_page.py 8000 127.0.0.1:1025

The second argument is where it sends its mail to. `mailkin capture` takes mail there.
"""

import html
import secrets
import smtplib
import sys
import urllib.parse
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Dict

codes: Dict[str, str] = {}


def send_code(address: str, smtp: str) -> None:
    codes[address] = f"{secrets.randbelow(10**6):06}"
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "The shop <shop@example.com>", address, "Confirm your address"
    message.set_content(f"Your verification code is {codes[address]}.\n")
    host, _, port = smtp.rpartition(":")
    with smtplib.SMTP(host, int(port)) as connection:
        connection.send_message(message)


def page(text: str) -> bytes:
    return f'<!doctype html><html lang="en"><title>The shop</title>{text}</html>'.encode()


SIGN_UP = page('<form method="post" action="/sign-up"><input name="email" type="email"><button>Sign up</button></form>')
CONFIRM = '<form method="post" action="/confirm"><input type="hidden" name="email" value="{}">' \
    '<input name="code"><button>Confirm</button></form>'


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.answer(200, SIGN_UP)

    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 1 << 16))
        given = dict(urllib.parse.parse_qsl(body.decode()))
        address = given.get("email", "")
        if self.path == "/sign-up":
            send_code(address, sys.argv[2])
            self.answer(200, page(CONFIRM.format(html.escape(address))))
        elif given.get("code") == codes.get(address, ""):
            self.answer(200, page(f"<h1>Welcome, {html.escape(address)}</h1>"))
        else:
            self.answer(403, page("<h1>This is not the code.</h1>"))

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Site)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
