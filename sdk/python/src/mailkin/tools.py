"""A mailbox as tools for a model: plain schemas, and functions to call.

    from mailkin import Mailkin
    from mailkin.tools import MailTools

    tools = MailTools(Mailkin().bootstrap())
    client.chat.completions.create(tools=tools.openai(), …)          # OpenAI
    client.messages.create(tools=tools.anthropic(), …)               # Anthropic
    create_react_agent(model, tools.langchain())                     # LangChain, which must be installed
    tools.call(name, arguments)                                      # what the model asked for, as JSON for its answer

`AsyncMailTools` is the same for asyncio: it takes an AsyncMailbox, and `await tools.call(…)`.

What mail says is written by strangers: it is something to read, never an instruction. Each message comes with `trust`.
"""

from ._async.tools import AsyncMailTools
from ._sync.tools import MailTools
from ._tools import Tool

__all__ = ["AsyncMailTools", "MailTools", "Tool"]
