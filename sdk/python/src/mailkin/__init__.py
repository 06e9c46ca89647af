"""Mail for software agents: a client of Mailkin.

    from mailkin import Mailkin

    box = Mailkin().bootstrap()
    print(box.address)
    print(box.wait_for_code(timeout=120))
"""

from . import models
from ._async.client import AsyncMailkin
from ._async.mailbox import AsyncMailbox
from ._async.page import AsyncPages
from ._async.stream import AsyncDownload, AsyncEvents
from ._errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AuthenticationError,
    ConflictError,
    InvalidRequestError,
    MailkinError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    TooLargeError,
    UnexpectedAnswerError,
    UnexpectedMessageError,
    WaitTimeoutError,
    WebhookSignatureError,
)
from ._request import NOT_GIVEN
from ._server import Server
from ._sync.client import Mailkin
from ._sync.mailbox import Mailbox
from ._sync.page import Pages
from ._sync.stream import Download, Events
from ._version import __version__
from ._waiting import ReceivedCode, ReceivedLink
from ._webhook import WebhookEvent, verify_webhook

__all__ = [
    "APIConnectionError",
    "APIError",
    "APITimeoutError",
    "AsyncDownload",
    "AsyncEvents",
    "AsyncMailbox",
    "AsyncMailkin",
    "AsyncPages",
    "AuthenticationError",
    "ConflictError",
    "Download",
    "Events",
    "InvalidRequestError",
    "Mailbox",
    "Mailkin",
    "MailkinError",
    "NOT_GIVEN",
    "NotFoundError",
    "Pages",
    "PermissionDeniedError",
    "RateLimitError",
    "ReceivedCode",
    "ReceivedLink",
    "Server",
    "ServerError",
    "TooLargeError",
    "UnexpectedAnswerError",
    "UnexpectedMessageError",
    "WaitTimeoutError",
    "WebhookEvent",
    "WebhookSignatureError",
    "__version__",
    "models",
    "verify_webhook",
]
