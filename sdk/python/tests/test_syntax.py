"""That the sources are for Python 3.9: mypy knows its library, and here is what mypy does not look at."""

import ast
from pathlib import Path
from typing import Iterator, Optional

import pytest

HERE = Path(__file__).resolve().parent.parent
SOURCES = sorted(p for folder in ("src", "tests", "examples") for p in (HERE / folder).rglob("*.py"))


def problems(source: str) -> Iterator[str]:
    try:
        tree = ast.parse(source, feature_version=(3, 9))
    except SyntaxError as e:
        yield f"line {e.lineno}: {e.msg}"
        return
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            annotation: Optional[ast.AST] = getattr(node, name, None)
            if annotation is None:
                continue
            # Read at run time by get_type_hints, also where `annotations` comes from __future__.
            if any(isinstance(part, ast.BitOr) for part in ast.walk(annotation)):
                yield f"line {getattr(node, 'lineno', 0)}: X | Y"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(HERE)))
def test_is_python_3_9(path: Path) -> None:
    assert list(problems(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "newer",
    ["match x:\n    case 1: pass", "try: pass\nexcept* OSError: pass", "def f(x: int | None): pass", "x: a | b"],
)
def test_sees_what_is_newer(newer: str) -> None:
    assert list(problems(newer))
