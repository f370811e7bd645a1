"""The page on which people review: one self-contained text, from a template, a style sheet and a script beside it."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

_BLANK = re.compile(r"\{\{(\w+)\}\}")


def page(plan: Mapping[str, Any]) -> str:
    """The page for a plan. It loads nothing but the media that the plan names, which its own policy enforces."""
    style, script = _part("page.css"), _part("page.js")
    filled = {"style": style, "script": script, "policy": _policy(style, script), "data": _data(plan)}
    return _BLANK.sub(lambda blank: filled[blank[1]], _part("page.html"))


@cache
def _part(name: str) -> str:
    return (files(__name__.rpartition(".")[0]) / "review_page" / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """What the browser may load: this style, this script, and media from where the page itself is."""
    allowed = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": _hash(script),
        "media-src": "'self' file:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{what} {where}" for what, where in allowed.items())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _data(plan: Mapping[str, Any]) -> str:
    """JSON that no tag inside a text can end."""
    return json.dumps(plan, ensure_ascii=True, indent=1).replace("<", "\\u003c").replace("&", "\\u0026")
