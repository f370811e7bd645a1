"""What each bad thing gets, as one table: every row is a test, and the page `docs/hostile-input.md` is made of them."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hostile import as_json

from rubric.engine.inputs import MAX_BYTES

ROOT = Path(__file__).parent.parent
SCENE = ROOT / "rubrics" / "examples" / "witness"
TRUTH = (SCENE / "tier_2.truth.json").read_bytes()
GUESS = (SCENE / "tier_2.prediction.json").read_bytes()
RUBRIC = "witness-1.6"
HEAD = """
rubric: trial
version: "1"
language: 1
inputs: {x: {from: candidate}}
gates: {g: {require: x == y}}
let:
  y: """
FOLDER = """
rubric: folder
version: "1"
language: 1
inputs:
  entry: {from: candidate, folder: {data: {json: data.json}, shots: {files: "shots/*.png"}}}
gates:
  complete: {require: entry.data.ok == true and count(keys(entry.shots)) > 0}
"""


class Place:
    """The folder of one row, with the files of a good case in it."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.put("truth.json", TRUTH)
        self.put("guess.json", GUESS)

    def put(self, name: str, data: bytes | str) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return name


Make = Callable[[Place], list[str]]
At = str | Callable[[Place], str]


@dataclass(frozen=True)
class Row:
    """`make` puts files into a place and gives the arguments of the command. The report of the case, or of the one
    called `case` among several, has the outcome; there is none where the outcome is None. `says` stands in what comes
    out, whatever else does.
    """

    what: str
    outcome: str | None
    code: int
    says: str
    make: Make
    case: str | None = None


# ---------------------------------------------------------------- where the bad thing stands


def case(id: str | None = None, **inputs: Any) -> dict[str, Any]:
    return {"id": id, "inputs": {"truth": "truth.json", "prediction": "guess.json", **inputs}}


def one(*more: str, **inputs: At) -> Make:
    """A run of one case, with inputs at other paths, or at paths that are made."""

    def make(place: Place) -> list[str]:
        paths = {"truth": "truth.json", "prediction": "guess.json", **inputs}
        found = {name: path if isinstance(path, str) else path(place) for name, path in paths.items()}
        return ["run", RUBRIC, *(f"{name}={path}" for name, path in found.items()), "--format", "jsonl", *more]

    return make


def truth(data: bytes) -> Make:
    return one(truth=lambda place: place.put("bad.json", data))


def guess(data: bytes) -> Make:
    return one(prediction=lambda place: place.put("bad.json", data))


def usage(text: str) -> Make:
    return one(usage=lambda place: place.put("usage.json", text))


def many(*lines: bytes | dict[str, Any], more: tuple[str, ...] = ()) -> Make:
    """A run of many cases: those given, between two good ones."""
    everything = [case("first"), *lines, case("last")]
    data = b"".join(line if isinstance(line, bytes) else as_json(line) + b"\n" for line in everything)
    return lambda place: ["run", RUBRIC, "--cases", place.put("cases.jsonl", data), *more]


def cases_at(path: At) -> Make:
    return lambda place: ["run", RUBRIC, "--cases", path if isinstance(path, str) else path(place)]


def rubric(text: str | bytes) -> Make:
    return lambda place: ["run", place.put("rubric.yaml", text)]


def rubric_at(path: At) -> Make:
    return lambda place: ["run", path if isinstance(path, str) else path(place)]


def formula(text: str, more: str = "") -> Make:
    """A run of a rubric in which the text is an expression."""

    def make(place: Place) -> list[str]:
        place.put("x.json", "1")
        return [*rubric(f"{HEAD}{text}\n{more}")(place), "x=x.json", "--format", "jsonl"]

    return make


def entry(spoil: Callable[[Path], object] = Path, at: str = "entry", origin: str = "candidate") -> Make:
    """A run of a rubric whose one input is a folder, once something was done to it."""

    def make(place: Place) -> list[str]:
        place.put("entry/data.json", '{"ok": true}')
        place.put("entry/shots/1.png", "")
        place.put("secret.json", '{"ok": true}')
        spoil(place.folder / "entry")
        text = FOLDER.replace("from: candidate", f"from: {origin}")
        return [*rubric(text)(place), f"entry={at}", "--format", "jsonl"]

    return make


# ---------------------------------------------------------------- bad things


def pipe(place: Place) -> str:
    os.mkfifo(place.folder / "pipe")
    return "pipe"


def loop(place: Place) -> str:
    (place.folder / "loop").symlink_to("loop")
    return "loop"


def folder(place: Place) -> str:
    (place.folder / "folder").mkdir()
    return "folder"


def of_size(size: int) -> Callable[[Place], str]:
    """A file that says it is so large, without being it."""

    def make(place: Place) -> str:
        with (place.folder / "large").open("wb") as file:
            file.truncate(size)
        return "large"

    return make


def in_folder(place: Place) -> str:
    """An input inside the folder `folder`."""
    return place.put("folder/usage.json", "{}")


def artifact(place: Place) -> list[str]:
    """A run that is to make an artifact where its input is."""
    return [*formula("1", "artifacts: {card: {content: {y: y}}}\n")(place), "--artifact", "card=x.json"]


def linked_out(name: str) -> Callable[[Path], object]:
    """In a folder, a link to something outside under that name."""

    def spoil(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to(folder.parent / "secret.json")

    return spoil


def changed(good: bytes, path: str, value: Any) -> bytes:
    """A good file with another value at a path such as `events.0.t`; `...` leaves it out."""
    whole = json.loads(good)
    *parents, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
    parent = whole
    for part in parents:
        parent = parent[part]
    if value is ...:
        del parent[last]
    else:
        parent[last] = value
    return as_json(whole)


def told(path: str, value: Any) -> Make:
    """A candidate's file with another value at a path."""
    return guess(changed(GUESS, path, value))


def right(path: str, value: Any) -> Make:
    """Reference material with another value at a path."""
    return truth(changed(TRUTH, path, value))


def with_crlf(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")


DEEP = b"[" * 10_000 + b"]" * 10_000
LONG_NUMBER = b"9" * 5000
NAN, INFINITY = float("nan"), float("inf")
HALF_A_PAIR = "\ud800"
MARKS = "a" + "\u0301\u0316" * 500_000
FLOOD = as_json({"events": [{"action": "enter", "t": number / 100} for number in range(20_000)]})
MALFORMED = as_json({"events": [None] * 100_000})
ODD_KEYS = GUESS.rstrip()[:-1] + b', "__class__": [], "constructor": {}, "": 1}'
TWICE = b'{"events": 5,' + GUESS.lstrip()[1:]
OVERWRITE = "exists and is not overwritten; use --force"

# fmt: off
ROWS: dict[str, tuple[Row, ...]] = {
    "The rubric": (
        Row("no such file", None, 2, "there is no such file", rubric_at("missing.yaml")),
        Row("no such name", None, 2, "did you mean 'witness-1.6'?", rubric_at("witnes-1.6")),
        Row("a folder", None, 2, "this is a folder, not a file", rubric_at(folder)),
        Row("a pipe", None, 2, "this is not a regular file", rubric_at(pipe)),
        Row("a device", None, 2, "this is not a regular file", rubric_at("/dev/zero")),
        Row("more than 4 MiB", None, 2, "the file is larger than 4 MiB", rubric_at(of_size(5 * 1024 * 1024))),
        Row("an empty file", None, 2, "the file is empty", rubric("")),
        Row("UTF-16", None, 2, "the file is UTF-16 or UTF-32; a rubric is UTF-8", rubric("rubric: x".encode("utf-16"))),
        Row("bytes that are not UTF-8", None, 2, "the byte 0xFF is not UTF-8", rubric(b"rubric: \xff")),
        Row("control characters", None, 2, "the character U+0000 cannot stand in a rubric", rubric(b"a: \x00\x1b[2J")),
        Row("no mapping", None, 2, "the top level must be a mapping", rubric("- 1\n- 2\n")),
        Row("YAML that breaks off", None, 2, "the `[` that opens here is never closed", rubric("a: {b: [1, 2\n")),
        Row("a key twice", None, 2, "the key `a` was already given on line 1", rubric("a: 1\na: 2\n")),
        Row("a tab as indentation", None, 2, "a tab stands where a space belongs", rubric("a:\n\tb: 1\n")),
        Row("a no-break space as indentation", None, 2, "U+00A0 stands where a space", rubric("a:\n\u00a0b: 1\n")),
        Row("anchors and aliases: a billion laughs", None, 2, "may not hold anchors",
            rubric("a: &a [x]\nb: [*a, *a]\n")),
        Row("a tag: `!!python/name:os.system`", None, 2, "may not hold YAML tags",
            rubric("a: !!python/name:os.system\n")),
        Row("two documents", None, 2, "a second document begins here", rubric("a: 1\n---\nb: 2\n")),
        Row("NaN or an infinity", None, 2, "`.nan` is not a finite number", rubric("a: .nan\n")),
        Row("`version: 1.10` without quotes", None, 2, "the version 1.10 is a number here", rubric("version: 1.10\n")),
        Row("levels without end", None, 2, "brackets are nested too deep", rubric("a: " + "[" * 10_000)),
        Row("an expression cut at a comma", None, 2, "was cut at a comma", formula("{v: min(x, 1)}")),
        Row("a call of Python's: `__import__('os').system('id')`", None, 2, "only a function can be called",
            formula("__import__('os').system('id')")),
        Row("an attribute of Python's: `x.__class__.__mro__`", "fail", 1, "does not hold",
            formula("x.__class__.__mro__")),
        Row("parentheses without end", None, 2, "has more than 10000 characters",
            formula("(" * 10_000 + "1" + ")" * 10_000)),
        Row("a number of 5,000 digits", None, 2, "at most 400 are read", formula("9" * 5000)),
        Row("a tower of powers: it is null", "fail", 1, "does not hold", formula("10 ** 10 ** 10 ** 10")),
        Row("a range without end: it is null", "fail", 1, "does not hold", formula("1..1000000000000")),
        Row("work without end", "error", 3, "the work that one case may take is used up",
            formula("map(1..1000000, i -> sum(1..i))")),
        Row("a name that there is not", None, 2, "nothing is called 'z' here", formula("z")),
        Row("a value that needs itself", None, 2, "y needs itself: y -> y", formula("y + 1")),
    ),
    "Reference material": (
        Row("no such file", "error", 3, "missing.json does not exist", one(truth="missing.json")),
        Row("a folder", "error", 3, "folder is a folder, a file was expected", one(truth=folder)),
        Row("a pipe", "error", 3, "pipe is no regular file", one(truth=pipe)),
        Row("a device", "error", 3, "/dev/zero is no regular file", one(truth="/dev/zero")),
        Row("a loop of symbolic links", "error", 3, "too many levels of symbolic links", one(truth=loop)),
        Row("a file that cannot be read", "error", 3, "mem cannot be read: input/output error",
            one(truth="/proc/self/mem")),
        Row("more than 64 MiB", "error", 3, "large is larger than 64 MiB", one(truth=of_size(MAX_BYTES + 1))),
        Row("an empty file", "error", 3, "bad.json: line 1, column 1: expecting value", truth(b"")),
        Row("no JSON", "error", 3, "bad.json: line 1, column 10: expecting ',' delimiter", truth(b'{"fps": 1]')),
        Row("UTF-16", "error", 3, "bad.json: it is UTF-16, UTF-8 was expected", truth(TRUTH.decode().encode("utf-16"))),
        Row("binary", "error", 3, "bad.json: line 1: byte 0x89 is not UTF-8", truth(b"\x89PNG\r\n")),
        Row("a depth of 10,000", "error", 3, "bad.json: it is nested deeper than 128 levels", truth(DEEP)),
        Row("no object", "error", 3, "is a list, an object was expected", truth(b"[]")),
        Row("a field that is missing", "error", 3, "'fps' is missing", right("fps", ...)),
        Row("a field of another type", "error", 3, "'fps' is '24', number > 0 was expected", right("fps", "24")),
        Row("NaN", "error", 3, "'fps' is NaN, number > 0 was expected", right("fps", NAN)),
        Row("an integer of 400 digits", "error", 3, "'fps' is a number past any float", right("fps", 10**400)),
        Row("an entry that breaks its record", "error", 3, "events[0]: 'action' is ''", right("events.0.action", "")),
        Row("a byte-order mark, CRLF", "pass", 0, "", truth(with_crlf(TRUTH))),
    ),
    "A candidate's file": (
        Row("no such file", "fail", 1, "missing.json does not exist", one(prediction="missing.json")),
        Row("a folder", "fail", 1, "folder is a folder, a file was expected", one(prediction=folder)),
        Row("a pipe", "fail", 1, "pipe is no regular file", one(prediction=pipe)),
        Row("a device", "fail", 1, "/dev/zero is no regular file", one(prediction="/dev/zero")),
        Row("a loop of symbolic links", "fail", 1, "too many levels of symbolic links", one(prediction=loop)),
        Row("a file that cannot be read", "fail", 1, "mem cannot be read: input/output error",
            one(prediction="/proc/self/mem")),
        Row("more than 64 MiB", "fail", 1, "large is larger than 64 MiB", one(prediction=of_size(MAX_BYTES + 1))),
        Row("an empty file", "fail", 1, "bad.json: line 1, column 1: expecting value", guess(b"")),
        Row("no JSON", "fail", 1, "bad.json: line 1, column 13: expecting value", guess(b'{"events": [}')),
        Row("UTF-16", "fail", 1, "bad.json: it is UTF-16, UTF-8 was expected", guess(GUESS.decode().encode("utf-16"))),
        Row("binary", "fail", 1, "bad.json: line 1: byte 0x89 is not UTF-8", guess(b"\x89PNG\r\n")),
        Row("a depth of 10,000", "fail", 1, "bad.json: it is nested deeper than 128 levels", guess(DEEP)),
        Row("no object", "fail", 1, "is a list, an object was expected", guess(b"[]")),
        Row("a byte-order mark, CRLF", "pass", 0, "", guess(with_crlf(GUESS))),
        Row("a key twice: the last counts", "pass", 0, "", guess(TWICE)),
        Row("keys such as `__class__`, `constructor` and none at all", "pass", 0, "", guess(ODD_KEYS)),
        Row("text where a list belongs", "pass", 0, "is 'x', a list was expected", told("audio_events", "x")),
        Row("an entry that is no object", "pass", 0, "is 5, an object was expected", told("events.0", 5)),
        Row("NaN in a number", "pass", 0, "'t' is NaN, a finite number was expected",
            told("events.0", {"action": "a", "t": NAN})),
        Row("an infinity in a number", "pass", 0, "'t' is a number past any float",
            told("events.0", {"action": "a", "t": INFINITY})),
        Row("an integer of 400 digits", "pass", 0, "'t' is a number past any float",
            told("events.0", {"action": "a", "t": 10**400})),
        Row("an integer of 5,000 digits", "pass", 0, "'t' is a number past any float",
            guess(changed(GUESS, "events.0", {"action": "a", "t": "@"}).replace(b'"@"', LONG_NUMBER))),
        Row("NaN deep in a field of any type", "pass", 0, "a value of finite numbers was expected",
            told("shots.1.id", [{"a": NAN}])),
        Row("half a surrogate pair", "pass", 0, "stands for nothing", told("events.0.actor", HALF_A_PAIR)),
        Row("a text of a million characters", "pass", 0, "stands for nothing", told("events.0.actor", "x" * 1_000_000)),
        Row("a million combining marks in disorder", "pass", 0, "stands for nothing", told("events.0.actor", MARKS)),
        Row("20,000 entries", "fail", 1, '"events": {"value": 0', guess(FLOOD)),
        Row("100,000 malformed entries: 1,000 are named", "fail", 1, "and 99000 more",
            guess(MALFORMED)),
    ),
    "A candidate's folder": (
        Row("no such folder", "fail", 1, "missing does not exist", entry(at="missing")),
        Row("a file", "fail", 1, "truth.json is no folder", entry(at="truth.json")),
        Row("one of its files is missing", "fail", 1, "data.json does not exist",
            entry(lambda entry: (entry / "data.json").unlink())),
        Row("a symbolic link that leads out of it", "fail", 1, "data.json leads out of the folder",
            entry(linked_out("data.json"))),
        Row("such a link among many files: it is not there", "fail", 1, '"shots": {}',
            entry(linked_out("shots/1.png"))),
        Row("such a link in reference material", "error", 3, "data.json leads out of the folder",
            entry(linked_out("data.json"), origin="reference")),
    ),
    "An operator's input": (
        Row("no such file", "error", 3, "missing.json does not exist", one(usage="missing.json")),
        Row("no JSON", "error", 3, "usage.json: line 1, column 1: expecting value", usage("x")),
        Row("a negative number", "error", 3, "'visual_tokens' is -1, number >= 0 was expected",
            usage('{"visual_tokens": -1}')),
        Row("NaN", "error", 3, "'visual_tokens' is NaN, number >= 0 was expected", usage('{"visual_tokens": NaN}')),
        Row("a text for a number", "error", 3, "'visual_tokens' is '5', number >= 0 was expected",
            usage('{"visual_tokens": "5"}')),
        Row("null for a number", "error", 3, "'visual_tokens' is null, number >= 0 was expected",
            usage('{"visual_tokens": null}')),
        Row("no object", "error", 3, "is a list, an object was expected", usage("[]")),
    ),
    "A cases file": (
        Row("no such file", None, 2, "the cases file missing does not exist", cases_at("missing")),
        Row("no case in it", None, 2, "holds no case", cases_at(lambda place: place.put("cases.jsonl", "\n"))),
        Row("a pipe", None, 2, "the cases file pipe is no regular file", cases_at(pipe)),
        Row("a folder without folders", None, 2, "folder holds no folders", cases_at(folder)),
        Row("a line that is no JSON", "error", 3, "line 2 is no JSON: column 1: expecting value",
            many(b"x\n"), "line 2"),
        Row("a line that is no UTF-8", "error", 3, "line 2: byte 0xff is not UTF-8",
            many(b'{"id": "\xff"}\n'), "line 2"),
        Row("a line that is no object", "error", 3, "line 2 is no case: write", many(b"[1]\n"), "line 2"),
        Row("a line without inputs", "error", 3, "line 2 is no case: write", many({"id": "bad"}), "bad"),
        Row("a depth of 10,000", "error", 3, "it is nested deeper than 128 levels", many(DEEP + b"\n"), "line 2"),
        Row("an input that is missing", "error", 3, "the rubric needs prediction=...",
            many({"id": "bad", "inputs": {"truth": "truth.json"}}), "bad"),
        Row("an input that there is not", "error", 3, "has no input 'predictions'; did you mean 'prediction'?",
            many(case("bad", predictions={})), "bad"),
        Row("reference material that is missing", "error", 3, "missing.json does not exist",
            many(case("bad", truth="missing.json")), "bad"),
        Row("a candidate's file that is missing", "fail", 1, "missing.json does not exist",
            many(case("bad", prediction="missing.json")), "bad"),
        Row("an operator's input that is null: its default", "pass", 0, "", many(case("bad", usage=None)), "bad"),
        Row("a path that leads out of its folder: the operator wrote it", "pass", 0, "",
            many(case("bad", truth=str(SCENE / "tier_2.truth.json"))), "bad"),
        Row("no id: the case is called by its line", "pass", 0, "", many(case()), "line 2"),
        Row("an id twice: both are scored", "pass", 0, "", many(case("bad"), case("bad")), "bad"),
        Row("blank lines, CRLF, a byte-order mark", "pass", 0, "",
            many(b"\r\n \n", b"\xef\xbb\xbf" + as_json(case("bad")) + b"\r\n"), "bad"),
    ),
    "The output": (
        Row("it exists", None, 2, f"truth.json {OVERWRITE}", one("--out", "truth.json")),
        Row("it exists, for many cases", None, 2, f"truth.json {OVERWRITE}", many(more=("--out", "truth.json"))),
        Row("it exists, with `--force`: it is replaced", None, 0, "", one("--out", "truth.json", "--force")),
        Row("a folder", None, 2, "folder is a folder; name a file inside it", one("--out", "folder", usage=in_folder)),
        Row("its folder does not exist", None, 2, "the folder missing does not exist", one("--out", "missing/x.json")),
        Row("its folder is a file", None, 2, "the folder truth.json is no folder", one("--out", "truth.json/x.json")),
        Row("nobody may write there", None, 2, "/proc/x.json cannot be written", one("--out", "/proc/x.json")),
        Row("nobody may write there, for many cases", None, 2, "/proc/x.jsonl cannot be written",
            many(more=("--out", "/proc/x.jsonl"))),
        Row("a device", None, 2, "/dev/full is no regular file, so nothing is written", one("--out", "/dev/full")),
        Row("an artifact that exists", None, 2, f"x.json {OVERWRITE}", artifact),
    ),
}
# fmt: on
