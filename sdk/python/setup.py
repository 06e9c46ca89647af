"""Writes the client without asyncio from the one for asyncio, and builds the package.

src/mailkin/_sync is src/mailkin/_async without its words for asyncio. It is not committed; every build writes it, and
in a checkout, where editors and type checkers look for it, `python3 setup.py` does.
"""

import re
import sys
from pathlib import Path

from setuptools import setup

# Words go, or become their counterparts.
RULES = [
    (r"\b(async|await) ", ""),
    (r",? for asyncio\b", ""),
    (r"\bAsync([A-Z])", r"\1"),  # our classes, and AsyncIterator and its like
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\b__a(enter|exit|iter)__\b", r"__\1__"),
    (r"\.a(close|read|iter_lines|iter_bytes)\(", r".\1("),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r"\bAwaitable, ", ""),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"(?m)^import asyncio$", "import time"),
    (r"\basynchronous=True\b", "asynchronous=False"),
]


def write_sync(package: Path) -> None:
    (package / "_sync").mkdir(exist_ok=True)
    for path in package.glob("_async/*.py"):
        source = path.read_text(encoding="utf-8")
        for pattern, replacement in RULES:
            source = re.sub(pattern, replacement, source)
        source = f"# Written by setup.py from _async/{path.name}. Do not edit.\n{source}"
        (package / "_sync" / path.name).write_text(source, encoding="utf-8")


write_sync(Path(__file__).parent / "src" / "mailkin")
if len(sys.argv) > 1:
    setup()
