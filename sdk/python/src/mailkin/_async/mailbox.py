"""A mailbox to wait in: for a code, a message, a link, or for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, Optional, Sequence, TypeVar, Union

from .. import models
from .._errors import APIConnectionError, APIError
from .._request import NOT_GIVEN
from .._waiting import GRACE, AsyncMatch, AsyncSearch, AsyncWait, Box, Cancel, Has, LinkKind, ReceivedCode, ReceivedLink
from .._waiting import check_kind, conditions_of, late, named, pick

if TYPE_CHECKING:
    from .client import AsyncMailkin

T = TypeVar("T")


class AsyncMailbox(Box["AsyncMailkin"]):
    """A mailbox to wait in. `await AsyncMailkin().bootstrap()` makes one, `open_mailbox()` opens that of the key."""

    async def catch_up(self) -> str:
        """Forget what came until now: waiting begins here from now on. Returns the mark, for `after`."""
        return self._caught_up(await self.client.me(mailbox=self.address))

    async def wait_for_code(
        self,
        from_: Optional[str] = None,
        *,
        timeout: float = 120.0,
        after: Optional[str] = None,
        consume: bool = False,
        cancel: Optional[Cancel] = None,
    ) -> ReceivedCode:
        """Wait for a verification code, the newest. The next call waits for the next one.

        from_: a part of the sender's address or name.
        timeout: seconds, as many as you like; after that it is a WaitTimeoutError.
        after: the id of an event to begin after, such as `catch_up()` returns.
        consume: no other call that says so gets this code. Where the connection breaks while it is handed out, nobody
        knows whether it was, and that is an APIConnectionError.
        cancel: an event, of threading or of asyncio, that ends the wait when it is set.
        """
        wait = AsyncWait(timeout, cancel)
        mark = self._code_mark(after, from_)

        def ask(seconds: int, take: bool) -> "Callable[[AsyncMailkin], Awaitable[Any]]":
            return lambda client: client.code(
                after=mark, timeout=seconds, from_=from_ or NOT_GIVEN, consume=take or NOT_GIVEN, mailbox=self.address
            )

        while True:
            seconds = wait.seconds()
            if seconds is None:
                what = "code" + named({"from_": from_} if from_ else {})
                raise late(what, self.address, wait, await self._arrived(wait))
            answer = await self._ask(wait, seconds, ask(seconds, False))
            if consume and isinstance(answer, models.Code):  # it is there, and is taken in a call that is short
                newest, answer = answer.event_id, await self._ask(wait, 1, ask(1, True), again=False)
                if isinstance(answer, models.NoCode):
                    mark = newest or mark  # somebody else has it
            if not isinstance(answer, models.Code):
                continue
            mark = answer.event_id or mark
            code = self._take_code(answer, after, from_)
            if code is not None:
                return code
            wait.goes_on()

    async def wait_for_message(
        self,
        from_: Optional[str] = None,
        *,
        subject: Optional[str] = None,
        query: Optional[str] = None,
        label: Optional[str] = None,
        thread_id: Optional[str] = None,
        has: Union[Has, Sequence[Has], None] = None,
        match: Optional[AsyncMatch] = None,
        timeout: float = 120.0,
        after: Optional[str] = None,
        cancel: Optional[Cancel] = None,
    ) -> models.Email:
        """Wait for a message for which all holds that is given, the oldest. Each message is returned once.

        from_, subject: parts of them. query: words.
        has: `code`, `link`, `attachment`, or several of them.
        match: a function of yours that says whether it is the one.
        timeout: seconds, as many as you like; after that it is a WaitTimeoutError.
        after: the id of an event to begin after, such as `catch_up()` returns.
        cancel: an event, of threading or of asyncio, that ends the wait when it is set.
        """
        conditions = conditions_of(from_, subject, query, label, thread_id, has)
        wait = AsyncWait(timeout, cancel)
        found = await self._next(wait, conditions, AsyncSearch(self, "message", conditions, after, match))
        if found is None:
            raise late("message" + named(conditions), self.address, wait, await self._arrived(wait))
        return found

    async def wait_for_link(
        self,
        kind: Optional[LinkKind] = None,
        *,
        contains: Optional[str] = None,
        from_: Optional[str] = None,
        subject: Optional[str] = None,
        timeout: float = 120.0,
        after: Optional[str] = None,
        cancel: Optional[Cancel] = None,
    ) -> ReceivedLink:
        """Wait for a link, and return its URL.

        kind: `verification`, `sign_in`, `password_reset`, `invitation`, `unsubscribe` or `other`; left out: any.
        contains: a part of the URL.
        """
        check_kind(kind)
        conditions = conditions_of(from_, subject, None, None, None, "link")
        wait = AsyncWait(timeout, cancel)
        search = AsyncSearch(
            self, "link", conditions, after, lambda m: pick(m, kind, contains) is not None, fickle=False,
            more=f"{kind} {contains}",
        )
        email = await self._next(wait, conditions, search)
        link = None if email is None else pick(email, kind, contains)
        if link is None:
            raise late("link" + named({"kind": kind} if kind else {}), self.address, wait, await self._arrived(wait))
        return link

    async def expect_nothing(
        self, seconds: float = 5.0, *, from_: Optional[str] = None, subject: Optional[str] = None,
        query: Optional[str] = None, match: Optional[AsyncMatch] = None, after: Optional[str] = None,
    ) -> None:
        """Wait, and fail with UnexpectedMessageError if a message comes, or came, that no other call has returned."""
        conditions = conditions_of(from_, subject, query, None, None, None)
        wait = AsyncWait(seconds)
        found = await self._next(wait, conditions, AsyncSearch(self, None, conditions, after, match))
        if found is not None:
            raise self._surprise(found, seconds)
        if wait.error is not None:  # nobody knows what came
            raise wait.error

    async def _next(self, wait: AsyncWait, conditions: Dict[str, Any], search: AsyncSearch) -> Optional[models.Email]:
        """The first message that is searched for; None: the time is up."""
        while True:
            seconds = wait.seconds()
            if seconds is None:
                return None
            answer = await self._ask(wait, seconds, lambda client: client.wait(
                after=search.mark, timeout=seconds or 1, mailbox=self.address, **conditions
            ))
            if answer is None or answer.email is None:
                continue
            if await search.take(answer.email, answer.event_id):
                return answer.email
            wait.goes_on()

    async def _ask(
        self, wait: AsyncWait, seconds: int, call: "Callable[[AsyncMailkin], Awaitable[T]]", again: bool = True
    ) -> Optional[T]:
        """What the server answers, which is given the seconds; None: it failed in a way that may pass, or the wait was
        cancelled. What may not be made again is seen through.
        """
        patience = wait.patience(seconds, self.client._settings.timeout)
        once = self.client.with_options(max_retries=0, timeout=patience)  # the loop is patient, within its time
        try:
            answer = await wait.run(lambda: call(once)) if again else await call(once)
            wait.answered()
            return answer
        except (APIConnectionError, APIError) as e:
            await wait.pause(wait.failed(e, again))
            return None

    async def _arrived(self, wait: AsyncWait) -> Optional[List[models.Message]]:
        """What there is, for an error to show. Not every key may see it, and not every server can be asked."""
        if wait.error is not None or wait.cancelled:
            return None
        once = self.client.with_options(max_retries=0, timeout=GRACE)  # the time is up already
        try:
            page = await once.inbox(limit=10, direction="inbound", mailbox=self.address).page()
            return page.emails
        except (APIConnectionError, APIError):
            return None
