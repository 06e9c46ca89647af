"""JSON to models and back. What the server adds later is left out; what it leaves out is None."""

from __future__ import annotations

import dataclasses
import functools
from datetime import datetime, timezone
from typing import Any, Dict, Literal, Mapping, Tuple, Union, get_args, get_origin, get_type_hints


def encode(value: Any) -> Any:
    """What JSON has for a value. Of a model, what is None is left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            f.metadata.get("name", f.name): encode(getattr(value, f.name))
            for f in dataclasses.fields(value)
            if getattr(value, f.name) is not None
        }
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {k: encode(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [encode(v) for v in value]
    return value


@functools.lru_cache(maxsize=None)
def _fields(model: type) -> Tuple[Tuple[str, str, Any], ...]:
    """The fields of a model: their names, their names in JSON, their types."""
    hints = get_type_hints(model)
    return tuple((f.name, f.metadata.get("name", f.name), hints[f.name]) for f in dataclasses.fields(model))


def decode(into: Any, value: Any) -> Any:
    """Read a value of JSON as a type."""
    if value is None or into is Any:
        return value
    origin = get_origin(into)
    if origin is Union:
        return _either(get_args(into), value)
    if origin is list and isinstance(value, list):
        return [decode(get_args(into)[0], v) for v in value]
    if origin is dict and isinstance(value, dict):
        return {k: decode(get_args(into)[1], v) for k, v in value.items()}
    if into is datetime and isinstance(value, str):
        try:
            return datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            return value
    if dataclasses.is_dataclass(into) and isinstance(value, dict):
        return into(**{name: decode(hint, value.get(key)) for name, key, hint in _fields(into)})
    return value


def _either(types: Tuple[Any, ...], value: Any) -> Any:
    """Read a value as the first type that has a place for all of its members, or else the most of them."""
    models = [t for t in types if dataclasses.is_dataclass(t)]
    if isinstance(value, dict) and models:
        return decode(max(models, key=lambda t: _fit(t, value)), value)
    for t in types:
        if t is type(None) or dataclasses.is_dataclass(t):
            continue
        if get_origin(t) is list and not isinstance(value, list):
            continue
        return decode(t, value)
    return value


def _only(hint: Any, value: Any) -> Tuple[Any, ...]:
    """What a member of this type can be, where that is one value; else any."""
    if hint is type(None):
        return (None,)
    alone = get_origin(hint) is Literal and len(get_args(hint)) == 1
    return get_args(hint) if alone else (value,)


def _fit(model: type, value: Dict[str, Any]) -> Tuple[int, int]:
    known = {key for _, key, _ in _fields(model)}
    wrong = sum(value.get(key) not in _only(hint, value.get(key)) for _, key, hint in _fields(model))
    return -wrong, len(known & value.keys()) - len(known - value.keys())
