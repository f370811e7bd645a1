"""The command line, called from tests."""

import sys
from dataclasses import dataclass

import pytest

from rubric.engine import cli


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


class Command:
    """`rubric ARGUMENTS...` within this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def __call__(self, *arguments: object) -> Done:
        self.monkeypatch.setattr(sys, "argv", ["rubric", *map(str, arguments)])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            cli.main()
        told = self.capsys.readouterr()
        return Done(int(left.value.code or 0), told.out, told.err)
