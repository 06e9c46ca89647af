"""How requests are made, and made again where that is safe."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import Any, AsyncIterator, Mapping, Optional, Type, TypeVar, overload

import httpx

from .._errors import error_of
from .._request import LIMITS, Request, Settings, failure, given, page_at, pause, read_as, segment
from .page import AsyncPages
from .stream import AsyncDownload, AsyncEvents

T = TypeVar("T")


class AsyncCaller:
    """Makes requests."""

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        timeout: float = 30.0,
        max_retries: int = 3,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        """
        api_key: of a mailbox, or the operator's token; else MAILKIN_API_KEY, else that of the command's profile.
        base_url: of the server; else MAILKIN_URL, else that of the profile, else http://127.0.0.1:8025.
        timeout: seconds that one answer may take, besides what a call is told to wait.
        max_retries: how often a request is made again that failed, where that is safe.
        http_client: makes the requests, with its proxies, certificates and limits; it is not closed here.
        """
        self._settings = Settings(api_key, base_url, timeout, max_retries)
        self._http = http_client or httpx.AsyncClient(limits=LIMITS)
        self._owned = http_client is None

    @property
    def base_url(self) -> str:
        """The address of the server."""
        return self._settings.base_url

    @property
    def api_key(self) -> Optional[str]:
        """The key that is used; None: none."""
        return self._settings.api_key

    async def close(self) -> None:
        """Close the connections. Not needed after `async with`."""
        if self._owned:
            await self._http.aclose()

    @overload
    async def _ask(self, method: str, path: str, into: Type[T], **parts: Any) -> T: ...

    @overload
    async def _ask(self, method: str, path: str, into: object, **parts: Any) -> Any: ...

    async def _ask(self, method: str, path: str, into: Any, **parts: Any) -> Any:
        return read_as(into, await self._send(Request(self._settings, method, path, **parts)))

    def _pages(
        self, method: str, path: str, into: Any, *, items: str, query: Mapping[str, Any], **parts: Any
    ) -> AsyncPages[Any, Any]:
        async def fetch(cursor: Optional[str]) -> Any:
            return await self._ask(method, path, into, query=page_at(query, cursor), **parts)

        return AsyncPages(fetch, items)

    def _events(self, method: str, path: str, *, query: Mapping[str, Any]) -> AsyncEvents:
        return AsyncEvents(lambda more: self._open(Request(self._settings, method, path, query=more)), given(query))

    def _download(
        self, method: str, path: str, *, query: Mapping[str, Any], headers: Optional[Mapping[str, Any]] = None
    ) -> AsyncDownload:
        def open(more: Mapping[str, str]) -> Any:
            return self._open(Request(self._settings, method, path, query=query, headers={**(headers or {}), **more}))

        return AsyncDownload(open, self._settings.max_retries)

    @asynccontextmanager
    async def _open(self, request: Request) -> AsyncIterator[httpx.Response]:
        """Make a request. The answer is yet to be read."""
        response = await self._send(request, stream=True)
        try:
            yield response
        except httpx.RequestError as e:
            raise failure(e) from e
        finally:
            await response.aclose()

    async def _send(self, request: Request, stream: bool = False) -> httpx.Response:
        attempt = 0
        while True:
            last = attempt >= self._settings.max_retries
            response: Optional[httpx.Response] = None
            try:
                built = self._http.build_request(request.method, request.url, **request.arguments(asynchronous=True))
                response = await self._http.send(built, stream=True)
                if not stream or not response.is_success:
                    await response.aread()  # which closes it
                if response.is_success or response.status_code == 304:
                    return response
                if last or not request.again(response):
                    raise error_of(response)
            except httpx.RequestError as e:
                if response is not None:
                    await response.aclose()
                if last or not request.again(None, e):
                    raise failure(e) from e
            await asyncio.sleep(pause(attempt, response))
            attempt += 1

    _segment = staticmethod(segment)
