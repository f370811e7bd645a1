"""Findings in every format."""

import json
import re

from rubric.engine.findings import Finding, Position
from rubric.engine.reporters import findings

FINDINGS = [
    Finding(
        "unknown-key",
        "there is no key 'wieght'",
        Position("rubrics/a b.yaml", 3, 5),
        "did you mean 'weight'?",
        node="metrics.events",
        line_text="    wieght: 1",
    ),
    Finding("dead-gate", "100% of cases, at least:\nall", severity="warning"),
]


def test_findings_as_text() -> None:
    assert findings.render(FINDINGS, ["a", "b"], "text") == (
        "rubrics/a b.yaml:3:5: error: there is no key 'wieght' [unknown-key]\n"
        "        wieght: 1\n"
        "        ^\n"
        "    hint: did you mean 'weight'?\n"
        "\n"
        "warning: 100% of cases, at least:\nall [dead-gate]\n"
        "\n"
        "1 error, 1 warning in 2 rubrics\n"
    )
    assert findings.render([], ["a"], "text") == "1 rubric checked, nothing found\n"


def test_findings_in_color() -> None:
    colored = findings.render(FINDINGS, ["a"], "text", color=True)
    assert colored.startswith("rubrics/a b.yaml:3:5: \x1b[1;31merror\x1b[0m: there is")
    assert re.sub(r"\x1b\[[0-9;]+m", "", colored) == findings.render(FINDINGS, ["a"], "text")


def test_findings_obey_no_escape_sequence() -> None:
    hostile = Finding("x", "\x1b[2J\ud800", Position("a\x1b.yaml", 1, 1), line_text="\x9b1m")
    found = findings.render([hostile], ["a"], "text")
    assert "a\\x1b.yaml:1:1: error: \\x1b[2J\\ud800 [x]\n    \\x9b1m\n    ^\n" in found


def test_findings_as_json() -> None:
    found = json.loads(findings.render(FINDINGS, ["a"], "json"))
    assert found["errors"] == 1
    assert found["warnings"] == 1
    assert found["findings"][0] == {
        "id": "unknown-key",
        "severity": "error",
        "message": "there is no key 'wieght'",
        "hint": "did you mean 'weight'?",
        "node": "metrics.events",
        "file": "rubrics/a b.yaml",
        "line": 3,
        "column": 5,
    }
    assert found["findings"][1]["file"] is None


def test_findings_for_github() -> None:
    assert findings.render(FINDINGS, ["a"], "github") == (
        "::error file=rubrics/a b.yaml,line=3,col=5,title=unknown-key::there is no key 'wieght'%0Ahint: did you mean "
        "'weight'?\n"
        "::warning title=dead-gate::100%25 of cases, at least:%0Aall\n"
    )
    odd = Finding("x", "m", Position("a:b,c%.yaml", 1, 2))
    assert findings.render([odd], ["a"], "github") == "::error file=a%3Ab%2Cc%25.yaml,line=1,col=2,title=x::m\n"
    assert findings.render([], ["a"], "github") == ""


def test_findings_as_sarif() -> None:
    log = json.loads(findings.render(FINDINGS, ["a"], "sarif"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["rules"]) == ("rubric", [{"id": "dead-gate"}, {"id": "unknown-key"}])
    assert run["results"] == [
        {
            "ruleId": "unknown-key",
            "ruleIndex": 1,
            "level": "error",
            "message": {"text": "there is no key 'wieght'\nhint: did you mean 'weight'?"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "rubrics/a%20b.yaml"},
                        "region": {"startLine": 3, "startColumn": 5},
                    },
                    "logicalLocations": [{"fullyQualifiedName": "metrics.events"}],
                }
            ],
        },
        {
            "ruleId": "dead-gate",
            "ruleIndex": 0,
            "level": "warning",
            "message": {"text": "100% of cases, at least:\nall"},
        },
    ]
