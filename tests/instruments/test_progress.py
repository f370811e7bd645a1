"""What a person at a terminal sees of a render, and nobody else."""

import io

from rubric.primitives.instruments.blender.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_how_far_it_is_and_then_nothing(monkeypatch):
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    seconds = iter([0.0, 30.0, 90.0])
    monkeypatch.setattr("time.monotonic", lambda: next(seconds))
    with Progress("render") as progress:
        progress.tell(25, 100)
        progress.tell(75, 100)
    lines = terminal.getvalue().split("\r\x1b[K")
    assert lines == ["", "Blender, render: 25 of 100, 1:30 left", "Blender, render: 75 of 100, 0:30 left", ""]


def test_a_file_gets_nothing(monkeypatch):
    monkeypatch.setattr("sys.stderr", file := io.StringIO())
    with Progress("render") as progress:
        progress.tell(1, 2)
    assert file.getvalue() == ""
