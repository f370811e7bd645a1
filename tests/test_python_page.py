"""The page about Python is true: its code runs as it stands."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_code_runs(number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    exec("from rubric.engine import diff, load\n" + BLOCKS[number], names)
    said = capsys.readouterr().out.splitlines()
    expected = {0: [], 1: ["rubric-version-changed version"], 2: ["1 0.19999999999999996"]}
    assert said[:1] == expected[number]
