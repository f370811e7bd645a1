"""Files that a command writes: whole or not at all, never over another."""

import errno
import os

import pytest

from rubric.engine import files
from rubric.engine.faults import CallFault
from rubric.engine.files import check_free, write_new


def test_writes_utf8_with_line_feeds(tmp_path):
    write_new(tmp_path / "a.txt", "é\nb\n")
    assert (tmp_path / "a.txt").read_bytes() == b"\xc3\xa9\nb\n"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_half_surrogates_are_written_as_escapes(tmp_path):
    write_new(tmp_path / "a.txt", "x\udc80")
    assert (tmp_path / "a.txt").read_bytes() == b"x\\udc80"


@pytest.mark.parametrize("check", [check_free, lambda path: write_new(path, "new")])
def test_never_overwrites(tmp_path, check):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(CallFault, match=r"a\.txt exists and is not overwritten; use --force, or another name"):
        check(path)
    assert path.read_text() == "old"


def test_of_two_that_write_at_once_one_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    monkeypatch.setattr(files, "check_free", lambda path, force: path.write_text("the other"))
    with pytest.raises(CallFault, match="exists and is not overwritten"):
        write_new(path, "mine")
    assert path.read_text() == "the other"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_force_replaces_a_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    write_new(path, "new", force=True)
    assert path.read_text() == "new"


def test_force_replaces_a_link_and_not_what_it_leads_to(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    with pytest.raises(CallFault, match="exists"):
        write_new(link, "new")
    write_new(link, "new", force=True)
    assert (target.read_text(), link.read_text(), link.is_symlink()) == ("old", "new", False)


def test_a_dangling_link_counts_as_there(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(CallFault, match="exists"):
        write_new(tmp_path / "link", "new")


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(CallFault, match=r"out/a\.txt cannot be written: the folder .*out does not exist"):
        write_new(tmp_path / "out" / "a.txt", "new")


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "f").write_text("")
    with pytest.raises(CallFault, match=r"the folder .*f is no folder"):
        write_new(tmp_path / "f" / "a.txt", "new")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(CallFault, match="is a folder; name a file inside it"):
        write_new(tmp_path, "new", force=True)


def test_a_device_is_not_written(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CallFault, match="no regular file"):
        write_new(tmp_path / "pipe", "new", force=True)


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_impossible_names_are_refused(tmp_path, name):
    with pytest.raises(CallFault, match="cannot be written"):
        write_new(tmp_path / name, "new")
    assert os.listdir(tmp_path) == []


def _failing(code):
    def fail(*arguments):
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (errno.ENOSPC, r"a\.txt cannot be written: no space is left; nothing was written"),
        (errno.EDQUOT, r"a\.txt cannot be written: no space is left; nothing was written"),
        (errno.EROFS, r"a\.txt cannot be written: read-only file system"),
        (errno.EACCES, r"a\.txt cannot be written: permission denied"),
    ],
)
@pytest.mark.parametrize("force", [False, True])
def test_what_fails_leaves_nothing(tmp_path, monkeypatch, code, message, force):
    monkeypatch.setattr(os, "fsync", _failing(code))
    with pytest.raises(CallFault, match=message):
        write_new(tmp_path / "a.txt", "new", force)
    assert os.listdir(tmp_path) == []


def test_a_full_disk_keeps_the_old_file(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("old")
    monkeypatch.setattr(os, "fsync", _failing(errno.ENOSPC))
    with pytest.raises(CallFault, match="no space"):
        write_new(tmp_path / "a.txt", "new", force=True)
    assert (tmp_path / "a.txt").read_text() == "old"


def test_without_hard_links_the_name_is_taken_first(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", _failing(errno.EPERM))
    write_new(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "new"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_without_hard_links_a_failure_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", _failing(errno.EPERM))
    monkeypatch.setattr(os, "replace", _failing(errno.EIO))
    with pytest.raises(CallFault, match="cannot be written"):
        write_new(tmp_path / "a.txt", "new")
    assert os.listdir(tmp_path) == []
