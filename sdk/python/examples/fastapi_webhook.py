"""Take webhooks with FastAPI: MAILBOX_SECRET=whsec_… uvicorn fastapi_webhook:app"""

import os

from fastapi import FastAPI, HTTPException, Request

from mailkin import WebhookSignatureError, verify_webhook

app = FastAPI()


@app.post("/hook", status_code=204)
async def hook(request: Request) -> None:
    try:
        event = verify_webhook(await request.body(), request.headers, os.environ["MAILBOX_SECRET"])
    except WebhookSignatureError as e:
        raise HTTPException(401, str(e))
    print(event.event, event.subject, flush=True)
