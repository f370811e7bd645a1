"""The YAML parser that is used: libyaml through PyYAML, or PyYAML alone where libyaml is missing."""

import re
from collections.abc import Callable
from typing import Any

import yaml
from yaml.scanner import ScannerError

_SURROGATE = re.compile(r"[\ud800-\udfff]")


class PureLoader(yaml.SafeLoader):
    """PyYAML without libyaml, with two differences to it removed."""

    def scan_flow_scalar_non_spaces(self, double: bool, start_mark: Any) -> list[str]:
        """Refuses `\\uD800` and `\\UFFFFFFFF`, which are no characters."""
        try:
            chunks = super().scan_flow_scalar_non_spaces(double, start_mark)
        except (ValueError, OverflowError):
            chunks = ["\ud800"]
        if _SURROGATE.search("".join(chunks)):
            raise ScannerError("while scanning a double-quoted scalar", start_mark, "invalid escape", self.get_mark())
        return chunks

    def scan_plain(self) -> Any:
        """Lets a plain scalar in `{...}` hold a question mark: `{value: a ?? 0}`."""
        self.peek = self._peek_past_question_marks
        try:
            return super().scan_plain()
        finally:
            del self.peek

    def _peek_past_question_marks(self, index: int = 0) -> str:
        character = yaml.SafeLoader.peek(self, index)
        return "x" if character == "?" else character


LOADER: Callable[[str], Any] = getattr(yaml, "CSafeLoader", PureLoader)
"""Called with a text, gives a parser with `get_event` and `dispose`."""
