"""Where a stream or a file is that is read as it comes, with asyncio or without."""

from __future__ import annotations

import json
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Iterator, List, Mapping, Optional

import httpx

from . import models
from ._convert import decode
from ._errors import APIConnectionError, APIError, MailkinError, RateLimitError, ServerError, UnexpectedAnswerError
from ._request import pause

# How often in a row a stream may fail to open before that is an error: most of a minute.
MOST_FAILURES = 15
# What a stream replays that does not say from where.
REPLAY = timedelta(seconds=60)


class Feed:
    """Where a stream is, and what comes of its lines (server-sent events)."""

    def __init__(self, query: Mapping[str, Any]) -> None:
        self.query: Dict[str, Any] = dict(query)
        self.failures = 0
        self._rest, self._id = b"", ""
        self._data: List[str] = []

    @property
    def last_id(self) -> Optional[str]:
        last = self.query.get("last_event_id")
        return None if last is None else str(last)

    def opened(self, response: httpx.Response) -> None:
        if not response.headers.get("Content-Type", "").startswith("text/event-stream"):
            raise UnexpectedAnswerError(f"What {response.url} answered is no stream of events: is that a Mailkin?")
        self._rest, self._id, self._data = b"", "", []
        if "since" in self.query or "last_event_id" in self.query:
            return
        try:  # by the server's clock: however long the next attempt takes, it begins where this one did
            self.query["since"] = parsedate_to_datetime(response.headers["Date"]) - REPLAY
        except (KeyError, TypeError, ValueError):
            pass

    def events(self, chunk: bytes) -> Iterator[models.Event]:
        """Those that a piece of the stream completes."""
        self.failures = 0
        *lines, self._rest = (self._rest + chunk).split(b"\n")  # httpx ends lines at U+0085 and its like, too
        for line in lines:
            event = self._line(line.decode("utf-8", "replace"))
            if event is not None:
                yield event

    def _line(self, line: str) -> Optional[models.Event]:
        line = line.rstrip("\r")
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


class Progress:
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
