"""A mailbox to wait in: for a code, a message, a link, or for nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union

from .. import models
from .._errors import APIConnectionError, APIError
from .._request import NOT_GIVEN
from .._waiting import Box, Cancel, Match, ReceivedCode, ReceivedLink, Wait
from .._waiting import conditions_of, late, named, pick, series_of

if TYPE_CHECKING:
    from .client import AsyncMailkin


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
        consume: no other call that says so gets this code.
        cancel: an event, of threading or of asyncio, that ends the wait within two seconds when it is set.
        """
        wait = Wait(timeout, cancel)
        what = "code" + named({"from_": from_} if from_ else {})
        mark = self._start(after, what)
        once = self.client.with_options(max_retries=0)  # the loop is patient, within its time
        while True:
            seconds = wait.seconds()
            if seconds is None:
                raise late(what, self.address, wait, await self._arrived(wait))
            try:
                answer = await once.code(
                    after=mark, timeout=seconds, from_=from_ or NOT_GIVEN, consume=consume or NOT_GIVEN,
                    mailbox=self.address,
                )
            except (APIConnectionError, APIError) as e:
                await asyncio.sleep(wait.failed(e))
                continue
            wait.answered()
            if not isinstance(answer, models.Code):
                continue
            mark = answer.event_id or mark
            self._passed(after, what, mark)
            code = self._take_code(answer, after)
            if code is not None:
                return code

    async def wait_for_message(
        self,
        from_: Optional[str] = None,
        *,
        subject: Optional[str] = None,
        query: Optional[str] = None,
        label: Optional[str] = None,
        thread_id: Optional[str] = None,
        has: Union[str, Sequence[str], None] = None,
        match: Optional[Match] = None,
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
        cancel: an event, of threading or of asyncio, that ends the wait within two seconds when it is set.
        """
        conditions = conditions_of(from_, subject, query, label, thread_id, has)
        wait = Wait(timeout, cancel)
        series = series_of("message", conditions, match)
        found = await self._next(wait, after, conditions, lambda m: self._take("message", m, after, match), series)
        if found is None:
            raise late("message" + named(conditions), self.address, wait, await self._arrived(wait))
        return found

    async def wait_for_link(
        self,
        kind: Optional[str] = None,
        *,
        contains: Optional[str] = None,
        from_: Optional[str] = None,
        subject: Optional[str] = None,
        timeout: float = 120.0,
        after: Optional[str] = None,
        cancel: Optional[Cancel] = None,
    ) -> ReceivedLink:
        """Wait for a link, and return its URL.

        kind: `verification`, `sign_in`, `password_reset`, `unsubscribe` or `other`; left out: any.
        contains: a part of the URL.
        """
        conditions = conditions_of(from_, subject, None, None, None, "link")
        wait = Wait(timeout, cancel)

        def fits(m: models.Email) -> bool:
            return self._take("link", m, after, lambda m: pick(m, kind, contains) is not None)

        series = series_of(f"link {kind} {contains}", conditions, None)
        email = await self._next(wait, after, conditions, fits, series)
        link = None if email is None else pick(email, kind, contains)
        if link is None:
            raise late("link" + named({"kind": kind} if kind else {}), self.address, wait, await self._arrived(wait))
        return link

    async def expect_nothing(
        self, seconds: float = 5.0, *, from_: Optional[str] = None, subject: Optional[str] = None,
        query: Optional[str] = None, match: Optional[Match] = None, after: Optional[str] = None,
    ) -> None:
        """Wait, and fail with UnexpectedMessageError if a message comes, or came, that no other call has returned."""
        known = self._seen_anywhere() if after is None else set()
        conditions = conditions_of(from_, subject, query, None, None, None)
        wait = Wait(seconds)
        found = await self._next(
            wait, after, conditions, lambda m: m.id not in known and (match is None or match(m)), None
        )
        if found is not None:
            raise self._surprise(found, seconds)
        if wait.error is not None:  # nobody knows what came
            raise wait.error

    async def _next(
        self, wait: Wait, after: Optional[str], conditions: Dict[str, Any], fits: Match, series: Optional[str]
    ) -> Optional[models.Email]:
        """The first message from a mark on that fits; None: the time is up."""
        mark = self._start(after, series)
        once = self.client.with_options(max_retries=0)
        while True:
            seconds = wait.seconds()
            if seconds is None:
                return None
            try:
                answer = await once.wait(after=mark, timeout=seconds, mailbox=self.address, **conditions)
            except (APIConnectionError, APIError) as e:
                await asyncio.sleep(wait.failed(e))
                continue
            wait.answered()
            if answer.email is None:
                continue
            found = fits(answer.email)
            mark = answer.event_id or mark
            self._passed(after, series, mark)
            if found:
                return answer.email

    async def _arrived(self, wait: Wait) -> Optional[List[models.Message]]:
        """What there is, for an error to show. Not every key may see it, and not every server can be asked."""
        if wait.error is not None:
            return None
        once = self.client.with_options(max_retries=0)  # the time is up already
        try:
            page = await once.inbox(limit=10, direction="inbound", mailbox=self.address).page()
            return page.emails
        except (APIConnectionError, APIError):
            return None
