"""Folders that a command writes: whole or not at all, never over one, taken-over files checked by their digest."""

import errno
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from rubric.engine import folders
from rubric.engine.faults import CallFault
from rubric.engine.folders import write_folder

DIGEST = hashlib.sha256(b"film").hexdigest()


@pytest.fixture
def film(tmp_path: Path) -> Path:
    (tmp_path / "film.mp4").write_bytes(b"film")
    return tmp_path / "film.mp4"


def left(path: Path) -> list[str]:
    return sorted(os.listdir(path))


def test_a_folder_holds_its_files(tmp_path: Path, film: Path) -> None:
    (tmp_path / "link").symlink_to(film)
    write_folder(
        tmp_path / "made",
        {
            "a.json": {"json": {"b": [1]}},
            "b.html": {"text": "é"},
            "c.mp4": {"file": str(film), "sha256": DIGEST},
            "d.mp4": {"file": str(tmp_path / "link")},
        },
    )
    assert left(tmp_path / "made") == ["a.json", "b.html", "c.mp4", "d.mp4"]
    assert (tmp_path / "made/a.json").read_bytes() == b'{\n  "b": [\n    1\n  ]\n}\n'
    assert (tmp_path / "made/b.html").read_text(encoding="utf-8") == "é"
    assert (tmp_path / "made/c.mp4").samefile(film)
    assert not (tmp_path / "made/d.mp4").is_symlink()
    assert left(tmp_path) == ["film.mp4", "link", "made"]


def test_a_copy_where_there_are_no_hard_links(tmp_path: Path, film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    write_folder(tmp_path / "made", {"c.mp4": {"file": str(film), "sha256": DIGEST}})
    assert (tmp_path / "made/c.mp4").read_bytes() == b"film"
    assert not (tmp_path / "made/c.mp4").samefile(film)


@pytest.mark.parametrize("links", [True, False])
def test_a_full_disk_leaves_nothing(tmp_path: Path, film: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link" if links else "fsync", full)
    with pytest.raises(CallFault, match=r"made cannot be written: no space is left; nothing was written"):
        write_folder(tmp_path / "made", {"a.json": {"json": 1}, "c.mp4": {"file": str(film)}})
    assert left(tmp_path) == ["film.mp4"]


def test_a_file_that_changed_is_noticed(tmp_path: Path, film: Path) -> None:
    film.write_bytes(b"another")
    with pytest.raises(CallFault, match=r"film\.mp4 was changed while it was taken over; nothing was written"):
        write_folder(tmp_path / "made", {"c.mp4": {"file": str(film), "sha256": DIGEST}})
    film.unlink()
    with pytest.raises(CallFault, match=r"film\.mp4 cannot be taken over: No such file"):
        write_folder(tmp_path / "made", {"c.mp4": {"file": str(film), "sha256": DIGEST}})
    assert left(tmp_path) == []


def test_what_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("old")
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("empty", "file", "dangling"):
        with pytest.raises(CallFault, match=f"{name} exists and is not overwritten"):
            write_folder(tmp_path / name, {"a": {"text": ""}})
    with pytest.raises(CallFault, match=r"the folder .* does not exist"):
        write_folder(tmp_path / "none" / "x", {"a": {"text": ""}})


def test_of_two_that_write_at_once_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "check_free_folder", lambda path: path.mkdir())
    with pytest.raises(CallFault, match="exists and is not overwritten"):
        write_folder(tmp_path / "made", {"a": {"text": ""}})
    assert left(tmp_path) == ["made"]
    assert left(tmp_path / "made") == []


@pytest.mark.parametrize(
    ("members", "says"),
    [
        (None, "there is none"),
        ({}, "there is none"),
        ({"../a": {"text": ""}}, "'../a' is no name"),
        ({"..": {"text": ""}}, "'..' is no name"),
        ({"": {"text": ""}}, "'' is no name"),
        ({"a": {}}, "'a' is made from one of json, text and file"),
        ({"a": {"text": "", "json": 1}}, "'a' is made from one of json, text and file"),
        ({"a": "text"}, "'a' is made from one of json, text and file"),
        ({"a": {"text": ""}, "A": {"text": ""}}, "differ by case alone"),
    ],
)
def test_what_no_folder_is_made_from(tmp_path: Path, members: Any, says: str) -> None:
    with pytest.raises(CallFault, match=says):
        write_folder(tmp_path / "made", members)
    assert left(tmp_path) == []


def test_json_is_what_reports_write(tmp_path: Path) -> None:
    write_folder(tmp_path / "made", {"a.json": {"json": {"x": 0.1}}})
    assert json.loads((tmp_path / "made/a.json").read_text()) == {"x": 0.1}
