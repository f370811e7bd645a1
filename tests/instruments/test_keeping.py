"""Results that are kept: made once, whole or not at all, and never believed when they are not whole."""

import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from rubric.primitives.faults import InstrumentFault
from rubric.primitives.instruments.blender import keeping


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "rubric" / "blender"


def made(text="content"):
    """What makes an entry, and a list of when it did."""
    calls = []

    def make(folder):
        calls.append(folder)
        (folder / "file").write_text(text)

    return make, calls


def test_an_entry_is_made_once():
    make, calls = made()
    first, second = keeping.kept({"a": 1}, make), keeping.kept({"a": 1}, make)
    assert first == second
    assert (first / "file").read_text() == "content"
    assert len(calls) == 1
    assert keeping.kept({"a": 2}, make) != first


@pytest.mark.parametrize("damage", ["", "conten", "CONTENT"])
def test_an_entry_that_is_not_whole_is_made_anew(damage):
    make, calls = made()
    entry = keeping.kept({"a": 1}, make)
    (entry / "file").write_text(damage)
    assert (keeping.kept({"a": 1}, make) / "file").read_text() == "content"
    assert len(calls) == 2


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"{}x", b'{"file": 1}', b'{"other": [0, ""]}', b"\xff"])
def test_an_entry_whose_list_is_damaged_is_made_anew(damage):
    make, calls = made()
    entry = keeping.kept({"a": 1}, make)
    (entry / "entry.json").write_bytes(damage)
    assert (keeping.kept({"a": 1}, make) / "file").read_text() == "content"
    assert len(calls) == 2


def test_what_fails_leaves_nothing(cache):
    def fail(folder):
        (folder / "half").write_text("half")
        raise ValueError("on the way")

    with pytest.raises(ValueError, match="on the way"):
        keeping.kept({"a": 1}, fail)
    assert [path.suffix for path in (cache / "results").iterdir()] == [".lock"]


def test_of_many_that_want_it_one_makes_it():
    make, calls = made()
    with ThreadPoolExecutor(8) as pool:
        entries = list(pool.map(lambda _: keeping.kept({"a": 1}, make), range(16)))
    assert len(set(entries)) == 1
    assert len(calls) == 1


def _in_a_process(folder):
    os.environ["XDG_CACHE_HOME"] = folder
    make, calls = made()
    keeping.kept({"a": 1}, make)
    return len(calls)


def test_of_many_processes_that_want_it_one_makes_it(tmp_path):
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        assert sum(pool.map(_in_a_process, [str(tmp_path)] * 6, chunksize=1)) == 1


def test_what_was_not_used_for_long_gives_way(cache, monkeypatch):
    make, _ = made("x" * 1000)
    old, recent = keeping.kept({"a": 1}, make), keeping.kept({"a": 2}, make)
    os.utime(old, (0, 0))
    monkeypatch.setattr(keeping, "MAX_KEPT_BYTES", 100)
    newest = keeping.kept({"a": 3}, make)
    assert [path.exists() for path in (old, recent, newest)] == [False, True, True]


def test_a_cache_that_cannot_be_written_is_a_fault_of_the_instrument(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(InstrumentFault, match="cannot be written"):
        keeping.kept({"a": 1}, made()[0])
