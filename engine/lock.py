"""Locks: what a score depends on, with a digest of each part, so that a change of any of them is noticed and named.

A lock pins the meaning of a rubric (its layout, comments and examples may change), the engine, the schemas, the source
of the primitives that the rubric reaches, the versions of the libraries these import, and the data files that were
named. Python itself is not part of it. Paths are relative to the lock file.

The seal is a digest of the lock itself: it shows that the lock was edited. It is no signature: whoever can write the
file can also seal it again. Keep a lock where only those can write who may change the benchmark.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from . import catalogue
from .faults import CallFault
from .findings import RubricError
from .fingerprints import absolute, digest_of, fingerprints, relative
from .input_schemas import schema_path
from .json_text import JsonFault, decode_bytes, encode
from .loading import ENGINE_VERSION, LoadedRubric, bundled_folder, load
from .rubric import Rubric
from .sources import Sources, reached_from
from .trees import primitives_called

LOCK_VERSION = 1
ABOUT = "What a score depends on. The seal shows edits of this file; it is no signature. Check with: rubric verify"
ENGINE_SOURCES = (".py", ".lark")
SCHEMAS = ("rubric.schema.json", "report.schema.json")
_MAPS = ("schemas", "primitives", "libraries", "data")

Kind = Literal["changed", "missing", "added"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as it was locked: `what` names it (`library numpy`), `sentence` says what is different."""

    kind: Kind
    what: str
    sentence: str


# ---------------------------------------------------------------- making a lock


def make_lock(loaded: LoadedRubric, paths: Sequence[Path], *, at: Path = Path("rubric.lock")) -> dict[str, Any]:
    """The lock of a rubric and of data files and folders, as plain data to be written at `at`.

    Folders are locked with every file below them, whatever its name, except the lock itself. Of a symbolic link inside
    a folder the target's name is locked, not what it leads to; empty folders leave no trace. Raises `CallFault` for a
    path that cannot be read, or that is neither a file nor a folder.
    """
    folder = absolute(at).parent
    calls = primitives_called(loaded.rubric)
    sources = reached_from(_modules(calls))
    lock = {
        "lock": LOCK_VERSION,
        "about": ABOUT,
        "rubric": {
            "name": loaded.rubric.name,
            "version": loaded.rubric.version,
            **_place(loaded.path, folder),
            "sha256": loaded.id.sha256,
        },
        "engine": {"version": ENGINE_VERSION, "sha256": engine_digest()},
        "schemas": _all_schemas(loaded),
        "calls": calls,
        "primitives": _digests(sources),
        "libraries": dict(sources.libraries),
        "data": dict(sorted((relative(path, folder), fingerprints(path, absolute(at))) for path in paths)),
    }
    return {**lock, "seal": seal(lock)}


def lock_text(loaded: LoadedRubric, paths: Sequence[Path], out: Path | None = None) -> str:
    """The text of a lock file to be written at `out`; without it, one for the current folder."""
    return encode(make_lock(loaded, paths, at=out or Path("rubric.lock")), indent=2) + "\n"


def seal(lock: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical JSON of all of a lock but its seal, in hexadecimal."""
    rest = {name: value for name, value in lock.items() if name != "seal"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def engine_digest() -> str:
    """SHA-256 over the engine's sources, each with its path; compiled files and anything else do not count."""
    root, whole = Path(__file__).parent, hashlib.sha256()
    sources = [path for path in root.rglob("*") if path.suffix in ENGINE_SOURCES and path.is_file()]
    for path in sorted(sources, key=lambda path: path.relative_to(root).as_posix()):
        whole.update(f"{path.relative_to(root).as_posix()}\n{digest_of(path)}\n".encode())
    return whole.hexdigest()


def _place(path: Path, folder: Path) -> dict[str, str]:
    """Where a rubric is found again: a bundled one by its name, any other by its path."""
    if absolute(path).parent == Path(os.path.realpath(bundled_folder())):
        return {"bundled": path.stem}
    if not path.is_file():
        raise CallFault(f"{path} is no file, so a lock could not find the rubric again")
    return {"path": relative(path, folder)}


# ---------------------------------------------------------------- what a rubric reaches


def _modules(calls: Iterable[str]) -> list[str]:
    """The dotted names of the modules in which primitives are defined."""
    found = (catalogue.module(call.partition(".")[0]) for call in calls)
    return sorted({module.__name__ for module in found if module is not None})


def _digests(sources: Sources) -> dict[str, str]:
    return {name: digest_of(path) for name, path in sources.files.items()}


def _named_schemas(rubric: Rubric) -> tuple[str, ...]:
    return tuple(declared.schema for declared in rubric.inputs.values() if declared.schema)


def _all_schemas(loaded: LoadedRubric) -> dict[str, str]:
    named = _named_schemas(loaded.rubric)
    found = _schemas(named, loaded.path.parent)
    for name in named:
        if name not in found:
            raise CallFault(f"the schema '{name}' that the rubric names neither comes with the engine nor is beside it")
    return found


def _schemas(named: Iterable[str], folder: Path) -> dict[str, str]:
    """The digests of the language's own schemas, and of those that inputs name, as far as they are there."""
    shipped = Path(str(files("rubric.schemas")))
    paths = {name: shipped / name for name in SCHEMAS} | {name: schema_path(name, folder) for name in named}
    return {name: digest_of(path) for name, path in sorted(paths.items()) if path.is_file()}


# ---------------------------------------------------------------- verifying a lock


def verify_lock(path: Path) -> list[Difference]:
    """Everything that is not as it was locked; empty where nothing differs. Raises `CallFault` for what is no lock."""
    return _verify(path, read_lock(path))


def check_before_run(path: Path, loaded: LoadedRubric) -> list[Difference]:
    """As `verify_lock`, and whether the rubric about to be run is the locked one."""
    lock = read_lock(path)
    found = _verify(path, lock)
    locked = lock["rubric"]
    if loaded.id.sha256 != locked["sha256"] and not any(difference.what == "rubric" for difference in found):
        run, was = f"{loaded.rubric.name} {loaded.rubric.version}", f"{locked['name']} {locked['version']}"
        other = f"the lock is of {was}" if run != was else "its rules are not those that were locked"
        found.insert(0, Difference("changed", "rubric", f"the rubric to be run is {run} ({loaded.path}); {other}"))
    return found


def read_lock(path: Path) -> dict[str, Any]:
    """The lock in a file, edited or not. Raises `CallFault` where the file holds none."""
    try:
        lock = decode_bytes(path.read_bytes())
    except (OSError, ValueError) as error:
        reason = error if isinstance(error, JsonFault) else getattr(error, "strerror", None) or error
        raise CallFault(f"the lock {path} cannot be read: {reason}") from None
    if not isinstance(lock, dict) or "lock" not in lock:
        raise CallFault(f"{path} is no lock; 'rubric lock' makes one")
    if lock["lock"] != LOCK_VERSION:
        raise CallFault(f"{path} is a lock of format {lock['lock']}; this engine reads format {LOCK_VERSION}")
    fault = _shape_fault(lock)
    if fault:
        raise CallFault(f"{path} is a damaged lock: {fault}")
    return lock


def _shape_fault(lock: Mapping[str, Any]) -> str | None:
    """What a lock lacks to be compared with anything."""
    for name, parts in (("rubric", ("name", "version", "sha256")), ("engine", ("version", "sha256"))):
        part = lock.get(name)
        if not isinstance(part, dict) or not all(isinstance(part.get(known), str) for known in parts):
            return f"'{name}' does not hold {', '.join(parts)}"
    if not any(isinstance(lock["rubric"].get(known), str) for known in ("path", "bundled")):
        return "'rubric' does not say where it is"
    if not isinstance(lock.get("calls"), list) or not all(isinstance(call, str) for call in lock["calls"]):
        return "'calls' is no list of primitives"
    for name in _MAPS:
        if not isinstance(lock.get(name), dict):
            return f"'{name}' is missing"
    return None if all(isinstance(held, dict) for held in lock["data"].values()) else "'data' does not hold files"


def _verify(path: Path, lock: Mapping[str, Any]) -> list[Difference]:
    found: list[Difference] = []
    if lock.get("seal") != seal(lock):
        found.append(Difference("changed", "lock", f"the lock {path} was edited after it was made"))
    loaded, differences = _locked_rubric(lock["rubric"], absolute(path).parent)
    found += differences
    found += _engine(lock["engine"])
    found += _code(lock, loaded, _rubric_path(lock["rubric"], absolute(path).parent).parent)
    for name, held in sorted(lock["data"].items()):
        found += _data(name, held, path)
    return found


def _rubric_path(locked: Mapping[str, str], folder: Path) -> Path:
    return bundled_folder() / f"{locked['bundled']}.yaml" if "bundled" in locked else folder / locked["path"]


def _locked_rubric(locked: Mapping[str, str], folder: Path) -> tuple[LoadedRubric | None, list[Difference]]:
    path = _rubric_path(locked, folder)
    name = f"{locked['name']} {locked['version']}"
    if not path.exists():
        where = f"no bundled rubric is called {locked['bundled']}" if "bundled" in locked else f"{path} does not exist"
        return None, [Difference("missing", "rubric", f"the rubric {name} is missing: {where}")]
    try:
        loaded = load(path)
    except RubricError as error:
        count = len(error.findings)
        reason = f"{path} can no longer be loaded ({count} error{'' if count == 1 else 's'}; see 'rubric validate')"
        return None, [Difference("changed", "rubric", f"the rubric {name} changed: {reason}")]
    if loaded.id.sha256 == locked["sha256"]:
        return loaded, []
    now = f"{loaded.rubric.name} {loaded.rubric.version}"
    renamed = f"; it is {now} now" if now != name else ""
    return loaded, [Difference("changed", "rubric", f"the rules of {name} changed in {path}{renamed}")]


def _engine(locked: Mapping[str, str]) -> list[Difference]:
    if locked["version"] != ENGINE_VERSION:
        sentence = f"the engine is {ENGINE_VERSION}, {locked['version']} was locked"
    elif locked["sha256"] != engine_digest():
        sentence = f"the sources of the engine {ENGINE_VERSION} changed"
    else:
        return []
    return [Difference("changed", "engine", sentence)]


def _code(lock: Mapping[str, Any], loaded: LoadedRubric | None, folder: Path) -> list[Difference]:
    """What changed of schemas, primitives and libraries; those of the rubric as it is now, if it can still be read."""
    sources = reached_from(_modules(primitives_called(loaded.rubric) if loaded else lock["calls"]))
    named = _named_schemas(loaded.rubric) if loaded else [name for name in lock["schemas"] if name not in SCHEMAS]
    return [
        *_differences("schema", lock["schemas"], _schemas(named, folder)),
        *_differences("primitive", lock["primitives"], _digests(sources)),
        *_versions(lock["libraries"], sources.libraries),
    ]


def _versions(locked: Mapping[str, str | None], now: Mapping[str, str | None]) -> list[Difference]:
    found = []
    for name in sorted({*locked, *now}):
        was, is_ = (f"{known[name] or 'not installed'}" if name in known else None for known in (locked, now))
        if was is None:
            sentence = f"the library {name} ({is_}) is imported now; it was not when the lock was made"
            found.append(Difference("added", f"library {name}", sentence))
        elif is_ is None:
            found.append(
                Difference("missing", f"library {name}", f"the library {name} is no longer imported; {was} was locked")
            )
        elif was != is_:
            found.append(
                Difference(
                    "changed", f"library {name}", f"the library {name} is {is_}, and was {was} when the lock was made"
                )
            )
    return found


def _differences(label: str, locked: Mapping[str, str], now: Mapping[str, str]) -> list[Difference]:
    """Each name that two maps of digests do not hold alike."""
    found = []
    for name in sorted({*locked, *now}):
        what = f"{label} {name}"
        if name not in now:
            found.append(Difference("missing", what, f"the {what} is missing"))
        elif name not in locked:
            found.append(Difference("added", what, f"the {what} was added"))
        elif locked[name] != now[name]:
            found.append(Difference("changed", what, f"the {what} changed{_relinked(locked[name], now[name])}"))
    return found


def _relinked(was: Any, now: str) -> str:
    """How a link differs; digests say nothing to a person."""
    links = [f"a link to {text[5:]}" if str(text).startswith("link:") else "a file" for text in (was, now)]
    return f": it was {links[0]} and is {links[1]}" if links != ["a file", "a file"] else ""


def _data(name: str, locked: Mapping[str, str], lock: Path) -> list[Difference]:
    path = absolute(lock).parent / name
    if not os.path.lexists(path):
        kind = "file" if set(locked) == {"."} else "folder"
        return [Difference("missing", f"{kind} {name}", f"the {kind} {name} is missing")]
    try:
        now = fingerprints(path, absolute(lock))
    except CallFault as fault:
        return [Difference("changed", f"data {name}", str(fault))]

    def named(held: Mapping[str, str]) -> dict[str, str]:
        return {name if part == "." else f"{name}/{part}": digest for part, digest in held.items()}

    return _differences("file", named(locked), named(now))
