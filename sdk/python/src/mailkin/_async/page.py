"""Lists that fetch their next page by themselves."""

from __future__ import annotations

from typing import AsyncIterator, Awaitable, Callable, Generic, List, Optional, TypeVar

P = TypeVar("P")  # a page
T = TypeVar("T")  # an item


class AsyncPages(Generic[P, T]):
    """A list of the server. Iterate over it with `async for` to get every item; nothing is asked before that."""

    def __init__(self, fetch: Callable[[Optional[str]], Awaitable[P]], items: str) -> None:
        self._fetch, self._items = fetch, items

    async def page(self, cursor: Optional[str] = None) -> P:
        """One page as the server answers it; its `next_cursor` leads to the next."""
        return await self._fetch(cursor)

    async def pages(self) -> AsyncIterator[P]:
        """Every page."""
        cursor: Optional[str] = None
        while True:
            page = await self._fetch(cursor)
            yield page
            cursor = getattr(page, "next_cursor", None)
            if not cursor:
                return

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in getattr(page, self._items) or []:
                yield item

    async def first(self) -> Optional[T]:
        """The first item; None: there is none."""
        async for item in self:
            return item
        return None

    async def all(self) -> List[T]:
        """Every item, in memory."""
        return [item async for item in self]
