"""What changed in meaning between two rubrics, and what that does to scores."""

from .changes import Change, diff
from .impact import Impact, impact
from .markdown import as_markdown
from .result import Comparison, as_json
from .text import as_text

__all__ = ["Change", "Comparison", "Impact", "as_json", "as_markdown", "as_text", "diff", "impact"]
