"""Take webhooks, with nothing but the standard library.

    MAILBOX_SECRET=whsec_… python webhook_receiver.py 8080
"""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from mailkin import WebhookSignatureError, verify_webhook


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 1 << 20))
        try:
            event = verify_webhook(body, self.headers, os.environ["MAILBOX_SECRET"])
        except WebhookSignatureError as e:
            self.send_error(401, str(e))
            return
        print(event.event, event.subject, flush=True)
        self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
