"""The command line: what each command prints where, and its exit code."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from command import Command, Done

from rubric.engine import cli, running
from rubric.engine.batch import BATCH_OPTIONS, scored
from rubric.engine.cases import case_sources
from rubric.engine.loading import load

EXAMPLES = Path("rubrics/examples/witness")
ROOT = Path(__file__).parent.parent.parent

TRIAL = """
rubric: trial
version: "1"
language: 1
inputs:
  truth: {from: reference, record: number}
  entry: {from: candidate, record: number, when_invalid: zero}
records:
  number: {fields: {n: number}}
preconditions:
  positive: truth.n > 0
metrics:
  near: max(0, 1 - abs(truth.n - entry.n) / truth.n) ?? 0
score: {total: near}
gates:
  close: {value: total, at_least: 0.5}
artifacts:
  card: {when: passed, content: {score: total}}
  sheet: {content: {n: entry.n}}
examples:
  exact: {inputs: {truth: {n: 4}, entry: {n: 4}}, expected: {score: 1}}
  off: {inputs: {truth: {n: 4}, entry: {n: 1}}, expected: {score: 0.25}}
"""


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a rubric and files for it, as the current one."""
    monkeypatch.chdir(tmp_path)
    files: dict[str, Any] = {"truth": {"n": 4}, "close": {"n": 3}, "far": {"n": 0}, "broken": {"n": "x"}}
    for name, value in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    (tmp_path / "trial.yaml").write_text(TRIAL)
    cases = [{"id": name, "inputs": {"truth": "truth.json", "entry": f"{name}.json"}} for name in ("close", "far")]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    return tmp_path


# ---------------------------------------------------------------- run: one case


def test_without_inputs_the_first_example_is_scored(here: Path, command: Command) -> None:
    done = command("run", "trial.yaml")
    assert (done.code, done.err) == (0, "no inputs given: scoring the example 'exact' of trial-1\n")
    assert done.out.startswith("PASS  score 1")


@pytest.mark.parametrize(
    ("truth", "entry", "code", "outcome", "score"),
    [
        ("truth.json", "close.json", 0, "pass", 0.75),
        ("truth.json", "far.json", 1, "fail", 0),
        ("truth.json", "broken.json", 1, "fail", 0),
        ("truth.json", "missing.json", 1, "fail", 0),
        ("broken.json", "close.json", 3, "error", None),
        ("far.json", "close.json", 3, "error", None),  # its precondition does not hold
    ],
)
def test_the_exit_code_says_the_outcome(
    truth: str, entry: str, code: int, outcome: str, score: float | None, here: Path, command: Command
) -> None:
    done = command("run", "trial.yaml", f"truth={truth}", f"entry={entry}", "--format", "json")
    report = json.loads(done.out)
    assert (done.code, report["outcome"], report["score"], done.err) == (code, outcome, score, "")


def test_a_rubric_without_a_verdict_passes_with_0(here: Path, command: Command) -> None:
    (here / "bare.yaml").write_text(TRIAL[: TRIAL.index("gates:")] + TRIAL[TRIAL.index("examples:") :])
    done = command("run", "bare.yaml", "truth=truth.json", "entry=far.json", "--format", "json")
    assert (done.code, json.loads(done.out)["outcome"]) == (0, "pass")


def test_a_score_that_is_null_is_inconclusive(here: Path, command: Command) -> None:
    text = TRIAL[: TRIAL.index("gates:")].replace("truth.n) ?? 0", "(truth.n - 4))")
    (here / "null.yaml").write_text(text)
    done = command("run", "null.yaml", "truth=truth.json", "entry=close.json", "--format", "json")
    assert (done.code, json.loads(done.out)["outcome"], json.loads(done.out)["score"]) == (1, "inconclusive", None)


@pytest.mark.parametrize("format", ["text", "json", "jsonl", "markdown", "html", "junit"])
def test_formats_and_files(format: str, here: Path, command: Command) -> None:
    call = ("run", "trial.yaml", "truth=truth.json", "entry=close.json", "--format", format)
    shown = command(*call)
    written = command(*call, "--out", "report")
    assert (shown.code, written.code, written.out) == (0, 0, "")
    assert (here / "report").read_text(encoding="utf-8") == shown.out
    assert command(*call, "--out", "report").code == 2
    assert command(*call, "--out", "report", "--force").code == 0


def test_artifacts(here: Path, command: Command) -> None:
    call = ("run", "trial.yaml", "truth=truth.json", "--artifact", "card=card.json", "--artifact", "sheet=sheet.json")
    done = command(*call, "entry=far.json")
    assert (done.code, done.err) == (1, "the artifact 'card' is not made: the outcome is fail\n")
    assert json.loads((here / "sheet.json").read_text()) == {"n": 0}
    (here / "sheet.json").unlink()
    assert command(*call, "entry=close.json").code == 0
    assert json.loads((here / "card.json").read_text()) == {"score": 0.75}
    refused = command(*call, "entry=close.json")
    assert (refused.code, refused.out) == (2, "")
    assert "card.json exists and is not overwritten" in refused.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["truth"], "error: 'truth' is no input; write NAME=PATH"),
        (["truth="], "error: 'truth=' is no input; write NAME=PATH"),
        (["truth=truth.json"], "error: the rubric needs entry=..."),
        (["truth=a", "entri=b"], "error: the rubric has no input 'entri'; did you mean 'entry'?"),
        (["truth=a", "truth=b"], "error: the input 'truth' is given twice, but it is no list"),
        (["--artifact", "nothing=x"], "error: the rubric makes no artifact 'nothing'; it makes: card, sheet"),
        (["--artifact", "card=a", "--artifact", "card=b"], "error: the artifact 'card' is asked for twice"),
        (["--resume"], "error: --resume is for --cases"),
        (["--jobs", "2"], "error: --jobs is for --cases"),
        (["--on", "tcp://localhost:1"], "error: --on is for --cases"),
        (["--cases", "missing"], "error: the cases file missing does not exist"),
        (["truth=a", "--cases", "cases.jsonl"], "error: with --cases, inputs stand in the cases file and no artifacts"),
        (["--cases", "cases.jsonl", "--resume"], "error: --resume needs --out and the format jsonl"),
        (["--cases", "cases.jsonl", "--resume", "--out", "x", "--format", "html"], "error: --resume needs --out"),
        (["--cases", "cases.jsonl", "--resume", "--out", "x", "--force"], "error: --resume goes on with a file and"),
        (["--cases", "cases.jsonl", "--jobs", "2", "--on", "tcp://a:1"], "error: --jobs is for local processes and"),
        (["--jobs", "0"], "Invalid value for '--jobs'"),
        (["--format", "xml"], "Invalid value for '--format'"),
        (["--nonsense"], "No such option: --nonsense"),
    ],
)
def test_a_call_that_is_wrong(arguments: list[str], says: str, here: Path, command: Command) -> None:
    done = command("run", "trial.yaml", *arguments)
    assert (done.code, done.out) == (2, "")
    assert says in done.err


def test_on_needs_its_extra(here: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = command("run", "trial.yaml", "--cases", "cases.jsonl", "--on", "tcp://localhost:1")
    assert (done.code, done.err) == (2, "error: --on needs the extra 'cluster': pip install 'rubric-engine[cluster]'\n")


# ---------------------------------------------------------------- run: many cases


def test_cases_give_lines_on_stdout_and_a_summary_on_stderr(here: Path, command: Command) -> None:
    done = command("run", "trial.yaml", "--cases", "cases.jsonl")
    assert done.code == 1
    assert [json.loads(line)["case"] for line in done.out.splitlines()] == ["close", "far"]
    assert done.err.startswith("2 cases of trial 1: 1 pass, 1 fail, 0 inconclusive, 0 error\n")


def test_the_worst_outcome_is_the_exit_code(here: Path, command: Command) -> None:
    lines = (here / "cases.jsonl").read_text().splitlines(keepends=True)
    for kept, code in ((lines[:1], 0), (lines, 1), ([*lines, "{}\n"], 3), ([], 2)):
        (here / "cases.jsonl").write_text("".join(kept))
        assert command("run", "trial.yaml", "--cases", "cases.jsonl").code == code


@pytest.mark.parametrize("format", ["text", "json", "markdown", "html", "junit"])
def test_other_formats_hold_all_cases_and_the_summary(format: str, here: Path, command: Command) -> None:
    done = command("run", "trial.yaml", "--cases", "cases.jsonl", "--format", format)
    assert (done.code, done.err) == (1, "")
    assert "close" in done.out
    assert "far" in done.out
    written = command("run", "trial.yaml", "--cases", "cases.jsonl", "--format", format, "--out", "all")
    assert (here / "all").read_text(encoding="utf-8") == done.out
    assert written.err.startswith("2 cases of trial 1")


def test_the_results_of_a_file_are_those_of_stdout(here: Path, command: Command) -> None:
    call = ("run", "trial.yaml", "--cases", "cases.jsonl")
    shown = command(*call).out
    assert command(*call, "--out", "results").code == 1
    assert (here / "results").read_text() == shown
    assert "results exists and is not overwritten" in command(*call, "--out", "results").err
    (here / "link").symlink_to("truth.json")
    assert command(*call, "--out", "link", "--force").code == 1
    assert (here / "link").read_text() == shown
    assert (here / "truth.json").read_text() == '{"n": 4}'


def test_all_stages_also_for_many_cases(here: Path, command: Command) -> None:
    stages = "  one:\n    low: {value: total, at_least: 0.9}\n  two:\n    high: {value: total, at_least: 0.1}\n"
    staged = TRIAL.replace("  close: {value: total, at_least: 0.5}\n", stages)
    (here / "staged.yaml").write_text(staged)
    for options, held in (((), None), (("--all",), True)):
        done = command("run", "staged.yaml", "--cases", "cases.jsonl", *options)
        gates = {gate["id"]: gate["held"] for gate in json.loads(done.out.splitlines()[0])["gates"]}
        assert gates == {"low": False, "high": held}


def test_a_bundled_rubric_by_its_name_and_by_its_path_from_anywhere(here: Path, command: Command) -> None:
    examples = ROOT / EXAMPLES
    (here / "two.jsonl").write_text((examples / "cases.jsonl").read_text().splitlines()[0] + "\n")
    for name in ("tier_1.truth.json", "tier_1.prediction.json"):
        (here / name).write_bytes((examples / name).read_bytes())
    found = [command("run", name, "--cases", "two.jsonl") for name in ("witness-1.5", "rubrics/witness-1.5.yaml")]
    assert found[0].out == found[1].out
    assert json.loads(found[0].out)["rubric"]["version"] == "1.5"


def test_a_bar_is_only_for_a_terminal(here: Path, command: Command) -> None:
    call = ("run", "trial.yaml", "--cases", "cases.jsonl")
    plain = command(*call)
    assert "scoring" not in plain.err
    terminal, end = os.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "rubric.engine.cli", *call],
        stdout=subprocess.PIPE,
        stderr=end,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(end)
    out, _ = run.communicate()
    shown = b""
    with suppress(OSError):  # at the end of what a terminal gives
        while data := os.read(terminal, 65536):
            shown += data
    os.close(terminal)
    assert (run.returncode, out.decode()) == (1, plain.out)
    assert b"scoring" in shown
    assert b"2/2" in shown


# ---------------------------------------------------------------- the other commands


def test_validate(here: Path, command: Command) -> None:
    (here / "bad.yaml").write_text(TRIAL.replace("truth.n > 0", "truth.m > 0"))
    assert command("validate", "trial.yaml") == Done(0, "1 rubric checked, nothing found\n", "")
    bad = command("validate", "trial.yaml", "bad.yaml")
    assert bad.code == 2
    assert "bad.yaml:11:19" in bad.out
    assert command("validate", "missing.yaml").code == 2
    for format in ("json", "sarif"):
        assert json.loads(command("validate", "bad.yaml", "--format", format).out)
    assert command("validate", "bad.yaml", "--format", "github").out.startswith("::error file=bad.yaml,line=11")


def test_strict_makes_errors_of_warnings(here: Path, command: Command) -> None:
    (here / "rubrics").mkdir()
    (here / "rubrics" / "trial-2.yaml").write_text(TRIAL)  # a name that says another version
    assert command("validate", "rubrics/trial-2.yaml").code == 0
    assert command("validate", "rubrics/trial-2.yaml", "--strict").code == 2
    run = ("run", "rubrics/trial-2.yaml", "truth=truth.json", "entry=close.json")
    assert command(*run).code == 0
    strict = command(*run, "--strict")
    assert (strict.code, strict.out, "trial-2.yaml:3:11" in strict.err) == (2, "", True)


def test_a_rubric_with_faults_does_not_run(here: Path, command: Command) -> None:
    (here / "bad.yaml").write_text(TRIAL.replace("truth.n > 0", "truth.m > 0"))
    done = command("run", "bad.yaml")
    assert (done.code, done.out) == (2, "")
    assert "bad.yaml:11:19" in done.err
    assert "did you mean" in done.err or "hint" in done.err


def test_test(here: Path, command: Command) -> None:
    done = command("test", "trial.yaml")
    assert (done.code, done.out.splitlines()[0]) == (0, "trial-1: passed; 2 of 2 examples, 0 of 0 controls")
    (here / "trial.yaml").write_text(TRIAL.replace("{score: 0.25}", "{score: 0.5}"))
    failed = command("test", "trial.yaml")
    assert failed.code == 1
    assert "example off: score: expected 0.5, found 0.25" in failed.out
    assert json.loads(command("test", "trial.yaml", "--format", "json").out)[0]["passed"] is False
    assert "witness-1.6: passed" in command("test").out


def test_test_tells_of_a_missing_file_and_goes_on(here: Path, command: Command) -> None:
    (here / "trial.yaml").write_text(TRIAL.replace("truth: {n: 4}, entry: {n: 4}", "truth: gone.json, entry: {n: 4}"))
    done = command("test", "trial.yaml")
    assert (done.code, done.out.splitlines()[0]) == (1, "trial-1: FAILED; 1 of 2 examples, 0 of 0 controls")
    assert "example exact: error: input 'truth': gone.json does not exist" in done.out


def test_cases_that_say_what_they_expect(here: Path, command: Command) -> None:
    inputs = {"truth": "truth.json", "entry": {"n": 3}}
    cases = [
        {"id": "right", "inputs": inputs, "expected": {"score": 0.75, "gates": {"close": True}}},
        {"id": "near", "inputs": inputs, "expected": {"score": 0.7}, "tolerance": 0.1},
        {"id": "wrong", "inputs": inputs, "expected": {"score": 0.7}},
        {"id": "gone", "inputs": {**inputs, "truth": "gone.json"}, "expected": {"score": 1}},
        {"id": "list", "inputs": inputs, "expected": [1]},
        {"id": "rest", "inputs": inputs},
        {"id": "no case", "expected": {"score": 1}},
    ]
    (here / "expecting.jsonl").write_text("\n".join(map(json.dumps, cases)))
    done = command("test", "trial.yaml", "--cases", "expecting.jsonl")
    assert done.code == 1
    assert done.out.splitlines() == [
        "trial-1: FAILED; 2 of 6 cases give what they expect",
        "  case wrong: score: expected 0.7, found 0.75",
        "  case gone: error: input 'truth': gone.json does not exist",
        "  case list: 'expected' is a mapping of what the report must say, such as {\"score\": 0.5}",
        '  case line 7: line 7 is no case: write {"id": "...", "inputs": {...}}',
        "  of 7 cases, 1 expect nothing",
    ]
    (here / "expecting.jsonl").write_text("\n".join(map(json.dumps, cases[:2])))
    assert command("test", "trial.yaml", "--cases", "expecting.jsonl").code == 0
    assert json.loads(command("test", "trial.yaml", "--cases", "expecting.jsonl", "--format", "json").out)[0]["passed"]
    assert command("test", "--cases", "expecting.jsonl").code == 2


def test_a_rubric_without_examples_runs_on_its_defaults(here: Path, command: Command) -> None:
    text = TRIAL[: TRIAL.index("examples:")].replace("record: number}", "record: number, default: {n: 4}}")
    text = text.replace("when_invalid: zero}", "when_invalid: zero, default: {n: 3}}")
    (here / "trial.yaml").write_text(text)
    done = command("run", "trial.yaml", "--format", "json")
    assert (done.code, json.loads(done.out)["score"]) == (0, 0.75)


def test_diff(here: Path, command: Command) -> None:
    (here / "new.yaml").write_text(TRIAL.replace("at_least: 0.5", "at_least: 0.8"))
    (here / "same.yaml").write_text(TRIAL.replace("  positive:", "  # a comment\n  positive:"))
    assert command("diff", "trial.yaml", "same.yaml").code == 0
    changed = command("diff", "trial.yaml", "new.yaml")
    assert (changed.code, "0.8" in changed.out) == (1, True)
    assert command("diff", "trial.yaml", "new.yaml", "--cases", "cases.jsonl", "--format", "json").code == 1
    assert command("diff", "trial.yaml", "missing.yaml").code == 2
    assert command("diff", "trial.yaml").code == 2


def test_explain(here: Path, command: Command) -> None:
    run = ("run", "trial.yaml", "truth=truth.json", "entry=close.json", "--format", "json")
    command(*run, "--out", "report.json")
    command(*run, "--out", "report")
    done = command("explain", "report.json", "near")
    assert (done.code, "0.75" in done.out) == (0, True)
    assert command("explain", "report", "near") == done
    command("run", "trial.yaml", "--cases", "cases.jsonl", "--out", "results.jsonl")
    assert command("explain", "results.jsonl").code == 2
    assert command("explain", "results.jsonl", "--case", "far").code == 0
    assert command("explain", "missing.json").code == 2
    assert command("explain", "report.json", "nothing").code == 2
    assert "# " in command("explain", "trial.yaml").out
    assert command("explain", "trial.yaml", "near").code == 0
    assert command("explain", "trial.yaml", "nothing").code == 2


def test_lock_and_verify(here: Path, command: Command) -> None:
    assert command("lock", "trial.yaml", "truth.json", "--out", "trial.lock") == Done(0, "", "")
    assert command("verify", "trial.lock") == Done(0, "nothing differs from trial.lock\n", "")
    call = ("run", "trial.yaml", "truth=truth.json", "entry=close.json", "--lock", "trial.lock")
    assert command(*call).code == 0
    (here / "truth.json").write_text('{"n": 5}')
    changed = command("verify", "trial.lock")
    assert (changed.code, "truth.json" in changed.out) == (1, True)
    refused = command(*call)
    assert (refused.code, refused.out) == (3, "")
    assert refused.err.endswith("refused: 1 difference(s) from trial.lock\n")
    assert command("verify", "missing.lock").code == 2
    assert command("lock", "trial.yaml", "--out", "trial.lock").code == 2


def test_audit(here: Path, command: Command) -> None:
    done = command("audit", "trial.yaml", "--cases", "cases.jsonl")
    assert (done.code, "metric near" in done.out) == (0, True)
    assert json.loads(command("audit", "witness-1.5", "--format", "json").out)["rubric"] == "witness-1.5"
    assert command("audit", "trial.yaml", "--cases", "missing").code == 2


def test_primitives_and_schemas(here: Path, command: Command) -> None:
    assert "text.words" in command("primitives").out
    assert "drop" in command("primitives", "text.words").out
    assert command("primitives", "text.wrods").code == 2
    assert json.loads(command("schema").out)["$schema"].endswith("2020-12/schema")
    assert json.loads(command("schema", "report").out)
    assert json.loads(command("schema", "trial.yaml", "entry").out)
    assert command("schema", "trial.yaml", "nothing").code == 2
    assert command("schema", "nothing").code == 2


def test_help_and_version(command: Command) -> None:
    done = command("--help")
    names = ["run", "validate", "test", "diff", "explain", "lock", "verify", "audit", "primitives", "schema"]
    assert (done.code, [name for name in names if f"  {name} " not in done.out]) == (0, [])
    assert command("--version").out == f"rubric {version('rubric-engine')}\n"
    assert command("run").code == 2
    assert command("nonsense").code == 2
    for name in names:
        assert command(name, "--help").code == 0


# ---------------------------------------------------------------- faults of the engine, streams, determinism


def test_a_fault_of_the_engine_looks_like_no_verdict(
    here: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: Any) -> int:
        raise KeyError("x")

    monkeypatch.setattr(running, "run", broken)
    done = command("run", "trial.yaml")
    assert (done.code, done.out) == (cli.INFRASTRUCTURE, "")
    assert done.err.endswith("this is a fault of rubric itself: please report it with the lines above\n")


def shell(script: str, **environment: str) -> subprocess.CompletedProcess:
    """A command line of bash, in which `rubric` is this one."""
    rubric = f'rubric() {{ "{sys.executable}" -m rubric.engine.cli "$@"; }}'
    variables = {**os.environ, **environment}
    command = ["bash", "-c", f"set -o pipefail; {rubric}; {script}"]
    return subprocess.run(command, capture_output=True, text=True, env=variables)


def test_a_reader_that_leaves_early(here: Path) -> None:
    lines = (here / "cases.jsonl").read_text()
    (here / "cases.jsonl").write_text(lines * 100)
    done = shell("rubric run trial.yaml --cases cases.jsonl | head -1")
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (141, 1, "")


def test_a_stdout_that_takes_nothing(here: Path) -> None:
    full = shell("rubric run trial.yaml truth=truth.json entry=close.json > /dev/full")
    assert (full.returncode, full.stderr) == (2, "error: stdout cannot be written: No space left on device\n")
    closed = shell("rubric run trial.yaml >&-; echo $?")
    assert (closed.stdout, closed.stderr.splitlines()[1:]) == ("2\n", ["error: stdout is closed"])
    assert shell("rubric run trial.yaml 2>&- | head -1 | cut -c 1-4").stdout == "PASS\n"


def test_nothing_around_a_run_shows_in_its_bytes(here: Path) -> None:
    """Not the seed of hashes, not the locale, not the folder it runs in, not where its output goes."""
    (here / "elsewhere").mkdir()
    report = "--format json truth=truth.json entry=close.json"
    cases = (here / "cases.jsonl").read_text() + '{"id": "é\\ud800", "inputs": {"truth": "none.json", "entry": {}}}\n'
    (here / "cases.jsonl").write_text(cases, encoding="utf-8")
    first = shell(f"rubric run trial.yaml {report}; rubric run trial.yaml --cases cases.jsonl", PYTHONHASHSEED="1")
    assert "é" in first.stdout
    ascii = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    for environment in ({"LC_ALL": "C", "PYTHONHASHSEED": "2"}, ascii):
        elsewhere = "cd elsewhere; rubric run ../trial.yaml --cases ../cases.jsonl > ../two"
        again = shell(f"rubric run trial.yaml {report} > one; {elsewhere}", **environment)
        assert "".join((here / name).read_text(encoding="utf-8") for name in ("one", "two")) == first.stdout
        assert again.stderr == first.stderr


def test_the_lines_of_a_batch_are_the_reports_of_its_cases_alone(here: Path, command: Command) -> None:
    rubric = load("trial.yaml")
    lines = [result.line for result in scored(rubric, case_sources(Path("cases.jsonl"), rubric.rubric.inputs))]
    for line in map(json.loads, lines):
        inputs = {"truth": "truth.json", "entry": f"{line['case']}.json"}
        assert rubric.run_case(inputs, case=line["case"], options=BATCH_OPTIONS).to_dict() == line
