"""The client: all operations, and what is written by hand on top of them."""

from __future__ import annotations

from types import TracebackType
from typing import Optional, Type

from .._request import NOT_GIVEN, Given
from .._waiting import known
from .mailbox import AsyncMailbox
from .operations import AsyncOperations


class AsyncMailkin(AsyncOperations):
    """A client of a Mailkin server, for asyncio.

    The address and the key are those that are given; else MAILKIN_URL and MAILKIN_API_KEY; else those that the command
    `mailkin` keeps (`mailkin bootstrap`).

        async with AsyncMailkin() as client:
            async for message in client.inbox():
                print(message.subject)
    """

    async def bootstrap(  # type: ignore[override]
        self, *, idempotency_key: Given[str] = NOT_GIVEN
    ) -> AsyncMailbox:
        """Get a temporary mailbox, with its key, to wait in. It needs no key. The mailbox receives and reads, sends
        nothing, and is gone after 72 hours.

            box = await AsyncMailkin().bootstrap()
            code = await box.wait_for_code(from_="github.com", timeout=120)

        POST /v1/bootstrap
        """
        made = known(await super().bootstrap(idempotency_key=idempotency_key))
        return AsyncMailbox(self.with_options(api_key=made.api_key), made.mailbox, made.event_id, made)

    async def open_mailbox(self, address: Optional[str] = None) -> AsyncMailbox:
        """The mailbox of the key, or another that the key opens, to wait in for what comes from now on."""
        me = known(await self.me(mailbox=address or NOT_GIVEN))
        return AsyncMailbox(self, me.mailbox, me.event_id, None)

    def with_options(
        self, *, api_key: Optional[str] = None, timeout: Optional[float] = None, max_retries: Optional[int] = None
    ) -> "AsyncMailkin":
        """A client with the same connections, in which what is given is different."""
        now = self._settings
        return AsyncMailkin(
            (now.api_key or "") if api_key is None else api_key,
            base_url=now.base_url,
            timeout=now.timeout if timeout is None else timeout,
            max_retries=now.max_retries if max_retries is None else max_retries,
            http_client=self._http,
        )

    async def __aenter__(self) -> "AsyncMailkin":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()
