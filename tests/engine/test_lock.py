"""Locks: every change of what a score depends on is noticed and named."""

import hashlib
import json
import os
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from rubric.engine import catalogue, lock, sources
from rubric.engine.faults import CallFault
from rubric.engine.fingerprints import digest_of, fingerprints
from rubric.engine.loading import ENGINE_VERSION, load, load_text
from rubric.engine.lock import Difference, check_before_run, lock_text, make_lock, seal, verify_lock
from rubric.engine.sources import reached_from

RULES = """\
rubric: small
version: "1"
language: 1
title: Small
inputs:
  given: {from: candidate, record: entry}
records:
  entry:
    fields:
      said: text
metrics:
  words: count(text.words(given.said))
score:
  total: words
gates:
  some: {value: words, at_least: 1}
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with a rubric, a file and a folder of data."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "small.yaml").write_text(RULES)
    (tmp_path / "scenes" / "deep").mkdir(parents=True)
    (tmp_path / "scenes" / "a.json").write_text("{}")
    (tmp_path / "scenes" / "deep" / "b.json").write_text("[]")
    (tmp_path / "one.txt").write_text("one")
    return tmp_path


def locked(folder, *names, at="small.lock"):
    """The path of a lock of the rubric and of these files and folders."""
    path = folder / at
    path.write_text(lock_text(load(folder / "rules" / "small.yaml"), [folder / name for name in names], path))
    return path


def sentences(path):
    return [(difference.kind, difference.what) for difference in verify_lock(path)]


# ---------------------------------------------------------------- what a lock holds


def test_a_lock_holds_what_a_score_depends_on(folder):
    made = json.loads(locked(folder, "scenes", "one.txt").read_text())
    assert list(made) == [
        *("lock", "about", "rubric", "engine", "schemas", "calls", "primitives", "libraries", "data", "seal")
    ]
    assert made["rubric"] == {
        "name": "small",
        "version": "1",
        "path": "rules/small.yaml",
        "sha256": load(folder / "rules" / "small.yaml").id.sha256,
    }
    assert made["engine"]["version"] == ENGINE_VERSION
    assert made["calls"] == ["text.words"]
    assert "rubric.primitives.text" in made["primitives"]
    assert "rubric.primitives.matching" not in made["primitives"]
    assert list(made["libraries"]) == ["RapidFuzz"]
    empty = {text: f"sha256:{hashlib.sha256(text.encode()).hexdigest()}" for text in ("{}", "[]", "one")}
    assert made["data"] == {
        "one.txt": {".": empty["one"]},
        "scenes": {"a.json": empty["{}"], "deep/b.json": empty["[]"]},
    }


def test_a_lock_is_the_same_whatever_the_order_of_paths(folder):
    rubric = load(folder / "rules" / "small.yaml")
    there, back = (
        lock_text(rubric, [folder / name for name in names], folder / "small.lock")
        for names in (("scenes", "one.txt"), ("one.txt", "scenes", "scenes"))
    )
    assert there == back


def test_paths_are_relative_to_the_lock(folder):
    (folder / "locks").mkdir()
    made = json.loads(locked(folder, "one.txt", at="locks/small.lock").read_text())
    assert made["rubric"]["path"] == "../rules/small.yaml"
    assert list(made["data"]) == ["../one.txt"]
    assert verify_lock(folder / "locks" / "small.lock") == []


def test_relative_paths_of_the_call_do_not_matter(folder, monkeypatch):
    monkeypatch.chdir(folder)
    made = json.loads(lock_text(load("rules/small.yaml"), [Path("one.txt")]))
    assert made["rubric"]["path"] == "rules/small.yaml"
    assert list(made["data"]) == ["one.txt"]


def test_a_bundled_rubric_is_found_by_its_name(tmp_path):
    path = tmp_path / "w.lock"
    path.write_text(lock_text(load("witness-1.5"), [], path))
    made = json.loads(path.read_text())
    assert made["rubric"]["bundled"] == "witness-1.5"
    assert "path" not in made["rubric"]
    assert verify_lock(path) == []


def test_a_rubric_without_a_file_cannot_be_locked(tmp_path):
    with pytest.raises(CallFault, match=r"small\.yaml is no file, so a lock could not find the rubric again"):
        make_lock(load_text(RULES, str(tmp_path / "small.yaml")), [], at=tmp_path / "small.lock")


def test_a_moved_tree_still_verifies(folder, tmp_path_factory):
    locked(folder, "scenes")
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "tree"
    folder.rename(elsewhere)
    assert verify_lock(elsewhere / "small.lock") == []


# ---------------------------------------------------------------- the rubric and the engine


def test_layout_comments_and_examples_may_change(folder):
    path = locked(folder)
    text = RULES.replace("  total: words", "\n  total:   words   # the score")
    example = "examples: {e: {inputs: {given: {said: one}}, expected: {score: 1}}}\n"
    (folder / "rules" / "small.yaml").write_text("# reworked\n" + text + example)
    assert verify_lock(path) == []


def test_a_rule_that_changed_is_named(folder):
    path = locked(folder)
    (folder / "rules" / "small.yaml").write_text(RULES.replace("at_least: 1", "at_least: 2"))
    (found,) = verify_lock(path)
    assert (found.kind, found.what) == ("changed", "rubric")
    assert found.sentence == f"the rules of small 1 changed in {folder / 'rules/small.yaml'}"


def test_another_version_says_so(folder):
    path = locked(folder)
    (folder / "rules" / "small.yaml").write_text(RULES.replace('version: "1"', 'version: "2"'))
    assert verify_lock(path)[0].sentence.endswith("; it is small 2 now")


def test_a_rubric_that_is_gone_or_broken_is_named(folder):
    path = locked(folder)
    (folder / "rules" / "small.yaml").write_text(RULES + "scores: {}\n")
    assert sentences(path) == [("changed", "rubric")]
    assert "can no longer be loaded (1 error; see 'rubric validate')" in verify_lock(path)[0].sentence
    (folder / "rules" / "small.yaml").unlink()
    assert sentences(path) == [("missing", "rubric")]


def test_the_engine_is_locked(folder, monkeypatch):
    path = locked(folder)
    monkeypatch.setattr(lock, "engine_digest", lambda: "0" * 64)
    assert verify_lock(path) == [Difference("changed", "engine", f"the sources of the engine {ENGINE_VERSION} changed")]
    monkeypatch.setattr(lock, "ENGINE_VERSION", "9.9")
    assert verify_lock(path)[0].sentence == f"the engine is 9.9, {ENGINE_VERSION} was locked"


# ---------------------------------------------------------------- primitives, libraries, schemas


def test_every_module_that_a_primitive_reaches_is_locked():
    reached = reached_from(["rubric.primitives.sequences"])
    assert list(reached.files) == [
        "rubric.primitives",
        "rubric.primitives._columns",
        "rubric.primitives._equality",
        "rubric.primitives.annotations",
        "rubric.primitives.faults",
        "rubric.primitives.sequences",
    ]
    assert reached.libraries == {}


@pytest.fixture
def extension(tmp_path, monkeypatch):
    """A package of somebody else's primitives."""
    root = tmp_path / "site" / "others"
    root.mkdir(parents=True)
    (root / "__init__.py").write_text("")
    (root / "near.py").write_text("from . import _inner\nfrom ._lazy import anything\n")
    (root / "_inner.py").write_text("import json, no_such_library.part\n")
    (root / "_lazy.py").write_text("def anything():\n    import yaml\n    from others.late import value\n")
    (root / "late.py").write_text("value = 1\n")
    (root / "unused.py").write_text("import numpy\n")
    monkeypatch.syspath_prepend(str(root.parent))
    for name in [name for name in sys.modules if name.partition(".")[0] == "others"]:
        monkeypatch.delitem(sys.modules, name)
    return root


def test_imports_are_followed_inside_a_package_and_named_outside(extension):
    reached = reached_from(["others.near"])
    assert list(reached.files) == ["others", "others._inner", "others._lazy", "others.late", "others.near"]
    assert list(reached.libraries) == ["PyYAML", "no_such_library", "others"]
    assert reached.libraries["no_such_library"] is None


def test_data_that_a_module_names_is_part_of_it(extension, tmp_path):
    root = tmp_path / "site" / "others"
    (root / "late.py").write_text("NAMES = ('table.json', 'pages', 'absent.json', 'near.py', 'not a name')\n")
    (root / "table.json").write_text("{}")
    (root / "unnamed.json").write_text("{}")
    (root / "pages" / "deep").mkdir(parents=True)
    (root / "pages" / "deep" / "page.html").write_text("")
    data = {name: path for name, path in reached_from(["others.near"]).files.items() if "/" in name}
    assert data == {
        "others/pages/deep/page.html": root / "pages/deep/page.html",
        "others/table.json": root / "table.json",
    }


def test_a_module_that_changed_came_or_went_is_named(folder, monkeypatch):
    path = locked(folder)
    real = sources.reached_from
    other = folder / "other.py"
    other.write_text("")

    def changed(names):
        found = real(names)
        modules = dict(found.files) | {"rubric.primitives.text": other, "rubric.primitives._new": other}
        del modules["rubric.primitives.faults"]
        return sources.Sources(modules, {"RapidFuzz": "0.1", "late": None})

    monkeypatch.setattr(lock, "reached_from", changed)
    was = json.loads(path.read_text())["libraries"]["RapidFuzz"]
    assert [(d.kind, d.what, d.sentence) for d in verify_lock(path)] == [
        ("added", "primitive rubric.primitives._new", "the primitive rubric.primitives._new was added"),
        ("missing", "primitive rubric.primitives.faults", "the primitive rubric.primitives.faults is missing"),
        ("changed", "primitive rubric.primitives.text", "the primitive rubric.primitives.text changed"),
        ("changed", "library RapidFuzz", f"the library RapidFuzz is 0.1, and was {was} when the lock was made"),
        (
            "added",
            "library late",
            "the library late (not installed) is imported now; it was not when the lock was made",
        ),
    ]


def test_a_library_that_is_gone_is_named(folder, monkeypatch):
    path = locked(folder)
    monkeypatch.setattr(lock, "reached_from", lambda names: sources.Sources(reached_from(names).files, {}))
    (found,) = verify_lock(path)
    assert found.kind == "missing"
    assert found.sentence.startswith("the library RapidFuzz is no longer imported; ")


def test_a_rubric_that_broke_still_has_its_primitives_compared(folder, monkeypatch):
    path = locked(folder)
    (folder / "rules" / "small.yaml").unlink()
    monkeypatch.setattr(lock, "reached_from", lambda names: sources.Sources({}, {}))
    assert ("missing", "primitive rubric.primitives.text") in sentences(path)


def test_schemas_are_locked(folder, tmp_path, monkeypatch):
    shipped, beside = tmp_path / "shipped", folder / "rules" / "entry-1.schema.json"
    shipped.mkdir()
    (shipped / "report.schema.json").write_text("{}")
    monkeypatch.setattr(lock, "files", lambda package: shipped)
    beside.write_text("{}")
    rules = RULES.replace("record: entry}", "record: entry, schema: entry-1}")
    (folder / "rules" / "small.yaml").write_text(rules)
    path = locked(folder)
    assert list(json.loads(path.read_text())["schemas"]) == ["entry-1", "report.schema.json"]
    assert verify_lock(path) == []
    beside.write_text("true")
    (shipped / "rubric.schema.json").write_text("{}")
    (shipped / "report.schema.json").unlink()
    assert sentences(path) == [
        ("changed", "schema entry-1"),
        ("missing", "schema report.schema.json"),
        ("added", "schema rubric.schema.json"),
    ]


def test_a_schema_that_went_is_named(folder):
    beside = folder / "rules" / "entry-1.schema.json"
    beside.write_text("{}")
    rules = RULES.replace("record: entry}", "record: entry, schema: entry-1}")
    (folder / "rules" / "small.yaml").write_text(rules)
    path, loaded = locked(folder), load(folder / "rules" / "small.yaml")
    beside.unlink()
    assert sentences(path) == [("changed", "rubric"), ("missing", "schema entry-1")]
    with pytest.raises(CallFault, match="'entry-1' that the rubric names neither comes with the engine nor is beside"):
        make_lock(loaded, [])


def test_the_schema_that_is_locked_is_the_one_that_is_used(folder):
    """What comes with the package counts first, and a file beside the rubric may be named in full."""
    for name, used in (("report", False), ("own.json", True)):
        beside = folder / "rules" / name
        beside.write_text("{}")
        rules = RULES.replace("record: entry}", f"record: entry, schema: {name}}}")
        (folder / "rules" / "small.yaml").write_text(rules)
        path = locked(folder)
        beside.write_text("true")
        assert sentences(path) == ([("changed", f"schema {name}")] if used else [])


def test_only_primitives_that_are_called_count(folder):
    assert catalogue.module("matching") is not None
    assert not any("matching" in name for name in json.loads(locked(folder).read_text())["primitives"])


# ---------------------------------------------------------------- data


def test_data_that_changed_came_or_went_is_named(folder):
    path = locked(folder, "scenes", "one.txt")
    (folder / "scenes" / "a.json").write_text('{"a": 1}')
    (folder / "scenes" / "deep" / "c.json").write_text("{}")
    (folder / "scenes" / "deep" / "b.json").unlink()
    (folder / "one.txt").write_text("two")
    assert [difference.sentence for difference in verify_lock(path)] == [
        "the file one.txt changed",
        "the file scenes/a.json changed",
        "the file scenes/deep/b.json is missing",
        "the file scenes/deep/c.json was added",
    ]


def test_whole_folders_and_files_can_be_missing(folder):
    path = locked(folder, "scenes", "one.txt")
    (folder / "scenes").rename(folder / "elsewhere")
    (folder / "one.txt").unlink()
    assert verify_lock(path) == [
        Difference("missing", "file one.txt", "the file one.txt is missing"),
        Difference("missing", "folder scenes", "the folder scenes is missing"),
    ]


def test_a_file_in_place_of_a_folder_is_named(folder):
    path = locked(folder, "scenes")
    for member in ("a.json", "deep/b.json"):
        (folder / "scenes" / member).unlink()
    (folder / "scenes" / "deep").rmdir()
    (folder / "scenes").rmdir()
    (folder / "scenes").write_text("")
    assert sentences(path) == [
        ("added", "file scenes"),
        ("missing", "file scenes/a.json"),
        ("missing", "file scenes/deep/b.json"),
    ]


def test_empty_folders_leave_no_trace(folder):
    path = locked(folder, "scenes")
    (folder / "scenes" / "empty").mkdir()
    assert verify_lock(path) == []


def test_the_lock_itself_may_lie_in_a_locked_folder(folder):
    path = locked(folder, "scenes", at="scenes/small.lock")
    assert verify_lock(path) == []


def test_links_are_locked_by_what_they_name_and_never_followed(folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret").write_text("secret")
    (folder / "scenes" / "out").symlink_to(outside)
    (folder / "scenes" / "loop").symlink_to(folder / "scenes")
    (folder / "scenes" / "near").symlink_to("a.json")
    path = locked(folder, "scenes")
    held = json.loads(path.read_text())["data"]["scenes"]
    assert {name: value for name, value in held.items() if value.startswith("link:")} == {
        "loop": f"link:{folder / 'scenes'}",
        "near": "link:a.json",
        "out": f"link:{outside}",
    }
    assert not any("secret" in name for name in held)
    (folder / "scenes" / "near").unlink()
    (folder / "scenes" / "near").symlink_to("deep/b.json")
    (folder / "scenes" / "loop").unlink()
    (folder / "scenes" / "loop").write_text("")
    assert [difference.sentence for difference in verify_lock(path)] == [
        f"the file scenes/loop changed: it was a link to {folder / 'scenes'} and is a file",
        "the file scenes/near changed: it was a link to a.json and is a link to deep/b.json",
    ]


def test_a_named_link_is_followed(folder):
    (folder / "current").symlink_to("scenes")
    path = locked(folder, "current")
    assert list(json.loads(path.read_text())["data"]) == ["current"]
    (folder / "scenes" / "a.json").write_text("changed")
    assert sentences(path) == [("changed", "file current/a.json")]


def test_what_cannot_be_locked_is_refused(folder):
    with pytest.raises(CallFault, match="nowhere does not exist"):
        locked(folder, "nowhere")
    os.mkfifo(folder / "scenes" / "pipe")
    with pytest.raises(CallFault, match="pipe is neither a file, a folder nor a link"):
        locked(folder, "scenes")
    with pytest.raises(CallFault, match="pipe is neither a file nor a folder"):
        locked(folder, "scenes/pipe")


def test_what_can_no_longer_be_read_is_a_difference(folder):
    path = locked(folder, "scenes")
    os.mkfifo(folder / "scenes" / "pipe")
    (found,) = verify_lock(path)
    assert (found.kind, found.what) == ("changed", "data scenes")


def test_names_that_are_no_text_survive(folder):
    os.mkdir(os.fsencode(str(folder)) + b"/odd")
    with open(os.fsencode(str(folder)) + b"/odd/\xff\xe9.txt", "w") as file:
        file.write("x")
    path = folder / "small.lock"
    path.write_bytes(lock_text(load(folder / "rules" / "small.yaml"), [folder / "odd"], path).encode())
    assert verify_lock(path) == []


def test_files_are_read_piece_by_piece(tmp_path):
    path = tmp_path / "large"
    path.write_bytes(b"ab" * 3_000_000)
    assert digest_of(path) == hashlib.sha256(b"ab" * 3_000_000).hexdigest()
    assert fingerprints(path, tmp_path / "other") == {".": f"sha256:{digest_of(path)}"}


# ---------------------------------------------------------------- the lock itself


def edited(path, change):
    held = json.loads(path.read_text())
    change(held)
    path.write_text(json.dumps(held))
    return held


def test_editing_the_lock_is_noticed(folder):
    path = locked(folder, "one.txt")
    (folder / "one.txt").write_text("two")
    digest = f"sha256:{digest_of(folder / 'one.txt')}"
    edited(path, lambda held: held["data"].update({"one.txt": {".": digest}}))
    assert verify_lock(path) == [Difference("changed", "lock", f"the lock {path} was edited after it was made")]


def test_every_part_of_a_lock_is_sealed(folder):
    made = json.loads(locked(folder, "scenes").read_text())
    for name in made:
        without = {known: value for known, value in made.items() if known != name}
        assert (seal(without) == made["seal"]) == (name == "seal")


def test_the_layout_of_a_lock_is_not_sealed(folder):
    path = locked(folder, "scenes")
    path.write_text(json.dumps(dict(reversed(json.loads(path.read_text()).items()))))
    assert verify_lock(path) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot be read: line 1, column 1"),
        ("[]", "is no lock; 'rubric lock' makes one"),
        ('{"report": 1}', "is no lock"),
        ('{"lock": 2}', "is a lock of format 2; this engine reads format 1"),
        ('{"lock": 1}', "is a damaged lock: 'rubric' does not hold name, version, sha256"),
    ],
)
def test_what_is_no_lock_is_refused(tmp_path, text, message):
    path = tmp_path / "x.lock"
    path.write_text(text)
    with pytest.raises(CallFault, match=message):
        verify_lock(path)


@pytest.mark.parametrize("name", ["rubric", "engine", "schemas", "calls", "primitives", "libraries", "data"])
@pytest.mark.parametrize("value", [None, [1], {"a": 1}, "x"])
def test_a_damaged_lock_never_gives_a_traceback(folder, name, value):
    path = locked(folder, "scenes")
    edited(path, lambda held: held.update({name: value}))
    shaped = value == {"a": 1} and name in ("schemas", "primitives", "libraries")
    with nullcontext() if shaped else pytest.raises(CallFault, match="is a damaged lock"):
        assert ("changed", "lock") in sentences(path)


def test_a_lock_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CallFault, match=r"the lock .*x\.lock cannot be read: No such file"):
        verify_lock(tmp_path / "x.lock")
    with pytest.raises(CallFault, match="cannot be read: Is a directory"):
        verify_lock(tmp_path)


# ---------------------------------------------------------------- before a run


def test_the_rubric_that_is_run_is_the_locked_one(folder):
    path = locked(folder)
    assert check_before_run(path, load(folder / "rules" / "small.yaml")) == []
    (folder / "copy.yaml").write_text("# the same rules\n" + RULES)
    assert check_before_run(path, load(folder / "copy.yaml")) == []
    (folder / "other.yaml").write_text(RULES.replace("at_least: 1", "at_least: 2"))
    (found,) = check_before_run(path, load(folder / "other.yaml"))
    assert (found.kind, found.what) == ("changed", "rubric")
    assert found.sentence == (
        f"the rubric to be run is small 1 ({folder / 'other.yaml'}); its rules are not those that were locked"
    )


def test_a_run_of_another_version_is_named(folder):
    path = locked(folder)
    (folder / "next.yaml").write_text(RULES.replace('version: "1"', 'version: "2"'))
    (found,) = check_before_run(path, load(folder / "next.yaml"))
    assert found.sentence == f"the rubric to be run is small 2 ({folder / 'next.yaml'}); the lock is of small 1"


def test_a_changed_rubric_is_said_once(folder):
    path = locked(folder)
    (folder / "rules" / "small.yaml").write_text(RULES.replace("at_least: 1", "at_least: 2"))
    found = check_before_run(path, load(folder / "rules" / "small.yaml"))
    assert [difference.what for difference in found] == ["rubric"]
