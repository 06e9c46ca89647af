"""Answers that are read as they come: events, and files."""

from __future__ import annotations

import asyncio
import json
import os
import time
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import Any, AsyncContextManager, AsyncIterator, Callable, ContextManager, Dict, Iterator, List, Mapping
from typing import Optional, Union

import httpx

from . import models
from ._convert import decode
from ._errors import APIConnectionError, APIError, MailkinError, RateLimitError, ServerError
from ._request import pause

# How often in a row a stream may fail to open before that is an error: most of a minute.
MOST_FAILURES = 15
# What a stream replays that does not say from where.
REPLAY = timedelta(seconds=60)


class _Feed:
    """Where a stream is, and what comes of its lines (server-sent events)."""

    def __init__(self, query: Mapping[str, Any]) -> None:
        self.query: Dict[str, Any] = dict(query)
        self.failures = 0
        self._id = ""
        self._data: List[str] = []

    @property
    def last_id(self) -> Optional[str]:
        last = self.query.get("last_event_id")
        return None if last is None else str(last)

    def opened(self, response: httpx.Response) -> None:
        self._id, self._data = "", []
        if "since" in self.query or "last_event_id" in self.query:
            return
        try:  # by the server's clock: however long the next attempt takes, it begins where this one did
            self.query["since"] = parsedate_to_datetime(response.headers["Date"]) - REPLAY
        except (KeyError, TypeError, ValueError):
            pass

    def line(self, line: str) -> Optional[models.Event]:
        line = line.rstrip("\r\n")
        self.failures = 0
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            self._data.append(value)
        elif name == "id":
            self._id = value
        elif line == "":
            data, self._data = self._data, []
            if data and self._news():
                event: models.Event = decode(models.Event, json.loads("\n".join(data)))
                return event
        return None

    def _news(self) -> bool:
        """Whether the event that is complete now was not seen before. Ids grow."""
        last = self.last_id
        if last is not None and last.isdigit() and self._id.isdigit() and int(self._id) <= int(last):
            return False
        self.query["last_event_id"] = self._id
        return True

    def failed(self, e: MailkinError) -> float:
        """How long to wait before the stream is opened again, or the error, where that is of no use."""
        if isinstance(e, APIError) and not isinstance(e, (ServerError, RateLimitError)):
            raise e
        self.failures += 1
        if self.failures > MOST_FAILURES:
            raise e
        after = e.retry_after if isinstance(e, APIError) else None
        return pause(self.failures) if after is None else min(after, 60.0)


class Events:
    """What happens in the mailbox, as it happens. The stream is opened again where it ends or breaks, and goes on after
    the last event: none is missed and none comes twice. It ends with `break`, or with `close()`.
    """

    def __init__(
        self, open: Callable[[Mapping[str, Any]], ContextManager[httpx.Response]], query: Mapping[str, Any]
    ) -> None:
        self._open, self._feed, self._closed = open, _Feed(query), False

    @property
    def last_id(self) -> Optional[str]:
        """The id of the last event that was seen: give it to `events(last_event_id=…)` to go on there."""
        return self._feed.last_id

    def __iter__(self) -> Iterator[models.Event]:
        while not self._closed:
            try:
                with self._open(self._feed.query) as response:
                    self._feed.opened(response)
                    for line in response.iter_lines():
                        event = self._feed.line(line)
                        if self._closed:
                            return
                        if event is not None:
                            yield event
            except (APIConnectionError, APIError) as e:
                time.sleep(self._feed.failed(e))

    def close(self) -> None:
        """End the stream at its next line, which comes within two seconds. Any thread may call it."""
        self._closed = True


class AsyncEvents:
    """What happens in the mailbox, as it happens; see `Events`. It also ends when its task is cancelled."""

    def __init__(
        self, open: Callable[[Mapping[str, Any]], AsyncContextManager[httpx.Response]], query: Mapping[str, Any]
    ) -> None:
        self._open, self._feed, self._closed = open, _Feed(query), False

    @property
    def last_id(self) -> Optional[str]:
        """The id of the last event that was seen: give it to `events(last_event_id=…)` to go on there."""
        return self._feed.last_id

    async def __aiter__(self) -> AsyncIterator[models.Event]:
        while not self._closed:
            try:
                async with self._open(self._feed.query) as response:
                    self._feed.opened(response)
                    async for line in response.aiter_lines():
                        event = self._feed.line(line)
                        if self._closed:
                            return
                        if event is not None:
                            yield event
            except (APIConnectionError, APIError) as e:
                await asyncio.sleep(self._feed.failed(e))

    def close(self) -> None:
        """End the stream at its next line, which comes within two seconds."""
        self._closed = True


class _Progress:
    """How far a file has come that is fetched, in one piece or in several."""

    def __init__(self, retries: int) -> None:
        self.left, self.size, self.etag = retries, 0, ""

    def headers(self) -> Dict[str, str]:
        plain = {"Accept-Encoding": "identity"}  # else what came is not what a range counts
        return {**plain, "Range": f"bytes={self.size}-"} if self.size else plain

    def opened(self, response: httpx.Response) -> None:
        etag = response.headers.get("ETag", "")
        if self.size and (response.status_code != 206 or etag != self.etag):
            raise APIConnectionError("The connection broke, and the file could not be fetched from there on.")
        self.etag = etag

    def broke(self, e: APIConnectionError) -> float:
        self.left -= 1
        if self.left < 0 or (self.size and not self.etag):
            raise e
        return pause(0)


class Download:
    """A file of the server. It is fetched when it is read or saved, and never in memory as a whole unless by `read()`.
    Where the connection breaks, it is fetched from there on.
    """

    def __init__(self, open: Callable[[Mapping[str, str]], ContextManager[httpx.Response]], retries: int) -> None:
        self._open, self._retries = open, retries

    def chunks(self) -> Iterator[bytes]:
        """Its bytes, piece by piece."""
        progress = _Progress(self._retries)
        while True:
            try:
                with self._open(progress.headers()) as response:
                    progress.opened(response)
                    for chunk in response.iter_bytes():
                        progress.size += len(chunk)
                        yield chunk
                return
            except APIConnectionError as e:
                time.sleep(progress.broke(e))

    def read(self) -> bytes:
        """All of its bytes."""
        return b"".join(self.chunks())

    def save(self, path: Union[str, "os.PathLike[str]"]) -> int:
        """Write it to a file, which is there only once it is whole. Returns its size."""
        part, size = os.fspath(path) + ".part", 0
        with open(part, "wb") as f:
            for chunk in self.chunks():
                size += f.write(chunk)
        os.replace(part, path)
        return size


class AsyncDownload:
    """A file of the server; see `Download`."""

    def __init__(self, open: Callable[[Mapping[str, str]], AsyncContextManager[httpx.Response]], retries: int) -> None:
        self._open, self._retries = open, retries

    async def chunks(self) -> AsyncIterator[bytes]:
        """Its bytes, piece by piece."""
        progress = _Progress(self._retries)
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
        part, size = os.fspath(path) + ".part", 0
        with open(part, "wb") as f:
            async for chunk in self.chunks():
                size += f.write(chunk)
        os.replace(part, path)
        return size
