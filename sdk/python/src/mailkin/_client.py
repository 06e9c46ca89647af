"""The two clients: all operations, and what is written by hand on top of them."""

from __future__ import annotations

from types import TracebackType
from typing import Optional, Type

from ._async_operations import AsyncOperations
from ._operations import Operations


class Mailkin(Operations):
    """A client of a Mailkin server.

    The address and the key are those that are given; else MAILKIN_URL and MAILKIN_API_KEY; else those that the command
    `mailkin` keeps (`mailkin bootstrap`).

        with Mailkin() as client:
            for message in client.inbox():
                print(message.subject)
    """

    def __enter__(self) -> "Mailkin":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class AsyncMailkin(AsyncOperations):
    """A client of a Mailkin server for asyncio, with the methods of `Mailkin`.

        async with AsyncMailkin() as client:
            async for message in client.inbox():
                print(message.subject)
    """

    async def __aenter__(self) -> "AsyncMailkin":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()
