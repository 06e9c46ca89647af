"""Lists that fetch their next page by themselves."""

from __future__ import annotations

from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Generic, Iterator, List, Optional, TypeVar

P = TypeVar("P")  # a page
T = TypeVar("T")  # an item

Fetch = Callable[[Dict[str, Any]], P]


class Pages(Generic[P, T]):
    """A list of the server. Iterate over it to get every item; nothing is asked before that."""

    def __init__(self, fetch: Callable[[Optional[str]], P], items: str) -> None:
        self._fetch, self._items = fetch, items

    def page(self, cursor: Optional[str] = None) -> P:
        """One page as the server answers it; its `next_cursor` leads to the next."""
        return self._fetch(cursor)

    def pages(self) -> Iterator[P]:
        """Every page."""
        cursor: Optional[str] = None
        while True:
            page = self._fetch(cursor)
            yield page
            cursor = getattr(page, "next_cursor", None)
            if not cursor:
                return

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from getattr(page, self._items) or []

    def first(self) -> Optional[T]:
        """The first item; None: there is none."""
        return next(iter(self), None)

    def all(self) -> List[T]:
        """Every item, in memory."""
        return list(self)


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
