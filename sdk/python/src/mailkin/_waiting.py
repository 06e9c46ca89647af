"""What waiting in a mailbox is, with asyncio or without.

Waiting begins at a mark that the server gave, never at a time: where the mailbox was made or opened, or where `catch_up`
was called. What came since then is found, and what came before is not.
"""

from __future__ import annotations

import threading
import time
from typing import Any, Callable, Dict, Generic, Optional, Protocol, Sequence, Set, TypeVar, Union

from . import models
from ._errors import APIConnectionError, APIError, MailkinError, RateLimitError, ServerError
from ._errors import UnexpectedMessageError, WaitTimeoutError
from ._request import pause

LONGEST = 55  # seconds that the server waits in one call
SLICE = 2  # and where somebody may cancel it


class Client(Protocol):
    @property
    def api_key(self) -> Optional[str]: ...


class Cancel(Protocol):
    """An event of threading or of asyncio."""

    def is_set(self) -> bool: ...


C = TypeVar("C", bound=Client)
Match = Callable[[models.Email], bool]


class ReceivedCode(str):
    """A verification code: text, with the rest of what came in `detail`."""

    detail: models.Code
    """Its message's id, sender, subject, time and links."""


class ReceivedLink(str):
    """The URL of a link, with what it is for in `detail` and its message in `email`."""

    detail: models.Link
    email: models.Email


class Wait:
    """One thing that is waited for, until a deadline. What goes wrong on the way and may pass is tried again."""

    def __init__(self, timeout: float, cancel: Optional[Cancel] = None) -> None:
        self.timeout, self._end, self._cancel = timeout, time.monotonic() + timeout, cancel
        self._failures = 0
        self.error: Optional[MailkinError] = None
        """Why the last attempt failed; None: it did not."""

    @property
    def cancelled(self) -> bool:
        return self._cancel is not None and self._cancel.is_set()

    def seconds(self) -> Optional[int]:
        """How long the server is to wait now; None: it is over."""
        left = self._end - time.monotonic()
        if left <= 0 or self.cancelled:
            return None
        return max(1, min(SLICE if self._cancel else LONGEST, int(left + 0.999)))

    def answered(self) -> None:
        self._failures, self.error = 0, None

    def failed(self, e: Union[APIConnectionError, APIError]) -> float:
        """How long to wait before the next attempt, or the error, where that is of no use."""
        passing = isinstance(e, (APIConnectionError, ServerError, RateLimitError))
        left = self._end - time.monotonic()
        if not passing:
            raise e
        self._failures, self.error = self._failures + 1, e
        after = e.retry_after if isinstance(e, APIError) else None
        return max(0.0, min(left, pause(self._failures) if after is None else after))


class Box(Generic[C]):
    """What both kinds of mailbox have."""

    def __init__(self, client: C, address: str, mark: str, made: Optional[models.Bootstrapped]) -> None:
        self.client = client
        """The client with this mailbox's key: for everything else, such as `client.inbox()` and `client.send(…)`."""
        self.address = address
        """Where it gets mail."""
        self.mark = mark
        """The id of an event: waiting begins after it."""
        self.made = made
        """How the server described it, where it was made by `bootstrap`."""
        self._lock = threading.Lock()  # threads may wait side by side, and each message is returned to one
        self._marks: Dict[str, str] = {}  # by what is waited for: all before it has been returned
        self._returned: Dict[str, Set[str]] = {"message": set(), "link": set(), "code": set()}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.address}>"

    @property
    def api_key(self) -> Optional[str]:
        """The key of the mailbox. It is a password."""
        return self.client.api_key

    def _caught_up(self, me: models.Me) -> str:
        self.mark, self._marks = me.event_id, {}
        return self.mark

    def _take_code(self, answer: models.Code, after: Optional[str]) -> Optional[ReceivedCode]:
        """The code, unless another call has returned it."""
        code = ReceivedCode(answer.code)
        code.detail = answer
        return code if self._first("code", answer.id, after) else None

    def _take(self, kind: str, email: models.Email, after: Optional[str], match: Optional[Match]) -> bool:
        """Whether a message is the one that is waited for."""
        if after is None and email.id in self._returned[kind]:
            return False
        return (match is None or match(email)) and self._first(kind, email.id, after)

    def _first(self, kind: str, id: str, after: Optional[str]) -> bool:
        """Whether something is returned for the first time, which does not matter with `after`."""
        with self._lock:
            known = self._returned[kind]
            new = after is not None or id not in known
            known.add(id)
        return new

    def _start(self, after: Optional[str], series: Optional[str]) -> str:
        """Where to look from. What was returned of a series before is not looked at again."""
        return after or self._marks.get(series or "") or self.mark

    def _passed(self, after: Optional[str], series: Optional[str], mark: str) -> None:
        if after is None and series is not None:
            self._marks[series] = mark

    def _surprise(self, email: models.Email, seconds: float) -> UnexpectedMessageError:
        return UnexpectedMessageError(
            f"A message came to {self.address} within {seconds:g} seconds: {describe(email)}", email
        )

    def _seen_anywhere(self) -> Set[str]:
        return set().union(*self._returned.values())


def describe(message: Union[models.Email, models.Message]) -> str:
    """A message on one line, for people."""
    code = f", code {message.code}" if message.code else ""
    at = f" at {message.received_at:%H:%M:%S}" if message.received_at else ""
    return f"{message.subject!r} from {message.from_address}{at}{code}"


def late(what: str, address: str, wait: Wait, arrived: Optional[Sequence[models.Message]]) -> WaitTimeoutError:
    """The error of a wait that is over. What arrived may not be known."""
    until = "before the wait was cancelled" if wait.cancelled else f"within {wait.timeout:g} seconds"
    said = f"No {what} came to {address} {until}."
    if wait.error is not None:
        said += f" The last attempt failed: {wait.error}"
    elif arrived is not None:
        said += " In the mailbox is:" + ("".join("\n  " + describe(m) for m in arrived) or " nothing")
    e = WaitTimeoutError(said)
    e.__cause__ = wait.error
    return e


def conditions_of(
    from_: Optional[str], subject: Optional[str], query: Optional[str], label: Optional[str], thread_id: Optional[str],
    has: Union[str, Sequence[str], None],
) -> Dict[str, Any]:
    chosen = has if has is None or isinstance(has, str) else ",".join(has)
    named = {"from_": from_, "subject": subject, "query": query, "label": label, "thread_id": thread_id, "has": chosen}
    return {k: v for k, v in named.items() if v}


def series_of(what: str, conditions: Dict[str, Any], match: Optional[Match]) -> Optional[str]:
    """Names the messages that a wait looks for, where one that is passed over can never become one of them."""
    changes = match is not None or "label" in conditions or "query" in conditions
    return None if changes else what + named(conditions)


def named(conditions: Dict[str, Any]) -> str:
    return "".join(f" {k.rstrip('_')}={v!r}" for k, v in conditions.items())


def pick(email: models.Email, kind: Optional[str], contains: Optional[str]) -> Optional[ReceivedLink]:
    """The first link of a message that fits."""
    for link in email.links or []:
        if (kind is None or link.kind == kind) and (contains is None or contains in link.url):
            url = ReceivedLink(link.url)
            url.detail, url.email = link, email
            return url
    return None
