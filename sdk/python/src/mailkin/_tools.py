"""What tools for a model are, with asyncio or without."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Sequence, Union, get_args

from . import models
from ._convert import encode
from ._errors import MailkinError
from ._waiting import LinkKind

_TEXT_LIMIT = 20_000  # characters of a message that a model gets to read


@dataclass(frozen=True)
class Tool:
    """One thing that a model may ask for."""

    name: str
    description: str
    parameters: Dict[str, Any]
    """A JSON Schema of its arguments."""
    function: Callable[..., Any]
    """What does it, called with the arguments; the result can be written as JSON."""


def schema(required: Sequence[str] = (), **properties: Any) -> Dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def text(about: str) -> Dict[str, str]:
    return {"type": "string", "description": about}


SECONDS = {"type": "integer", "description": "How many seconds to wait at most.", "minimum": 1, "maximum": 600}
FROM: Dict[str, Any] = {"from": text("A part of the sender's address or name.")}
TO = {"type": "array", "items": {"type": "string"}, "description": "Addresses."}
KIND = {"type": "string", "enum": list(get_args(LinkKind))}

# What went wrong, where a model can do something about it.
MISTAKES = (MailkinError, ValueError, TypeError)


class Tools:
    """What both kinds have."""

    tools: List[Tool]

    def openai(self) -> List[Dict[str, Any]]:
        """For OpenAI's chat completions, and whatever takes the same."""
        return [
            {
                "type": "function",
                "function": {"name": t.name, "description": t.description, "parameters": t.parameters},
            }
            for t in self.tools
        ]

    def anthropic(self) -> List[Dict[str, Any]]:
        """For Anthropic's messages."""
        return [{"name": t.name, "description": t.description, "input_schema": t.parameters} for t in self.tools]

    def _find(self, name: str, arguments: Union[str, Mapping[str, Any], None]) -> Callable[[], Any]:
        """What a model asked for, to be called; a ValueError says what it got wrong."""
        tool = next((t for t in self.tools if t.name == name), None)
        if tool is None:
            raise ValueError(f"There is no tool {name}.")
        given = (json.loads(arguments or "{}") if isinstance(arguments, str) else arguments) or {}
        if not isinstance(given, Mapping):
            raise ValueError("The arguments are no object.")
        given = {name: value for name, value in given.items() if value is not None}
        unknown = sorted(set(given) - set(tool.parameters["properties"]))
        missing = sorted(set(tool.parameters["required"]) - set(given))
        if unknown or missing:
            raise ValueError(f"Arguments that are unknown: {unknown}; that are missing: {missing}.")
        function = tool.function
        return lambda: function(**{"from_" if name == "from" else name: value for name, value in given.items()})


def told(result: Any) -> str:
    """What a model is told: a result, or what went wrong."""
    said = {"error": str(result)} if isinstance(result, Exception) else result
    return json.dumps(said, ensure_ascii=False)


def langchain(tools: Sequence[Tool], call: Callable[[str, Any], Any], asynchronous: bool) -> List[Any]:
    structured = importlib.import_module("langchain_core.tools").StructuredTool

    def function(name: str) -> Callable[..., Any]:
        if not asynchronous:
            return lambda **given: call(name, given)

        async def wait(**given: Any) -> Any:  # LangChain looks whether it is one
            return await call(name, given)

        return wait

    return [
        structured.from_function(
            name=t.name, description=t.description, args_schema=t.parameters,
            **{"coroutine" if asynchronous else "func": function(t.name)},
        )
        for t in tools
    ]


def shown(m: models.Email) -> Dict[str, Any]:
    """What a model gets to see of a message."""
    return {
        "id": m.id, "from": m.from_address, "subject": m.subject, "received_at": encode(m.received_at),
        "text": m.body_text[:_TEXT_LIMIT], "code": m.code, "links": encode(m.links),
        "attachments": [a.filename for a in m.attachments], "trust": encode(m.trust),
    }
