"""A rubric that uses all of it, by the engine: what is wrong with a project costs its score and ends no run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rubric.engine import load

RUBRIC = Path(__file__).with_name("finish-1.yaml")


@pytest.fixture
def scored(kit, shared_cache, tmp_path):
    def score(name):
        shutil.copy(kit / "projects" / f"{name}.blend", tmp_path / "project.blend")
        return load(RUBRIC).run(candidate=tmp_path, originals=kit / "input").to_dict()

    return score


def test_a_project_is_scored(scored):
    """Half of each frame is bright, and the bars of a few columns; the mask covers the left half."""
    report = scored("plain")
    assert report["outcome"] == "pass"
    assert report["metrics"]["strips"]["value"] == 1
    assert report["metrics"]["bright"]["value"] == pytest.approx(0.5, abs=0.05)
    assert report["metrics"]["masked"]["value"] == pytest.approx(0.5, abs=0.05)
    assert report == scored("plain")


@pytest.mark.parametrize(
    ("name", "gate", "reason"),
    [
        ("outside_picture", "only_originals", None),
        ("deep_metas", "project_opens", "its timelines are nested too deeply"),
        ("huge_frames", "replay", "its frames of 65536 x 65536 cannot be rendered"),
    ],
)
def test_a_project_that_does_not_do_fails_a_gate(scored, name, gate, reason):
    report = scored(name)
    assert report["outcome"] == "fail"
    failed = [entry["id"] for entry in report["gates"] if entry["held"] is False]
    assert gate in failed
    reasons = [entry["reason"] for entry in report["diagnostics"]]
    assert any(reason in told for told in reasons) if reason else not reasons


def test_without_blender_there_is_no_score(scored, monkeypatch):
    monkeypatch.setenv("RUBRIC_BLENDER", "/nowhere/python")
    report = scored("plain")
    assert (report["outcome"], report["score"]) == ("error", None)
    assert report["error"]["kind"] == "instrument"


def test_who_runs_it_can_require_a_sandbox(kit, program, tmp_path):
    """Without a path neither bubblewrap nor unshare is found."""
    shutil.copy(kit / "projects" / "plain.blend", tmp_path / "project.blend")
    environment = {"PATH": "", "RUBRIC_BLENDER": os.path.abspath(program), "HOME": str(tmp_path)}
    inputs = [f"candidate={tmp_path}", f"originals={kit / 'input'}"]
    command = [sys.executable, "-m", "rubric.engine.cli", "run", str(RUBRIC), *inputs, "--require-sandbox"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "a sandbox is required" in done.stdout + done.stderr
