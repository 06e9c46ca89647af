"""Take webhooks with Flask: MAILBOX_SECRET=whsec_… flask --app flask_webhook run"""

import os
from typing import Tuple

from flask import Flask, abort, request

from mailkin import WebhookSignatureError, verify_webhook

app = Flask(__name__)


@app.post("/hook")
def hook() -> Tuple[str, int]:
    try:
        event = verify_webhook(request.get_data(), request.headers, os.environ["MAILBOX_SECRET"])
    except WebhookSignatureError as e:
        abort(401, str(e))
    print(event.event, event.subject, flush=True)
    return "", 204
