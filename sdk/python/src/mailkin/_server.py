"""A server of one's own, for tests: the binary in capture mode, on free ports."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import smtplib
import subprocess
import tempfile
import threading
import uuid
from email.message import EmailMessage
from typing import Any, Dict, List, Optional, Sequence, Union

from ._errors import MailkinError
from ._sync.client import Mailkin
from ._sync.mailbox import Mailbox

_START = 30.0  # seconds


class Server:
    """A Mailkin that takes mail for every address and sends none away. It and its data are gone after `stop()`.

    binary: the program `mailkin`; else the one that MAILKIN_BINARY names, or that is in the path.
    settings: variables of the environment that it gets besides.
    """

    url: str
    """Where it is."""
    smtp: str
    """Where it takes mail: host and port."""
    token: str
    """The operator's key."""
    webhook_secret: str
    """The deployment's WEBHOOK_SECRET."""

    def __init__(self, binary: Optional[str] = None, settings: Optional[Dict[str, str]] = None) -> None:
        wanted = binary or os.environ.get("MAILKIN_BINARY") or "mailkin"
        found = shutil.which(wanted)
        if found is None:
            raise MailkinError(f"There is no program {wanted!r}: put mailkin into the path, or set MAILKIN_BINARY.")
        self._binary = os.path.abspath(found)  # it is started elsewhere
        self._settings = settings or {}
        self._folder = tempfile.mkdtemp(prefix="mailkin-test-")
        self._process: Optional["subprocess.Popen[str]"] = None
        self._http = self._mail = "127.0.0.1:0"
        atexit.register(self.stop)
        try:
            self.start()
        except BaseException:
            self.stop()
            raise

    def start(self) -> None:
        """Start it, after `kill()` with the data and the addresses that it had."""
        environ = {k: v for k, v in os.environ.items() if not k.startswith("MAILKIN_")}
        environ.update({"MAILKIN_BOOTSTRAP_IP_LIMIT": "0", **self._settings})
        environ.update({"MAILKIN_HTTP_ADDR": self._http, "MAILKIN_SMTP_ADDR": self._mail})
        with open(os.path.join(self._folder, "log"), "ab") as log:
            self._process = subprocess.Popen(
                [self._binary, "capture", "--data-dir", os.path.join(self._folder, "data")],
                env=environ, stdout=subprocess.PIPE, stderr=log, text=True, cwd=self._folder,
            )
        self._read_addresses(self._process)
        self.token, self.webhook_secret = self._kept("token"), self._kept("webhook-secret")

    def _read_addresses(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        late = threading.Timer(_START, process.kill)
        late.start()
        said, ready = "", False
        for line in process.stdout:
            said += line
            if line.startswith("  HTTP API"):
                self.url = line.split()[-1]
                self._http = self.url.split("//")[-1]
            found = re.match(r"  SMTP +([^, ]+)", line)
            if found:
                self.smtp = self._mail = found.group(1)
            if line.startswith("  Kept"):
                ready = True
                break
        late.cancel()
        if not ready:
            raise MailkinError("The server did not start:\n" + said + self.log())
        threading.Thread(target=process.stdout.read, daemon=True).start()  # so that it never waits for a reader

    def _kept(self, name: str) -> str:
        with open(os.path.join(self._folder, "data", name), encoding="utf-8") as f:
            return f.read().strip()

    def log(self) -> str:
        """What it has logged: warnings and errors."""
        with open(os.path.join(self._folder, "log"), encoding="utf-8", errors="replace") as f:
            return f.read()

    def kill(self) -> None:
        """End it at once, as a crash does. `start()` brings it back."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it and delete its data."""
        self._end(signal.SIGTERM)
        atexit.unregister(self.stop)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _end(self, how: int) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def client(self, api_key: Optional[str] = None, **options: Any) -> Mailkin:
        """A client of it, with the operator's key unless another is given."""
        return Mailkin(self.token if api_key is None else api_key, base_url=self.url, **options)

    def new_mailbox(self, name: Optional[str] = None) -> Mailbox:
        """A new mailbox, which may also send; its `client` has its key."""
        with self.client() as operator:
            made = operator.create_mailbox(name=name or "t-" + uuid.uuid4().hex[:20])
        return self.client(made.api_key).open_mailbox()

    def mail(
        self,
        to: Union[str, Sequence[str]],
        subject: str = "Hello",
        text: str = "Hello.",
        *,
        html: Optional[str] = None,
        from_: str = "Ada <ada@example.com>",
        attachments: Sequence[str] = (),
        headers: Optional[Dict[str, str]] = None,
    ) -> None:
        """Send it mail over SMTP, as anybody would. The attachments are paths of files."""
        message = EmailMessage()
        recipients: List[str] = [to] if isinstance(to, str) else list(to)
        message["From"], message["To"], message["Subject"] = from_, ", ".join(recipients), subject
        for name, value in (headers or {}).items():
            message[name] = value
        message.set_content(text)
        if html is not None:
            message.add_alternative(html, subtype="html")
        for path in attachments:
            with open(path, "rb") as f:
                message.add_attachment(
                    f.read(), maintype="application", subtype="octet-stream", filename=os.path.basename(path)
                )
        host, _, port = self.smtp.rpartition(":")
        with smtplib.SMTP(host, int(port), timeout=30) as connection:
            connection.send_message(message, from_addr="bounces@example.com", to_addrs=recipients)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
