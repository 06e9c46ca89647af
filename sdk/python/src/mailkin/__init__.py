"""Mail for software agents: a client of Mailkin.

    from mailkin import Mailkin

    for message in Mailkin().inbox():
        print(message.subject)
"""

from . import models
from ._client import AsyncMailkin, Mailkin
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
    WaitTimeoutError,
    WebhookSignatureError,
)
from ._page import AsyncPages, Pages
from ._request import NOT_GIVEN
from ._stream import AsyncDownload, AsyncEvents, Download, Events
from ._version import __version__

__all__ = [
    "APIConnectionError",
    "APIError",
    "APITimeoutError",
    "AsyncDownload",
    "AsyncEvents",
    "AsyncMailkin",
    "AsyncPages",
    "AuthenticationError",
    "ConflictError",
    "Download",
    "Events",
    "InvalidRequestError",
    "Mailkin",
    "MailkinError",
    "NOT_GIVEN",
    "NotFoundError",
    "Pages",
    "PermissionDeniedError",
    "RateLimitError",
    "ServerError",
    "TooLargeError",
    "WaitTimeoutError",
    "WebhookSignatureError",
    "__version__",
    "models",
]
