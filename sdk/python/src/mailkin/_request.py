"""What is asked of the server: where it is, whose key is used, and a request as it is sent, once or again."""

from __future__ import annotations

import itertools
import json
import mimetypes
import os
import random
import re
import uuid
from typing import IO, Any, AsyncIterator, Dict, Iterator, Mapping, Optional, Tuple, TypeVar, Union
from urllib.parse import quote

import httpx

from ._convert import decode, encode
from ._errors import APIConnectionError, APITimeoutError, MailkinError, UnexpectedAnswerError, retry_after_of
from ._version import __version__


class NotGiven:
    """What a parameter is that was left out. `None` is JSON's null, which some members take."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()

T = TypeVar("T")
Given = Union[T, NotGiven]

Content = Union[bytes, str, IO[bytes]]
"""Bytes, text, or a file that is open to be read as bytes, which is sent piece by piece."""

Upload = Union[IO[bytes], Tuple[str, IO[bytes]], Tuple[str, bytes], Tuple[str, IO[bytes], str], Tuple[str, bytes, str]]
"""A file that is open to be read as bytes; or its name, that or its bytes, and its type."""

DEFAULT_URL = "http://127.0.0.1:8025"
CHUNK = 256 << 10

# Calls that wait hold a connection each, and many may wait at once.
LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20)

# Answers that say that nothing was done, so that any request may be made again.
REFUSED = (429, 503)
# Answers after which nobody knows; what is safe to repeat is made again.
UNSURE = (408, 500, 502, 504)


class Settings:
    """Where the server is and whose key is used: as given, from the environment, or as the command `mailkin` has it."""

    def __init__(
        self, api_key: Optional[str], base_url: Optional[str], timeout: float, max_retries: int
    ) -> None:
        url = base_url or os.environ.get("MAILKIN_URL")
        key = api_key if api_key is not None else os.environ.get("MAILKIN_API_KEY") or None
        profile = {} if url and key is not None else _profile()
        self.base_url = (url or profile.get("url") or DEFAULT_URL).rstrip("/")
        if not re.match("https?://[^/]", self.base_url):
            raise MailkinError(f"The address of the server is no URL: {self.base_url!r}. It begins with http(s)://.")
        if key is None and self.base_url == profile.get("url", DEFAULT_URL).rstrip("/"):
            key = profile.get("api_key")  # a key goes to the server that it is for, and to no other
        self.api_key = (key or "").strip() or None
        if self.api_key and not re.fullmatch("[!-~]+", self.api_key):
            raise MailkinError("The key is none: it has other characters than a key has.")
        self.timeout = timeout
        self.max_retries = max_retries


def _profile() -> Dict[str, str]:
    """The profile that the command line keeps: lines of `name = "value"`."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(folder):
        folder = os.path.join(os.path.expanduser("~"), ".config")
    try:
        with open(os.path.join(folder, "mailkin", "config.toml"), encoding="utf-8") as f:
            return dict(re.findall(r'^\s*(\w+)\s*=\s*"([^"\\]*)"\s*$', f.read(65536), re.MULTILINE))
    except (OSError, ValueError):
        return {}


class Request:
    """A request as it is sent, once or again."""

    def __init__(
        self,
        settings: Settings,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        file: Given[Upload] = NOT_GIVEN,
        raw: Optional[Content] = None,
        media_type: Optional[str] = None,
        idempotency_key: Union[str, NotGiven, None] = None,
    ) -> None:
        self.method, self.url = method, settings.base_url + path
        self.query = {k: _text(v) for k, v in given(query).items() if v is not None}
        self.headers = {"User-Agent": "mailkin-python/" + __version__, "Accept": "application/json, */*"}
        if settings.api_key:
            self.headers["Authorization"] = "Bearer " + settings.api_key
        self.headers.update({k: _text(v) for k, v in given(headers).items() if v is not None})
        if idempotency_key is not None:  # else there is no such thing for this operation
            minted = isinstance(idempotency_key, NotGiven)
            self.headers["Idempotency-Key"] = uuid.uuid4().hex if minted else str(idempotency_key)
        # Of a code that is handed out once the second call would get the next one, and what was deleted already is
        # not found.
        reads = method == "GET" and self.query.get("consume") != "true"
        self.repeatable = reads or idempotency_key is not None
        self._settings = settings
        self._content: Union[bytes, IO[bytes], None] = None
        self._head = self._tail = b""  # of a form, around the content
        if not isinstance(file, NotGiven):
            boundary = "mailkin-" + uuid.uuid4().hex
            self._head, self._content = _form(boundary, file)
            self._tail = f"\r\n--{boundary}--\r\n".encode()
            self.headers["Content-Type"] = "multipart/form-data; boundary=" + boundary
        elif raw is not None:
            self._content = raw.encode() if isinstance(raw, str) else raw
            self.headers["Content-Type"] = media_type or "application/octet-stream"
        elif body is not None:
            self._content = json.dumps(encode(given(body))).encode()
            self.headers["Content-Type"] = "application/json"
        self._begin = _position(self._content)

    def arguments(self, asynchronous: bool) -> Dict[str, Any]:
        """What httpx is given."""
        content: Any = self._content
        if hasattr(content, "read"):
            pieces = _pieces(content, self._head, self._tail)
            content = _apieces(pieces) if asynchronous else pieces
        elif self._head:
            content = self._head + content + self._tail
        # A waiting call takes as long as it was told to, and the way back.
        read = self._settings.timeout + float(self.query.get("timeout", 0))
        return {
            "params": self.query,
            "headers": self.headers,
            "content": content,
            "timeout": httpx.Timeout(self._settings.timeout, read=read),
        }

    def again(self, response: Optional[httpx.Response], error: Optional[httpx.RequestError] = None) -> bool:
        """Whether it may be made once more after this answer, or after none."""
        if response is not None:
            may = response.status_code in REFUSED or (response.status_code in UNSURE and self.repeatable)
        else:  # one that was never sent may be made again in any case
            may = self.repeatable or isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
        return may and self._rewind()

    def _rewind(self) -> bool:
        """Go back to where a file was that has been read."""
        source: Any = self._content
        if not hasattr(source, "read"):
            return True
        try:
            source.seek(self._begin)
        except (AttributeError, OSError, TypeError, ValueError):
            return False
        return True


def _position(source: Any) -> Optional[int]:
    try:
        position: int = source.tell()
        return position
    except (AttributeError, OSError, ValueError):
        return None  # it cannot be read again


def _form(boundary: str, file: Upload) -> Tuple[bytes, Union[bytes, IO[bytes]]]:
    """What comes before the content of a file in a form, and that."""
    parts: Tuple[Any, ...] = file if isinstance(file, tuple) else (str(getattr(file, "name", "file")), file)
    name, content = parts[0] if isinstance(file, tuple) else os.path.basename(parts[0]), parts[1]
    kind = parts[2] if len(parts) > 2 else mimetypes.guess_type(name)[0] or "application/octet-stream"
    plain = re.fullmatch(r"[ !#-\[\]-~]*", name)  # else as RFC 5987 has it, whatever is in it
    shown = f'filename="{name}"' if plain else "filename*=UTF-8''" + quote(name, safe="")
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; {shown}\r\nContent-Type: {kind}\r\n\r\n'
    return head.encode(), content


def given(members: Optional[Mapping[str, Any]]) -> Dict[str, Any]:
    """Those that were not left out."""
    return {k: v for k, v in (members or {}).items() if not isinstance(v, NotGiven)}


def read_as(into: Any, response: httpx.Response) -> Any:
    """What an answer becomes."""
    if into is None:
        return None
    if into is str:
        return response.text
    try:
        answer = response.json()
    except ValueError as e:
        raise UnexpectedAnswerError(f"What {response.url} answered is no JSON: is that a Mailkin?") from e
    if not isinstance(answer, dict):
        raise UnexpectedAnswerError(f"What {response.url} answered is no object of JSON: is that a Mailkin?")
    return decode(into, answer)


def page_at(query: Mapping[str, Any], cursor: Optional[str]) -> Dict[str, Any]:
    """The parameters for the page at a cursor."""
    if cursor is None:
        return dict(query)
    return {k: v for k, v in {**query, "cursor": cursor}.items() if k != "offset"}


def segment(value: str) -> str:
    """A value as a part of a path."""
    return quote(str(value), safe="@")


def pause(attempt: int, response: Optional[httpx.Response] = None) -> float:
    """How long to wait before the next attempt: as the server says, or longer each time."""
    after = None if response is None else retry_after_of(response)
    if after is not None:
        return min(after, 60.0)
    backoff: float = min(0.25 * 2 ** min(attempt, 10), 5.0)
    return backoff * (0.5 + random.random() / 2)


def failure(e: httpx.RequestError) -> MailkinError:
    """The error of a request that has no answer."""
    if isinstance(e, httpx.TimeoutException):
        return APITimeoutError(f"The server did not answer in time ({type(e).__name__}).")
    return APIConnectionError(f"The server could not be reached, or the connection broke: {e or type(e).__name__}")


def _pieces(file: IO[bytes], head: bytes, tail: bytes) -> Iterator[bytes]:
    pieces = iter(lambda: file.read(CHUNK), b"")
    yield from (piece for piece in itertools.chain([head], pieces, [tail]) if piece)


async def _apieces(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


def _text(v: Any) -> str:
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, (list, tuple, set)):
        return ",".join(_text(one) for one in v)
    return str(encode(v))
