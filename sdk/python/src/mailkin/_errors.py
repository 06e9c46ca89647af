"""What can go wrong, as classes."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Optional, Tuple, Type

import httpx


class MailkinError(Exception):
    """Everything that goes wrong here is one."""

    def __reduce__(self) -> Any:  # so that it can go from one process to another
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(kind: Type[MailkinError], args: Tuple[Any, ...], state: Dict[str, Any]) -> MailkinError:
    e = kind.__new__(kind, *args)
    e.__dict__.update(state)
    return e


class APIConnectionError(MailkinError):
    """The server could not be reached, or the connection broke."""


class APITimeoutError(APIConnectionError):
    """The server did not answer in time."""


class UnexpectedAnswerError(MailkinError):
    """What answered is no Mailkin: look at the address."""


class WaitTimeoutError(MailkinError, TimeoutError):
    """What was waited for did not come in time."""


class UnexpectedMessageError(MailkinError, AssertionError):
    """A message came where none should; it is in `email`."""

    def __init__(self, message: str, email: Any) -> None:
        super().__init__(message)
        self.email = email


class WebhookSignatureError(MailkinError, ValueError):
    """A request is not signed with this secret, or too old."""


class APIError(MailkinError):
    """The server refused. Its text is the server's sentence for people."""

    status: int
    """The status of HTTP."""
    code: str
    """A word for programs, such as `not_found`."""
    request_id: Optional[str]
    """Names the request in the server's log."""
    retry_after: Optional[float]
    """After how many seconds it may work; None: nobody knows."""
    field: Optional[str]
    """The member or parameter that is wrong."""
    body: Dict[str, Any]
    """The whole answer."""

    def __init__(self, message: str, response: httpx.Response, body: Dict[str, Any]) -> None:
        super().__init__(message)
        self.status = response.status_code
        self.code = str(body.get("code") or _codes.get(self.status, "error"))
        self.request_id = response.headers.get("X-Request-Id") or body.get("request_id")
        self.retry_after = retry_after_of(response)
        self.field = body.get("field")
        self.body = body

    def __str__(self) -> str:
        said = super().__str__()
        request = f", request {self.request_id}" if self.request_id else ""
        return f"{said} ({self.code}, {self.status}{request})"


class InvalidRequestError(APIError):
    """400: something that was given is wrong; `field` says what."""


class AuthenticationError(APIError):
    """401: there is no key, or it is not one."""


class PermissionDeniedError(APIError):
    """403: the key may not do this, or the mailbox is paused."""


class NotFoundError(APIError):
    """404: there is no such thing for this key."""


class ConflictError(APIError):
    """409: something else happened first."""


class TooLargeError(APIError):
    """413: it is too large."""


class RateLimitError(APIError):
    """429: too many; `retry_after` says when to come back."""


class ServerError(APIError):
    """5xx: the server could not."""


_codes = {401: "unauthorized", 403: "forbidden", 404: "not_found", 429: "rate_limited"}

_classes: Dict[int, Type[APIError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: TooLargeError,
    415: InvalidRequestError,
    429: RateLimitError,
}


def retry_after_of(response: httpx.Response) -> Optional[float]:
    """How many seconds the server wants to be left alone; None: it does not say. It says seconds, or a date."""
    said = response.headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]+)?", said):
        return float(said)
    try:  # the date is by the clock of the server, which Date tells
        now = response.headers.get("Date")
        begin = parsedate_to_datetime(now) if now else datetime.now(timezone.utc)
        return max(0.0, (parsedate_to_datetime(said) - begin).total_seconds())
    except (TypeError, ValueError):
        return None


def error_of(response: httpx.Response) -> APIError:
    """The error of an answer whose body was read."""
    try:
        body = response.json()
    except ValueError:
        body = {}
    if not isinstance(body, dict):
        body = {}
    if response.has_redirect_location:
        body = {"error": f"The server is at {response.headers['Location']}: give that address.", "code": "redirected"}
    kind = _classes.get(response.status_code, ServerError if response.status_code >= 500 else APIError)
    said = body.get("message") or body.get("error") or response.reason_phrase or "The server refused."
    return kind(str(said), response, body)
