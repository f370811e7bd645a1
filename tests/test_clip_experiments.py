"""Experiments of clips: cases with values made by an independent implementation, and the package for reviewers."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from expected import differences

from rubric.engine import load
from rubric.engine.loading import LoadedRubric, bundled_folder

CASES = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parent / "clips/experiments.jsonl").read_text("utf-8").splitlines())
}
COMPLETE = "two-runs-two-cases"


def laid_out(folder: Path, files: dict[str, str]) -> Path:
    """The files of an experiment in a folder; the path of its manifest."""
    for name, text in files.items():
        path = folder / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_text(text, encoding="utf-8")
    return folder / "manifest.json"


@pytest.fixture(scope="module")
def clips() -> LoadedRubric:
    return load("clips-2")


@pytest.mark.parametrize("id", CASES)
def test_case(id: str, clips: LoadedRubric, tmp_path: Path) -> None:
    case = CASES[id]
    report = clips.run(manifest=laid_out(tmp_path, case["files"])).to_dict()
    assert report["outcome"] == case["expected"]["outcome"], report.get("error")
    assert list(differences(case["expected"].get("values", {}), report["values"])) == []


@pytest.mark.parametrize(
    ("id", "warned"),
    [
        ("two-runs-two-cases", []),
        ("groups-missing-partly", ["grouping_incomplete"]),
        ("renders-missing-kept", ["render_missing"] * 3),
        ("renders-first-k-only", []),
        ("defaults-minimal", ["grouping_incomplete"]),
    ],
)
def test_warnings(id: str, warned: list[str], clips: LoadedRubric, tmp_path: Path) -> None:
    report = clips.run(manifest=laid_out(tmp_path, CASES[id]["files"])).to_dict()
    assert [warning["id"] for warning in report.get("warnings", [])] == warned


def changed(tmp_path: Path, clips: LoadedRubric, file: str, change: Callable[[Any], None]) -> dict:
    """The report of the complete experiment after a change of one file."""
    files = CASES[COMPLETE]["files"]
    value = json.loads(files[file])
    change(value)
    return clips.run(manifest=laid_out(tmp_path, files | {file: json.dumps(value)})).to_dict()


def test_the_order_of_cases_and_runs_changes_no_figure(clips: LoadedRubric, tmp_path: Path) -> None:
    def turn(manifest: Any) -> None:
        manifest["cases"].reverse()
        manifest["runs"].reverse()

    plain = changed(tmp_path, clips, "manifest.json", lambda manifest: None)
    assert changed(tmp_path, clips, "manifest.json", turn)["values"] == plain["values"]


def test_a_hard_case_cannot_be_dropped(clips: LoadedRubric, tmp_path: Path) -> None:
    report = changed(tmp_path, clips, "results/challenger.json", lambda run: run["cases"].pop("talk-1"))
    assert (report["outcome"], report["values"]) == ("error", {})
    assert "every_run_has_every_case" in report["error"]["message"]


def test_an_omitted_stage_is_null_and_its_slots_stay(clips: LoadedRubric, tmp_path: Path) -> None:
    report = changed(tmp_path, clips, "results/baseline.json", lambda run: run["cases"]["talk-1"].pop("highlights"))
    assert report["values"]["results"]["baseline"]["talk-1"]["highlights"] is None
    summary = report["values"]["coverage"]["baseline"]["summary"]
    found = {name: summary[name] for name in ("eligible_top_k_slots", "unknown_output_slots", "rendered", "returned")}
    assert found == {"eligible_top_k_slots": 4, "unknown_output_slots": 2, "rendered": 0, "returned": 1}
    assert [warning["id"] for warning in report["warnings"]] == ["render_without_stage"] * 2


def written(name: str) -> dict[str, list[str]]:
    """The parts of each section of a bundled rubric as they are written, comments and all."""
    text = (bundled_folder() / f"{name}.yaml").read_text("utf-8")
    sections = re.split(r"(?m)^(?=[a-z]+:)", text)
    return {s.partition(":")[0]: [part.rstrip() for part in re.split(r"(?m)^(?=  \S)", s)[1:]] for s in sections}


def test_what_two_rubrics_share_is_the_same_word_for_word() -> None:
    """A rubric stands alone, so what one recording and an experiment have in common is written in both."""
    sample, experiment = written("clip-sample-2"), written("clips-2")
    for section in ("constants", "records", "functions"):
        shared = [part for part in sample[section] if not part.startswith("  settings:")]
        assert len(shared) > 3
        assert [part for part in shared if part not in experiment[section]] == []


# ---------------------------------------------------------------- the package


def packaged(
    tmp_path: Path, files: dict[str, str], *, name: str = "package"
) -> tuple[Path, subprocess.CompletedProcess]:
    """What the command makes of an experiment."""
    manifest = laid_out(tmp_path / "experiment", files)
    folder = tmp_path / name
    call = [sys.executable, "-m", "rubric.engine.cli", "run", "clips-2", f"manifest={manifest}"]
    done = subprocess.run([*call, "--artifact", f"package={folder}"], capture_output=True, text=True, check=False)
    return folder, done


def held(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text("utf-8"))


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, done = packaged(tmp_path_factory.mktemp("complete"), CASES[COMPLETE]["files"])
    assert done.returncode == 0, done.stderr
    return folder


def test_a_package_holds_a_ledger_a_key_and_anonymous_copies(package: Path) -> None:
    index, key = held(package, "review-index.json"), held(package, "private-key.json")
    assert (index["schemaVersion"], index["topK"], index["minimumReviewers"]) == (2, 2, 2)
    assert index["runs"] == ["baseline", "challenger"]
    assert [case["id"] for case in index["cases"]] == ["talk-1", "talk-2"]
    rows = [(slot["runId"], slot["caseId"], slot["rank"], slot["status"]) for slot in index["slots"]]
    assert rows == [
        ("baseline", "talk-1", 1, "rendered"),
        ("baseline", "talk-1", 2, "rendered"),
        ("baseline", "talk-2", 1, "missing-render"),
        ("baseline", "talk-2", 2, "not-returned"),
        ("challenger", "talk-1", 1, "missing-render"),
        ("challenger", "talk-1", 2, "not-returned"),
        ("challenger", "talk-2", 1, "rendered"),
        ("challenger", "talk-2", 2, "not-returned"),
    ]
    assert [slot.get("declaredReady") for slot in index["slots"]] == [None] * 6 + [True, None]
    rendered = [slot for slot in index["slots"] if slot["status"] == "rendered"]
    for slot in rendered:
        assert hashlib.sha256((package / slot["file"]).read_bytes()).hexdigest() == slot["sha256"]
    assert [entry["label"] for entry in key] == ["Video 1", "Video 2", "Video 3"]
    assert [entry["id"] for entry in key] == sorted(slot["id"] for slot in rendered)
    assert {entry["source"] for entry in key} == {"clips/base-1.mp4", "clips/base-2.mp4", "clips/chal-1.webm"}
    sources = [name for name in os.listdir(package) if name.startswith("source-")]
    assert sorted((package / name).read_text() for name in sources) == [
        "tiny source media a\n",
        "tiny source media b\n",
    ]


def test_the_coordinators_documents(package: Path, clips: LoadedRubric) -> None:
    manifest = package.parent / "experiment/manifest.json"
    values = clips.run(manifest=manifest).to_dict()["values"]
    metrics = held(package, "metrics.json")
    found = {run: {} for run in values["results"]}
    for entry in metrics["results"]:
        found[entry["run"]][entry["case"]] = entry["metrics"]
    assert found == values["results"]
    assert metrics["results"][0]["provenance"]["system"] == "synthetic system"
    assert held(package, "review-coverage.json") == {"reviewers": [], "runs": values["coverage"]}


def test_coverage_is_the_summary_of_no_ballots(package: Path) -> None:
    summed = load("clips-review-2").run(index=package / "review-index.json").to_dict()
    assert summed["outcome"] == "pass", summed.get("error")
    for run, found in held(package, "review-coverage.json")["runs"].items():
        whole = summed["values"]["runs"][run]["summary"]
        assert {name: whole[name] for name in found["summary"]} == found["summary"]


def test_a_clip_that_was_swapped_is_noticed(tmp_path: Path) -> None:
    folder, _ = packaged(tmp_path, CASES[COMPLETE]["files"])
    slot = held(folder, "review-index.json")["slots"][0]
    (folder / slot["file"]).unlink()
    (folder / slot["file"]).write_bytes(b"another clip")
    report = load("clips-review-2").run(index=folder / "review-index.json").to_dict()
    assert report["outcome"] == "error"
    assert "clip_is_the_packaged_one" in report["error"]["message"]


def test_the_page_tells_nothing_of_where_a_clip_comes_from(package: Path) -> None:
    text = (package / "review.html").read_text("utf-8")
    told = [
        *CASES[COMPLETE]["files"],
        "baseline",
        "challenger",
        "talk-1",
        "talk-2",
        "base-1",
        "chal-1",
        "studio",
        "creator",
    ]
    told += [slot["sha256"] for slot in held(package, "review-index.json")["slots"] if "sha256" in slot]
    told += [case["sourceSha256"] for case in held(package, "review-index.json")["cases"]]
    told += [str(package.parent), "runId", "caseId", '"rank"', "http:", "https:"]
    assert [word for word in told if word in text] == []
    named = set(re.findall(r'"file": "([^"]+)"', text))
    assert named == {name for name in os.listdir(package) if name.rpartition(".")[2] in ("mp4", "webm")}


def test_names_are_new_each_time_and_the_same_with_a_seed(tmp_path: Path) -> None:
    files = CASES[COMPLETE]["files"]
    seeded = {**files, "manifest.json": json.dumps({**json.loads(files["manifest.json"]), "seed": "spring"})}
    for given, same in ((files, False), (seeded, True)):
        there = [packaged(tmp_path, given, name=f"{same}{number}")[0] for number in range(2)]
        first, second = (sorted(os.listdir(folder)) for folder in there)
        assert (first == second) is same
        assert ((there[0] / "review.html").read_bytes() == (there[1] / "review.html").read_bytes()) is same


def test_a_source_is_copied_only_for_a_case_with_a_clip(tmp_path: Path) -> None:
    folder, _ = packaged(tmp_path, CASES["source-copied-only-where-rendered"]["files"])
    cases = {slot["caseId"] for slot in held(folder, "review-index.json")["slots"] if slot["status"] == "rendered"}
    assert len([name for name in os.listdir(folder) if name.startswith("source-")]) == len(cases) < 2


def test_an_extension_is_written_small(tmp_path: Path) -> None:
    folder, _ = packaged(tmp_path, CASES["render-extension-upper-case"]["files"])
    media = [name for name in os.listdir(folder) if not name.endswith((".json", ".html"))]
    assert media
    assert all(name == name.lower() for name in media)


@pytest.mark.parametrize("id", ["source-absent", "prediction-bad-sample", "rank-duplicate"])
def test_where_anything_is_wrong_nothing_is_written(id: str, tmp_path: Path) -> None:
    folder, done = packaged(tmp_path, CASES[id]["files"])
    assert done.returncode == 3
    assert not folder.exists()
    assert os.listdir(tmp_path) == ["experiment"]


def test_a_package_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    folder, done = packaged(tmp_path, CASES[COMPLETE]["files"])
    assert (done.returncode, done.stdout) == (2, "")
    assert "exists and is not overwritten" in done.stderr
    assert os.listdir(folder) == []
