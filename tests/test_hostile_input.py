"""What each bad thing gets: one table of rows, each a test, and the page `docs/hostile-input.md` that is made of them.

python tests/test_hostile_input.py > docs/hostile-input.md
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hostile
from rubric.engine import InfrastructureFault, cases, cli, inputs, load
from rubric.engine.files import _FULL
from rubric.engine.json_text import encode
from rubric.engine.loading import LoadedRubric
from rubric.primitives._normal_forms import in_form

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "hostile-input.md"
SCENE = ROOT / "rubrics" / "examples" / "witness"
SURVEY = ROOT / "tests" / "hostile_files" / "survey-1.yaml"
GOOD = {name: (SCENE / f"tier_2.{name}.json").read_bytes() for name in ("truth", "prediction")}


# ---------------------------------------------------------------- what a row is made of


class Place:
    """The folder of one row, with a good scene in it and a rubric that reads folders."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name, data in GOOD.items():
            self.put(f"{name}.json", data)

    def put(self, name: str, data: bytes | str) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return name

    def scene(self, rubric: str = "witness-1.6", **paths: str) -> list[str]:
        """A run of one case, each input a path."""
        given = {"truth": "truth.json", "prediction": "prediction.json", **paths}
        return ["run", rubric, *(f"{name}={path}" for name, path in given.items()), "--format", "jsonl"]

    def rubric(self, text: str | bytes, command: str = "run") -> list[str]:
        return [command, self.put("rubric.yaml", text)]

    def cases(self, *lines: bytes | dict[str, Any]) -> list[str]:
        """A run of many cases, a good one before and after those given."""
        all_lines = [self.case("first"), *lines, self.case("last")]
        data = [line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in all_lines]
        return ["run", "witness-1.6", "--cases", self.put("cases.jsonl", b"".join(data))]

    def case(self, id: Any, **given: Any) -> dict[str, Any]:
        return {"id": id, "inputs": {"truth": "truth.json", "prediction": "prediction.json", **given}}

    def entry(self, rubric: str = "from: candidate") -> list[str]:
        """A run of a rubric whose one input is the folder `entry`."""
        self.put("entry/data.json", "{}")
        return [*self.rubric(FOLDER.replace("from: candidate", rubric)), "entry=entry", "--format", "jsonl"]


FOLDER = """
rubric: folder
version: "1"
language: 1
inputs:
  entry: {from: candidate, folder: {data: {json: data.json}, shots: {files: "shots/*.png"}}}
gates:
  complete: {require: entry.data.ok == true and count(keys(entry.shots)) > 0}
"""
HEAD = 'rubric: trial\nversion: "1"\nlanguage: 1\ninputs: {x: {from: candidate}}\ngates: {g: {require: x == y}}\nlet:\n  y: '


@dataclass(frozen=True)
class Row:
    """`make` puts files into a place and gives the arguments of the command; `says` stands in what comes out of it."""

    what: str
    outcome: str | None
    code: int
    says: str
    make: Callable[[Place], list[str]]
    case: str | None = None  # of many, the one that the row is about


def as_truth(data: bytes) -> Callable[[Place], list[str]]:
    return lambda place: place.scene(truth=place.put("bad.json", data))


def as_prediction(data: bytes) -> Callable[[Place], list[str]]:
    return lambda place: place.scene(prediction=place.put("bad.json", data))


def as_usage(text: str) -> Callable[[Place], list[str]]:
    return lambda place: place.scene(usage=place.put("usage.json", text))


def as_rubric(text: str | bytes) -> Callable[[Place], list[str]]:
    return lambda place: place.rubric(text)


def as_expression(text: str) -> Callable[[Place], list[str]]:
    return lambda place: [*place.rubric(HEAD + text + "\n"), f"x={place.put('x.json', '1')}", "--format", "jsonl"]


def changed(name: str, path: str, value: Any) -> bytes:
    """A good file with another value at a path such as `events.0.t`, or without it where the value is `...`."""
    whole = json.loads(GOOD[name])
    *parents, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
    parent = whole
    for part in parents:
        parent = parent[part]
    if value is ...:
        del parent[last]
    else:
        parent[last] = value
    return hostile.as_json(whole)


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


def large(place: Place, size: int, name: str = "large.json") -> str:
    """A file that only says it is large."""
    with (place.folder / name).open("wb") as file:
        file.truncate(size)
    return name


def pipe(place: Place, name: str = "pipe") -> str:
    os.mkfifo(place.folder / name)
    return name


def loop(place: Place, name: str = "loop") -> str:
    (place.folder / name).symlink_to(name)
    return name


def folder(place: Place, name: str = "folder") -> str:
    (place.folder / name).mkdir()
    return name


def linked_out(place: Place, name: str) -> list[str]:
    """The folder `entry`, in which a name is a link to something outside."""
    arguments = place.entry()
    place.put("secret.json", '{"ok": true}')
    path = place.folder / "entry" / name
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(place.folder / "secret.json")
    return arguments


# ---------------------------------------------------------------- the table

ROWS: dict[str, tuple[Row, ...]] = {
    "The rubric": (
        Row("no such file", None, 2, "there is no such file", lambda place: ["run", "missing.yaml"]),
        Row("no such name", None, 2, "did you mean 'witness-1.5'?", lambda place: ["run", "witnes-1.5"]),
        Row("a folder", None, 2, "this is a folder, not a file", lambda place: ["run", folder(place, "folder.yaml")]),
        Row(
            "a pipe or a device", None, 2, "this is not a regular file", lambda place: ["run", pipe(place, "pipe.yaml")]
        ),
        Row(
            "a loop of symbolic links",
            None,
            2,
            "the file cannot be read",
            lambda place: ["run", loop(place, "loop.yaml")],
        ),
        Row("more than 4 MiB", None, 2, "", lambda place: ["run", large(place, 5 * 1024 * 1024, "large.yaml")]),
        Row("an empty file", None, 2, "the file is empty", as_rubric("")),
        Row(
            "UTF-16",
            None,
            2,
            "the file is UTF-16 or UTF-32; a rubric is UTF-8",
            as_rubric("rubric: x".encode("utf-16")),
        ),
        Row("bytes that are not UTF-8", None, 2, "", as_rubric(b"rubric: \xff")),
        Row("control characters", None, 2, "", as_rubric(b"rubric: \x00\x1b[2J")),
        Row("no mapping", None, 2, "", as_rubric("- 1\n- 2\n")),
        Row("YAML that breaks off", None, 2, "", as_rubric("rubric: {a: [1, 2\n")),
        Row("a key twice", None, 2, "the key `a` was already given on line 1", as_rubric("a: 1\na: 2\n")),
        Row("a tab as indentation", None, 2, "a tab stands where a space belongs", as_rubric("a:\n\tb: 1\n")),
        Row(
            "a no-break space as indentation",
            None,
            2,
            "U+00A0 stands where a space belongs",
            as_rubric("a:\n\u00a0b: 1\n"),
        ),
        Row(
            "anchors and aliases, a billion laughs",
            None,
            2,
            "may not hold anchors",
            as_rubric("a: &a [x]\nb: [*a, *a]\n"),
        ),
        Row(
            "a tag, such as `!!python/object`",
            None,
            2,
            "may not hold YAML tags",
            as_rubric("a: !!python/name:os.system\n"),
        ),
        Row("two documents", None, 2, "a second document begins here", as_rubric("a: 1\n---\nb: 2\n")),
        Row("NaN or an infinity", None, 2, "`.nan` is not a finite number", as_rubric("a: .nan\n")),
        Row(
            "`version: 1.10` without quotes",
            None,
            2,
            "the version 1.10 is a number here",
            as_rubric("rubric: t\nversion: 1.10\n"),
        ),
        Row("levels without end", None, 2, "", as_rubric("a: " + "[" * 10_000)),
        Row("an expression cut at a comma", None, 2, "was cut at a comma", as_expression("{v: min(x, 1)}")),
        Row(
            "an expression that reaches for Python",
            None,
            2,
            "only a function can be called",
            as_expression("__import__('os').system('id')"),
        ),
        Row("an attribute of Python's", "fail", 1, "does not hold", as_expression("x.__class__.__mro__")),
        Row("parentheses without end", None, 2, "", as_expression("(" * 10_000 + "1" + ")" * 10_000)),
        Row("a number of 5,000 digits", None, 2, "", as_expression("9" * 5000)),
        Row("a tower of powers", "fail", 1, "does not hold", as_expression("10 ** 10 ** 10 ** 10")),
        Row("a list without end", "fail", 1, "does not hold", as_expression("1..1000000000000")),
        Row(
            "work without end",
            "error",
            3,
            "the work that one case may take is used up",
            as_expression("map(1..1000000, i -> sum(1..i))"),
        ),
        Row("a name that there is not", None, 2, "there is no 'z'", as_expression("z")),
        Row("a value that needs itself", None, 2, "", as_expression("y + 1")),
    ),
    "Reference material": (
        Row("no such file", "error", 3, "missing.json does not exist", lambda place: place.scene(truth="missing.json")),
        Row(
            "a folder",
            "error",
            3,
            "folder is a folder, a file was expected",
            lambda place: place.scene(truth=folder(place)),
        ),
        Row("a pipe", "error", 3, "pipe is no regular file", lambda place: place.scene(truth=pipe(place))),
        Row("a device", "error", 3, "/dev/zero is no regular file", lambda place: place.scene(truth="/dev/zero")),
        Row(
            "a loop of symbolic links",
            "error",
            3,
            "too many levels of symbolic links",
            lambda place: place.scene(truth=loop(place)),
        ),
        Row(
            "a file that cannot be read",
            "error",
            3,
            "/proc/self/mem cannot be read",
            lambda place: place.scene(truth="/proc/self/mem"),
        ),
        Row(
            "more than 64 MiB",
            "error",
            3,
            "is larger than 64 MiB",
            lambda place: place.scene(truth=large(place, inputs.MAX_BYTES + 1)),
        ),
        Row("an empty file", "error", 3, "bad.json: line 1, column 1: expecting value", as_truth(b"")),
        Row("no JSON", "error", 3, "bad.json: line 1, column 12: expecting value", as_truth(b'{"scene": 1]')),
        Row("UTF-16", "error", 3, "it is UTF-16, UTF-8 was expected", as_truth("{}".encode("utf-16"))),
        Row("binary", "error", 3, "line 1: byte 0x89 is not UTF-8", as_truth(b"\x89PNG\r\n")),
        Row("a depth of 10,000", "error", 3, "it is nested deeper than 128 levels", as_truth(nested(10_000))),
        Row("no object", "error", 3, "is a list, an object was expected", as_truth(b"[]")),
        Row("a field that is missing", "error", 3, "'fps' is missing", as_truth(changed("truth", "fps", ...))),
        Row("a field of another type", "error", 3, "'fps' is '24'", as_truth(changed("truth", "fps", "24"))),
        Row("NaN", "error", 3, "'fps' is NaN", as_truth(changed("truth", "fps", float("nan")))),
        Row(
            "an integer of 400 digits",
            "error",
            3,
            "'fps' is a number past any float",
            as_truth(changed("truth", "fps", 10**400)),
        ),
        Row(
            "an entry that breaks its record",
            "error",
            3,
            "events[0]",
            as_truth(changed("truth", "events.0.action", "")),
        ),
        Row(
            "a byte-order mark, CRLF", "pass", 0, "", as_truth(b"\xef\xbb\xbf" + GOOD["truth"].replace(b"\n", b"\r\n"))
        ),
    ),
    "A candidate's file": (
        Row(
            "no such file",
            "fail",
            1,
            "missing.json does not exist",
            lambda place: place.scene(prediction="missing.json"),
        ),
        Row(
            "a folder",
            "fail",
            1,
            "folder is a folder, a file was expected",
            lambda place: place.scene(prediction=folder(place)),
        ),
        Row("a pipe", "fail", 1, "pipe is no regular file", lambda place: place.scene(prediction=pipe(place))),
        Row("a device", "fail", 1, "/dev/zero is no regular file", lambda place: place.scene(prediction="/dev/zero")),
        Row(
            "a loop of symbolic links",
            "fail",
            1,
            "too many levels of symbolic links",
            lambda place: place.scene(prediction=loop(place)),
        ),
        Row(
            "a file that cannot be read",
            "fail",
            1,
            "/proc/self/mem cannot be read",
            lambda place: place.scene(prediction="/proc/self/mem"),
        ),
        Row(
            "more than 64 MiB",
            "fail",
            1,
            "is larger than 64 MiB",
            lambda place: place.scene(prediction=large(place, inputs.MAX_BYTES + 1)),
        ),
        Row("an empty file", "fail", 1, "bad.json: line 1, column 1: expecting value", as_prediction(b"")),
        Row("no JSON", "fail", 1, "line 1, column 13: expecting value", as_prediction(b'{"events": [}')),
        Row(
            "UTF-16",
            "fail",
            1,
            "it is UTF-16, UTF-8 was expected",
            as_prediction(GOOD["prediction"].decode().encode("utf-16")),
        ),
        Row("binary", "fail", 1, "line 1: byte 0x89 is not UTF-8", as_prediction(b"\x89PNG\r\n")),
        Row("a depth of 10,000", "fail", 1, "it is nested deeper than 128 levels", as_prediction(nested(10_000))),
        Row("no object", "fail", 1, "is a list, an object was expected", as_prediction(b"[]")),
        Row(
            "a byte-order mark, CRLF",
            "pass",
            0,
            "",
            as_prediction(b"\xef\xbb\xbf" + GOOD["prediction"].replace(b"\n", b"\r\n")),
        ),
        Row(
            "a key twice: the last counts",
            "pass",
            0,
            "",
            as_prediction(b'{"events": 5,' + GOOD["prediction"].lstrip()[1:]),
        ),
        Row(
            "keys such as `__class__`, `constructor` and ``",
            "pass",
            0,
            "",
            as_prediction(GOOD["prediction"].rstrip()[:-1] + b', "__class__": [], "constructor": {}, "": 1}'),
        ),
        Row(
            "text where a list belongs",
            "pass",
            0,
            "is 'x', a list was expected",
            as_prediction(changed("prediction", "intentional_errors", "x")),
        ),
        Row(
            "an entry that is no object",
            "pass",
            0,
            "is 5, an object was expected",
            as_prediction(changed("prediction", "events.0", 5)),
        ),
        Row(
            "NaN in a number",
            "pass",
            0,
            "is NaN, a finite number was expected",
            as_prediction(changed("prediction", "events.0.t", float("nan"))),
        ),
        Row(
            "an infinity in a number",
            "pass",
            0,
            "is a number past any float, a finite number was expected",
            as_prediction(changed("prediction", "events.0.t", float("inf"))),
        ),
        Row(
            "an integer of 400 digits",
            "pass",
            0,
            "is a number past any float, a finite number was expected",
            as_prediction(changed("prediction", "events.0.t", 10**400)),
        ),
        Row(
            "an integer of 5,000 digits",
            "pass",
            0,
            "is a number past any float, a finite number was expected",
            as_prediction(changed("prediction", "events.0.t", "@").replace(b'"@"', b"9" * 5000)),
        ),
        Row(
            "NaN deep in a field of any type",
            "pass",
            0,
            "a value of finite numbers was expected",
            as_prediction(changed("prediction", "shots.0.id", [{"a": float("nan")}])),
        ),
        Row(
            "half a surrogate pair",
            "pass",
            0,
            "stands for nothing",
            as_prediction(changed("prediction", "events.0.actor", "\ud800")),
        ),
        Row(
            "a text of a million characters",
            "pass",
            0,
            "stands for nothing, or for several things",
            as_prediction(changed("prediction", "events.0.actor", "x" * 1_000_000)),
        ),
        Row(
            "a million combining marks in disorder",
            "pass",
            0,
            "stands for nothing, or for several things",
            as_prediction(changed("prediction", "events.0.actor", "a" + "\u0301\u0316" * 500_000)),
        ),
        Row(
            "20,000 entries",
            "fail",
            1,
            "",
            as_prediction(changed("prediction", "events", [{"action": "enter", "t": n / 100} for n in range(20_000)])),
        ),
        Row(
            "100,000 malformed entries: 1,000 are named",
            "fail",
            1,
            "and 99000 more",
            as_prediction(changed("prediction", "events", [None] * 100_000)),
        ),
    ),
    "A candidate's folder": (
        Row(
            "no such folder",
            "fail",
            1,
            "missing does not exist",
            lambda place: [*place.entry()[:2], "entry=missing", "--format", "jsonl"],
        ),
        Row(
            "a file",
            "fail",
            1,
            "truth.json is no folder",
            lambda place: [*place.entry()[:2], "entry=truth.json", "--format", "jsonl"],
        ),
        Row("a file of it that is missing", "fail", 1, "", lambda place: place.entry()),
        Row(
            "a symbolic link that leads out of it",
            "fail",
            1,
            "data.json leads out of the folder",
            lambda place: linked_out(place, "data.json"),
        ),
        Row(
            "a link out of it among many files: it is not seen",
            "fail",
            1,
            '"shots": {}',
            lambda place: linked_out(place, "shots/1.png"),
        ),
        Row(
            "the same in reference material",
            "error",
            3,
            "data.json leads out of the folder",
            lambda place: reference(linked_out(place, "data.json"), place),
        ),
    ),
    "An operator's input": (
        Row("no such file", "error", 3, "missing.json does not exist", lambda place: place.scene(usage="missing.json")),
        Row("no JSON", "error", 3, "usage.json: line 1, column 1: expecting value", as_usage("x")),
        Row(
            "a negative number",
            "error",
            3,
            "'visual_tokens' is -1, number >= 0 was expected",
            as_usage('{"visual_tokens": -1}'),
        ),
        Row("NaN", "error", 3, "'visual_tokens' is NaN, number >= 0 was expected", as_usage('{"visual_tokens": NaN}')),
        Row(
            "a text for a number",
            "error",
            3,
            "'visual_tokens' is '5', number >= 0 was expected",
            as_usage('{"visual_tokens": "5"}'),
        ),
        Row(
            "null for a number",
            "error",
            3,
            "'visual_tokens' is null, number >= 0 was expected",
            as_usage('{"visual_tokens": null}'),
        ),
        Row("no object", "error", 3, "is a list, an object was expected", as_usage("[]")),
    ),
    "A cases file": (
        Row(
            "no such file",
            None,
            2,
            "the cases file missing does not exist",
            lambda place: ["run", "witness-1.6", "--cases", "missing"],
        ),
        Row(
            "no case in it",
            None,
            2,
            "holds no case",
            lambda place: ["run", "witness-1.6", "--cases", place.put("c", "\n")],
        ),
        Row(
            "a pipe",
            None,
            2,
            "the cases file pipe is no regular file",
            lambda place: ["run", "witness-1.6", "--cases", pipe(place)],
        ),
        Row(
            "a folder without folders",
            None,
            2,
            "folder holds no folders",
            lambda place: ["run", "witness-1.6", "--cases", folder(place)],
        ),
        Row(
            "a line that is no JSON",
            "error",
            3,
            "line 2 is no JSON: column 1: expecting value",
            lambda place: place.cases(b"x\n"),
            "line 2",
        ),
        Row(
            "a line that is no UTF-8",
            "error",
            3,
            "line 2: byte 0xff is not UTF-8",
            lambda place: place.cases(b'{"id": "\xff"}\n'),
            "line 2",
        ),
        Row("a line that is no object", "error", 3, "line 2 is no case", lambda place: place.cases(b"[1]\n"), "line 2"),
        Row("a line without inputs", "error", 3, "line 2 is no case", lambda place: place.cases({"id": "bad"}), "bad"),
        Row(
            "a depth of 10,000",
            "error",
            3,
            "it is nested deeper than 128 levels",
            lambda place: place.cases(nested(10_000) + b"\n"),
            "line 2",
        ),
        Row(
            "an input that is missing",
            "error",
            3,
            "the rubric needs prediction=...",
            lambda place: place.cases({"id": "bad", "inputs": {"truth": "truth.json"}}),
            "bad",
        ),
        Row(
            "an input that there is not",
            "error",
            3,
            "the rubric has no input 'predictions'; did you mean 'prediction'?",
            lambda place: place.cases(place.case("bad", predictions={})),
            "bad",
        ),
        Row(
            "a reference that is missing",
            "error",
            3,
            "missing.json does not exist",
            lambda place: place.cases(place.case("bad", truth="missing.json")),
            "bad",
        ),
        Row(
            "a candidate that is missing",
            "fail",
            1,
            "missing.json does not exist",
            lambda place: place.cases(place.case("bad", prediction="missing.json")),
            "bad",
        ),
        Row(
            "an operator's input that is null: its default",
            "pass",
            0,
            "",
            lambda place: place.cases(place.case("bad", usage=None)),
            "bad",
        ),
        Row(
            "a path that leads out of its folder: the file is the operator's own",
            "pass",
            0,
            "",
            lambda place: place.cases(place.case("bad", truth=str(SCENE / "tier_2.truth.json"))),
            "bad",
        ),
        Row(
            "no id: the case is called by its line",
            "pass",
            0,
            "",
            lambda place: place.cases({**place.case("x"), "id": None}),
            "line 2",
        ),
        Row(
            "an id twice: both are scored",
            "pass",
            0,
            "",
            lambda place: place.cases(place.case("bad"), place.case("bad")),
            "bad",
        ),
        Row(
            "blank lines, CRLF, a byte-order mark, no line break at the end",
            "pass",
            0,
            "",
            lambda place: place.cases(b"\r\n \n\xef\xbb\xbf" + json.dumps(place.case("bad")).encode() + b"\r\n"),
            "bad",
        ),
    ),
    "The output": (
        Row(
            "it exists",
            None,
            2,
            "truth.json exists and is not overwritten; use --force",
            lambda place: [*place.scene(), "--out", "truth.json"],
        ),
        Row(
            "it exists, with `--force`",
            None,
            0,
            "",
            lambda place: [*place.scene(), "--out", place.put("old.json", "x"), "--force"],
        ),
        Row(
            "it exists, for many cases",
            None,
            2,
            "truth.json exists and is not overwritten; use --force",
            lambda place: [*place.cases(), "--out", "truth.json"],
        ),
        Row(
            "it is a folder",
            None,
            2,
            "folder is a folder; name a file inside it",
            lambda place: [*place.scene(), "--out", folder(place)],
        ),
        Row(
            "its folder does not exist",
            None,
            2,
            "the folder missing does not exist",
            lambda place: [*place.scene(), "--out", "missing/report.json"],
        ),
        Row(
            "its folder is a file",
            None,
            2,
            "the folder truth.json is no folder",
            lambda place: [*place.scene(), "--out", "truth.json/report.json"],
        ),
        Row(
            "its folder lets nobody write",
            None,
            2,
            "/proc/report.json cannot be written",
            lambda place: [*place.scene(), "--out", "/proc/report.json"],
        ),
        Row(
            "its folder lets nobody write, for many cases",
            None,
            2,
            "/proc/results.jsonl cannot be written",
            lambda place: [*place.cases(), "--out", "/proc/results.jsonl"],
        ),
        Row(
            "a device",
            None,
            2,
            "/dev/full is no regular file, so nothing is written to it",
            lambda place: [*place.scene(), "--out", "/dev/full"],
        ),
        Row(
            "an artifact that exists",
            None,
            2,
            "truth.json exists and is not overwritten",
            lambda place: artifact(place, "truth.json"),
        ),
    ),
}


def reference(arguments: list[str], place: Place) -> list[str]:
    place.put("rubric.yaml", FOLDER.replace("from: candidate", "from: reference"))
    return arguments


def artifact(place: Place, path: str) -> list[str]:
    text = HEAD + "1\nartifacts: {card: {content: {y: y}}}\n"
    return [*place.rubric(text), f"x={place.put('x.json', '1')}", "--artifact", f"card={path}"]
