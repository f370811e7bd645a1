"""What is wrong with rubrics, as text for people, JSON, GitHub workflow commands, or SARIF 2.1.0."""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..findings import Finding
from ..json_text import encode
from . import human

FORMATS = ("text", "json", "github", "sarif")

_COLORS = {"error": "31", "warning": "33"}
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def render(findings: Sequence[Finding], rubrics: Sequence[str], format: str, *, color: bool = False) -> str:
    """The findings of the rubrics that were checked, in one of `FORMATS`; `color` is for text on a terminal."""
    if format == "text":
        return _text(findings, rubrics, color)
    writers: Mapping[str, Callable[[Sequence[Finding]], str]] = {"json": _json, "github": _github, "sarif": _sarif}
    return writers[format](findings)


def _count(findings: Sequence[Finding], severity: str) -> int:
    return [finding.severity for finding in findings].count(severity)


# ---------------------------------------------------------------- text


def _text(findings: Sequence[Finding], rubrics: Sequence[str], color: bool) -> str:
    """Each finding with its line and a caret, then how many there are."""
    blocks = [_colored(finding, color) for finding in findings]
    errors, warnings = (_count(findings, severity) for severity in ("error", "warning"))
    checked = human.plural(len(rubrics), "rubric")
    last = f"{human.plural(errors, 'error')}, {human.plural(warnings, 'warning')} in {checked}"
    return "\n\n".join([*blocks, last if findings else f"{checked} checked, nothing found"]) + "\n"


def _colored(finding: Finding, color: bool) -> str:
    text = finding.render()
    start = len(f"{finding.position}: ") if finding.position else 0
    end = start + len(finding.severity)
    word = f"\x1b[1;{_COLORS[finding.severity]}m{text[start:end]}\x1b[0m" if color else text[start:end]
    return _printable(text[:start]) + word + _printable(text[end:])


def _printable(text: str) -> str:
    """A text without anything that a terminal obeys, its line breaks and tabs kept."""
    return _UNSAFE.sub(lambda found: human.clean(found[0]), text)


# ---------------------------------------------------------------- JSON


def _json(findings: Sequence[Finding]) -> str:
    counts = {"errors": _count(findings, "error"), "warnings": _count(findings, "warning")}
    return encode({"findings": [_plain(finding) for finding in findings], **counts}, indent=2) + "\n"


def _plain(finding: Finding) -> dict[str, Any]:
    at = finding.position
    return {
        "id": finding.id,
        "severity": finding.severity,
        "message": finding.message,
        "hint": finding.hint,
        "node": finding.node,
        "file": at.file if at else None,
        "line": at.line if at else None,
        "column": at.column if at else None,
    }


# ---------------------------------------------------------------- GitHub


def _github(findings: Sequence[Finding]) -> str:
    """A workflow command a line, which GitHub shows beside the code; nothing where there is nothing to say."""
    return "".join(f"{_command(finding)}\n" for finding in findings)


def _command(finding: Finding) -> str:
    at = finding.position
    place = {"file": at.file, "line": at.line, "col": at.column} if at else {}
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in {**place, "title": finding.id}.items())
    return f"::{finding.severity} {properties}::{_data(_said(finding))}"


def _said(finding: Finding) -> str:
    return finding.message + (f"\nhint: {finding.hint}" if finding.hint else "")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# ---------------------------------------------------------------- SARIF


def _sarif(findings: Sequence[Finding]) -> str:
    """A log with one run; columns count characters."""
    rules = sorted({finding.id for finding in findings})
    driver = {"name": "rubric", "version": version("rubric-engine"), "rules": [{"id": rule} for rule in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, rules) for finding in findings],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return encode(log, indent=2) + "\n"


def _result(finding: Finding, rules: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ruleId": finding.id,
        "ruleIndex": rules.index(finding.id),
        "level": finding.severity,
        "message": {"text": _said(finding)},
    }
    location = _location(finding)
    return {**found, "locations": [location]} if location else found


def _location(finding: Finding) -> dict[str, Any]:
    location: dict[str, Any] = {}
    if finding.position:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": _uri(finding.position.file)},
            "region": {"startLine": finding.position.line, "startColumn": finding.position.column},
        }
    if finding.node:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.node}]
    return location


def _uri(file: str) -> str:
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="replace")
