"""Fields of an input that are paths: what the files hold, from which folder, and what is refused."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from rubric.engine import links
from rubric.engine.faults import InfrastructureFault
from rubric.engine.inputs import Invalid, read_input
from rubric.engine.json_schemas import input_schema
from rubric.engine.loading import load_text

LINKS = """
    links:
      parts.data: {format: json}
      parts.data.film: {format: file, may_be_missing: true}
      notes.*: {format: text}
      more: {format: json, may_be_missing: true}
"""


def read(value: Any, folder: Path, origin: str = "operator") -> Any:
    text = f'rubric: t\nversion: "1"\nlanguage: 1\ninputs:\n  x:\n    from: {origin}{LINKS}values: {{x: x}}\n'
    return read_input(load_text(text).rubric.inputs["x"], {"x": value}, folder)


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A file in a folder of its own, which names others in further folders."""
    write(tmp_path / "in/x.json", {"parts": [{"data": "sub/a.json", "n": 1}, {"n": 2}], "notes": {"one": "note.txt"}})
    write(tmp_path / "in/sub/a.json", {"film": "films/A.MP4", "t": 0.5})
    write(tmp_path / "in/sub/films/A.MP4", "moving pictures")
    write(tmp_path / "in/note.txt", "a note")
    return tmp_path


def test_paths_start_at_the_folder_of_the_file_that_they_stand_in(here: Path) -> None:
    film = {
        "path": str(here / "in/sub/films/A.MP4"),
        "name": "films/A.MP4",
        "extension": ".mp4",
        "bytes": 15,
        "sha256": hashlib.sha256(b"moving pictures").hexdigest(),
    }
    assert read("in/x.json", here) == {
        "parts": [{"data": {"film": film, "t": 0.5}, "n": 1}, {"n": 2}],
        "notes": {"one": "a note"},
    }


def test_a_value_is_not_changed_and_its_paths_start_at_the_folder_of_the_case(here: Path) -> None:
    value = {"notes": {"a": "note.txt", "b": None, "c": 5, "d": ["note.txt"]}, "more": "none.json"}
    given = json.loads(json.dumps(value))
    found = read(given, here / "in")
    assert found == {"notes": {"a": "a note", "b": None, "c": 5, "d": ["a note"]}, "more": None}
    assert given == value


def test_what_is_no_object_is_left_to_the_record(tmp_path: Path) -> None:
    for value in (5, None, [], ["x"], {"parts": 3}, {"parts": {"data": None}}, {"notes": ["x"]}):
        assert read(value, tmp_path) == value


@pytest.mark.parametrize("name", ["none.mp4", "films", "A.MP4/x", "pipe", "dangling"])
def test_a_file_that_may_be_missing(here: Path, name: str) -> None:
    os.mkfifo(here / "in/sub/pipe")
    (here / "in/sub/dangling").symlink_to("nowhere")
    write(here / "in/sub/a.json", {"film": name})
    film = read("in/x.json", here)["parts"][0]["data"]["film"]
    assert (film["name"], film["bytes"], film["sha256"]) == (name, None, None)


def test_an_empty_file_is_there(here: Path) -> None:
    write(here / "in/sub/films/A.MP4", "")
    assert read("in/x.json", here)["parts"][0]["data"]["film"]["bytes"] == 0


BROKEN = {
    "missing": ({"parts": {"data": "b.json"}}, "b.json does not exist, named at parts.data"),
    "no JSON": (
        {"parts": [{"data": "note.txt"}]},
        "note.txt: line 1, column 1: expecting value, named at parts[0].data",
    ),
    "a folder": ({"notes": {"a": "sub"}}, "sub is a folder, a file was expected, named at notes.a"),
    "blank": ({"notes": {"a": " "}}, "notes.a names no file"),
    "no name": ({"notes": {"a": "x\0"}}, "x\0 cannot be read: this is no name of a file, named at notes.a"),
    "deeper": ({"parts": [{"data": "bad.json"}]}, "parts[0].data.film names no file"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_link_that_cannot_be_followed(here: Path, kind: str) -> None:
    value, reason = BROKEN[kind]
    write(here / "in/bad.json", {"film": ""})
    assert read(value, here / "in", "candidate") == Invalid(reason)
    with pytest.raises(InfrastructureFault) as raised:
        read(value, here / "in")
    assert (raised.value.kind, raised.value.message) == ("operator", f"input 'x': {reason}")


def test_messages_name_the_file_from_where_the_call_was_made(here: Path) -> None:
    write(here / "in/sub/a.json", "{")
    with pytest.raises(InfrastructureFault, match=r"input 'x': in/sub/a\.json: line 1.*, named at parts\[0\]\.data"):
        read("in/x.json", here)


@pytest.mark.parametrize("path", ["../out.txt", "link.txt", "/etc/hostname"])
def test_only_a_candidate_is_kept_in_its_folder(here: Path, path: str) -> None:
    write(here / "out.txt", "outside")
    (here / "in/link.txt").symlink_to("../out.txt")
    write(here / "in/x.json", {"notes": {"a": path}})
    assert read("in/x.json", here, "candidate") == Invalid(
        f"{(Path('in') / path).as_posix()} leads out of the folder, named at notes.a"
    )
    if path != "/etc/hostname":
        assert read("in/x.json", here)["notes"]["a"] == "outside"


def test_a_file_is_read_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    monkeypatch.setattr(links, "read", lambda format, path, name: opened.append(name) or {"film": "films/A.MP4"})
    write(here / "in/x.json", {"parts": [{"data": "sub/a.json"}] * 3})
    films = [part["data"]["film"]["bytes"] for part in read("in/x.json", here)["parts"]]
    assert (opened, films) == (["in/sub/a.json"], [15, 15, 15])


def test_files_that_are_too_much_together(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "MAX_LINKED_BYTES", 10)
    assert "together, with note.txt" not in str(read({"notes": {"a": "note.txt"}}, here / "in"))
    with pytest.raises(InfrastructureFault, match=r"its files hold more than 0 MiB together, with sub/a\.json"):
        read({"parts": [{"data": "sub/a.json"}]}, here / "in")


def test_the_schema_of_an_input_says_which_fields_are_paths() -> None:
    album = (
        "rubric: t\nversion: '1'\nlanguage: 1\ninputs:\n  album:\n    from: operator\n    record: album\n    links:\n"
        "      pages.words: {format: json}\n      pages.words.photos: {format: file, may_be_missing: true}\n"
        "records:\n  album: {fields: {pages: list of page}}\n  page: {fields: {words: words}}\n"
        "  words: {fields: {photos: list of any, title: text}}\nvalues: {pages: album.pages}\n"
    )
    loaded = load_text(album).rubric
    schema = input_schema(loaded, loaded.inputs["album"])["$defs"]
    path = {"type": "string", "pattern": r"\S"}
    assert schema["page"]["properties"]["words"] == {
        "description": "The path of a file (json), from the folder of this one. It holds: words.",
        **path,
    }
    photos = schema["words"]["properties"]["photos"]
    assert (photos["type"], photos["items"]) == ("array", path)
    assert "(file), which may be missing" in photos["description"]
    assert schema["words"]["properties"]["title"] == {"description": "text.", **path}
