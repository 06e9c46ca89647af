"""Answers that are read as they come: events, and files."""

from __future__ import annotations

import asyncio
import os
import uuid
from typing import Any, AsyncContextManager, AsyncIterator, Callable, Mapping, Optional, Union

import httpx

from .. import models
from .._errors import APIConnectionError, APIError
from .._progress import Feed, Progress
from .._request import pause


class AsyncEvents:
    """What happens in the mailbox, as it happens. The stream is opened again where it ends or breaks, and goes on after
    the last event: none is missed and none comes twice. It ends with `break`, or with `close()`.
    """

    def __init__(
        self, open: Callable[[Mapping[str, Any]], AsyncContextManager[httpx.Response]], query: Mapping[str, Any]
    ) -> None:
        self._open, self._feed, self._closed = open, Feed(query), False

    @property
    def last_id(self) -> Optional[str]:
        """The id of the last event that was seen: give it to `events(last_event_id=…)` to go on there."""
        return self._feed.last_id

    async def __aiter__(self) -> AsyncIterator[models.Event]:
        while not self._closed:
            try:
                async with self._open(self._feed.query) as response:
                    self._feed.opened(response)
                    async for chunk in response.aiter_bytes():
                        for event in self._feed.events(chunk):
                            yield event
                            if self._closed:
                                return
                        if self._closed:
                            return
                await asyncio.sleep(pause(0))
            except (APIConnectionError, APIError) as e:
                await asyncio.sleep(self._feed.failed(e))

    def close(self) -> None:
        """End the stream at its next line, which comes within two seconds. Any thread may call it."""
        self._closed = True


class AsyncDownload:
    """A file of the server. It is fetched when it is read or saved, and never in memory as a whole unless by `read()`.
    Where the connection breaks, it is fetched from there on.
    """

    def __init__(self, open: Callable[[Mapping[str, str]], AsyncContextManager[httpx.Response]], retries: int) -> None:
        self._open, self._retries = open, retries

    async def chunks(self) -> AsyncIterator[bytes]:
        """Its bytes, piece by piece."""
        progress = Progress(self._retries)
        while True:
            try:
                async with self._open(progress.headers()) as response:
                    progress.opened(response)
                    async for chunk in response.aiter_bytes():
                        progress.size += len(chunk)
                        yield chunk
                return
            except APIConnectionError as e:
                await asyncio.sleep(progress.broke(e))

    async def read(self) -> bytes:
        """All of its bytes."""
        return b"".join([chunk async for chunk in self.chunks()])

    async def save(self, path: Union[str, "os.PathLike[str]"]) -> int:
        """Write it to a file, which is there only once it is whole. Returns its size."""
        part, size = os.path.join(os.path.dirname(path), f".{uuid.uuid4().hex}.part"), 0
        f = open(part, "wb")
        try:
            with f:
                async for chunk in self.chunks():
                    size += f.write(chunk)
            os.replace(part, path)
        except BaseException:
            os.unlink(part)
            raise
        return size
