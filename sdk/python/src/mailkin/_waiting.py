"""What waiting in a mailbox is, with asyncio or without.

Waiting begins at a mark that the server gave, never at a time: where the mailbox was made or opened, or where `catch_up`
was called. What came since then is found, and what came before is not.
"""

from __future__ import annotations

import asyncio
import inspect
import math
import threading
import time
from concurrent import futures
from typing import Any, Awaitable, Callable, Dict, Generic, Literal, Optional, Protocol, Sequence, Set, Tuple
from typing import TypeVar, Union, get_args

from . import models
from ._errors import APIConnectionError, APIError, MailkinError, RateLimitError, ServerError, UnexpectedAnswerError
from ._errors import UnexpectedMessageError, WaitTimeoutError
from ._request import REFUSED, pause

LONGEST = 55  # seconds that the server waits in one call
GRACE = 5.0  # seconds that a wait takes longer at most, where the server does not answer
TICK = 0.1  # seconds between two looks at whether somebody cancels

LinkKind = Literal["verification", "sign_in", "password_reset", "invitation", "unsubscribe", "other"]
Has = Literal["code", "link", "attachment"]


class Client(Protocol):
    @property
    def api_key(self) -> Optional[str]: ...


class Cancel(Protocol):
    """An event of threading or of asyncio."""

    def is_set(self) -> bool: ...


C = TypeVar("C", bound=Client)
T = TypeVar("T")
Match = Callable[[models.Email], bool]
AsyncMatch = Callable[[models.Email], Union[bool, Awaitable[bool]]]


class ReceivedCode(str):
    """A verification code: text, with the rest of what came in `detail`."""

    detail: models.Code
    """Its message's id, sender, subject, time and links."""


class ReceivedLink(str):
    """The URL of a link, with what it is for in `detail` and its message in `email`."""

    detail: models.Link
    email: models.Email


class Waiting:
    """One thing that is waited for, until a deadline. What goes wrong on the way and may pass is tried again."""

    def __init__(self, timeout: float, cancel: Optional[Cancel] = None) -> None:
        if math.isnan(timeout):
            raise MailkinError("The timeout is no number of seconds.")
        self.timeout, self._end, self._cancel = timeout, time.monotonic() + timeout, cancel
        self._failures, self._asked = 0, False  # the server is asked once in any case
        self.error: Optional[MailkinError] = None
        """Why the last attempt failed; None: it did not."""

    @property
    def cancelled(self) -> bool:
        return self._cancel is not None and self._cancel.is_set()

    @property
    def left(self) -> float:
        return self._end - time.monotonic()

    def seconds(self) -> Optional[int]:
        """How long the server is to wait now; None: it is over."""
        if self.cancelled or self.left <= (0 if self._asked else -GRACE):
            return None
        self._asked = True
        return max(1, math.ceil(min(LONGEST, self.left)))

    def patience(self, seconds: int, usual: float) -> float:
        """How long an answer may take, besides the seconds that the server waits: as usual, but not past the end."""
        return min(usual, max(0.0, self.left - seconds) + GRACE)

    def answered(self) -> None:
        self._failures, self.error = 0, None

    def goes_on(self) -> None:
        """There was something else, and there may be more: the server is asked again, also where the time is up."""
        self._asked = False

    def failed(self, e: Union[APIConnectionError, APIError], again: bool) -> float:
        """How long to wait before the next attempt, or the error, where that is of no use.

        again: whether it may be made again where nobody knows what was done.
        """
        passing = isinstance(e, (APIConnectionError, ServerError, RateLimitError))
        refused = isinstance(e, APIError) and e.status in REFUSED
        if not passing or not (again or refused):
            raise e
        self._failures, self.error = self._failures + 1, e
        after = e.retry_after if isinstance(e, APIError) else None
        return max(0.0, min(self.left, pause(self._failures) if after is None else after))


class Wait(Waiting):
    """Without asyncio."""

    def run(self, call: Callable[[], T]) -> Optional[T]:
        """Make a call, and leave it behind when the wait is cancelled, which is None."""
        if self._cancel is None:
            return call()
        made: "futures.Future[T]" = futures.Future()
        threading.Thread(target=_settle, args=(made, call), daemon=True).start()
        while not self.cancelled:
            if futures.wait([made], TICK).done:
                return made.result()
        return None

    def pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while self._cancel is not None and time.monotonic() < end and not self.cancelled:
            time.sleep(TICK)
        if self._cancel is None:
            time.sleep(seconds)


class AsyncWait(Waiting):
    """With asyncio."""

    async def run(self, call: Callable[[], Awaitable[T]]) -> Optional[T]:
        """Make a call, and end it when the wait is cancelled, which is None."""
        if self._cancel is None:
            return await call()
        made = asyncio.ensure_future(call())
        try:
            while not self.cancelled:
                if (await asyncio.wait([made], timeout=TICK))[0]:
                    return made.result()
            return None
        finally:
            made.cancel()

    async def pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while self._cancel is not None and time.monotonic() < end and not self.cancelled:
            await asyncio.sleep(TICK)
        if self._cancel is None:
            await asyncio.sleep(seconds)


def _settle(made: "futures.Future[T]", call: Callable[[], T]) -> None:
    try:
        made.set_result(call())
    except BaseException as e:
        made.set_exception(e)


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
        self._passed: Dict[Tuple[str, str], str] = {}
        """By what is waited for and a place: all from there on to another place has been returned, or is of no use."""
        self._returned: Dict[str, Set[str]] = {"message": set(), "link": set(), "code": set()}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.address}>"

    @property
    def api_key(self) -> Optional[str]:
        """The key of the mailbox. It is a password."""
        return self.client.api_key

    def _caught_up(self, me: models.Me) -> str:
        self.mark, self._passed = me.event_id, {}
        return self.mark

    def _code_mark(self, after: Optional[str], from_: Optional[str]) -> str:
        """Where codes begin: after the last one that was returned, of this sender or of any."""
        if after is not None:
            return after
        return later(self._passed.get(("code", self.mark)), self._passed.get((f"code {from_}", self.mark)), self.mark)

    def _take_code(
        self, answer: models.Code, after: Optional[str], from_: Optional[str]
    ) -> Optional[ReceivedCode]:
        """The code, unless another call has returned it."""
        code = ReceivedCode(answer.code)
        code.detail = answer
        if after is None:
            self._pass(f"code {from_}" if from_ else "code", self.mark, answer.event_id or self.mark)
        return code if self._first("code", answer.id, after) else None

    def _pass(self, name: str, place: str, mark: str) -> None:
        with self._lock:
            self._passed[name, place] = later(self._passed.get((name, place)), mark)

    def _first(self, kind: str, id: str, after: Optional[str]) -> bool:
        """Whether something is returned for the first time, which does not matter with `after`."""
        with self._lock:
            known = self._returned[kind]
            new = after is not None or id not in known
            known.add(id)
        return new

    def _surprise(self, email: models.Email, seconds: float) -> UnexpectedMessageError:
        return UnexpectedMessageError(
            f"A message came to {self.address} within {seconds:g} seconds: {describe(email)}", email
        )


class Searching:
    """A way through the messages of a mailbox, from a mark on and in their order, to one that fits. What was returned
    is not asked for again, nor what can never fit.

    kind: each message is returned once for each; None: it is looked for and not returned.
    match: says whether a message fits.
    fickle: it may say something else the next time.
    """

    def __init__(
        self, box: Box[Any], kind: Optional[str], conditions: Dict[str, Any], after: Optional[str],
        match: Optional[Callable[[models.Email], Any]], fickle: bool = True, more: str = "",
    ) -> None:
        self._box, self._kind, self._after, self._match = box, kind, after, match
        self._fickle = fickle and match is not None
        self._place = after or box.mark
        # Somebody may put a label on an older message at any time.
        self._name = None if after or "label" in conditions else f"{kind} {more}{named(conditions)}"

    @property
    def mark(self) -> str:
        """The event after which to look."""
        return self._box._passed.get((self._name or "", self._place), self._place)

    def _judge(self, email: models.Email) -> Any:
        """Whether a message fits, or something to await that says so."""
        return not self._known(email.id) and (self._match is None or self._match(email))

    def _take(self, email: models.Email, event_id: Optional[str], fits: bool) -> bool:
        """Whether a message is the one. The next is looked for after its event."""
        found = fits and (self._kind is None or self._box._first(self._kind, email.id, self._after))
        mark = event_id or self.mark
        if self._name is not None and (self._known(email.id) or not (found or self._fickle)):
            self._box._pass(self._name, self._place, mark)
        else:
            self._place = mark
        return found

    def _known(self, id: str) -> bool:
        if self._after is not None:
            return False
        kinds = list(self._box._returned) if self._kind is None else [self._kind]
        return any(id in self._box._returned[kind] for kind in kinds)


class Search(Searching):
    """Without asyncio."""

    def take(self, email: models.Email, event_id: Optional[str]) -> bool:
        fits = self._judge(email)
        if inspect.iscoroutine(fits):
            fits.close()
            raise MailkinError("A function that is to be awaited chooses only in an AsyncMailbox.")
        return self._take(email, event_id, bool(fits))


class AsyncSearch(Searching):
    """With asyncio."""

    async def take(self, email: models.Email, event_id: Optional[str]) -> bool:
        fits = self._judge(email)
        return self._take(email, event_id, bool(await fits if inspect.isawaitable(fits) else fits))


def later(*marks: Optional[str]) -> str:
    """The latest of some marks, which are numbers that grow."""
    return max((m for m in marks if m), key=lambda m: int(m) if m.isdigit() else 0)


M = TypeVar("M", models.Me, models.Bootstrapped)


def known(made: M) -> M:
    """A mailbox as the server describes it, with what waiting needs."""
    if not made.mailbox or not made.event_id:
        raise UnexpectedAnswerError("The answer names no mailbox and no event: is that a Mailkin of today?")
    return made


def describe(message: Union[models.Email, models.Message]) -> str:
    """A message on one line, for people."""
    code = f", code {message.code}" if message.code else ""
    at = f" at {message.received_at:%H:%M:%S}" if message.received_at else ""
    return f"{message.subject!r} from {message.from_address}{at}{code}"


def late(what: str, address: str, wait: Waiting, arrived: Optional[Sequence[models.Message]]) -> WaitTimeoutError:
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


def named(conditions: Dict[str, Any]) -> str:
    return "".join(f" {k.rstrip('_')}={v!r}" for k, v in conditions.items())


def check_kind(kind: Optional[str]) -> None:
    """A kind that does not exist would be waited for in vain."""
    if kind is not None and kind not in get_args(LinkKind):
        raise MailkinError(f"There is no kind of links {kind!r}: they are {', '.join(get_args(LinkKind))}.")


def pick(email: models.Email, kind: Optional[str], contains: Optional[str]) -> Optional[ReceivedLink]:
    """The first link of a message that fits."""
    for link in email.links or []:
        if (kind is None or link.kind == kind) and (contains is None or contains in link.url):
            url = ReceivedLink(link.url)
            url.detail, url.email = link, email
            return url
    return None
