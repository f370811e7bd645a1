"""Many cases: where they come from, that each has its report, and that how they are run never shows in the bytes."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from command import Command
from deadly import doubled, slow

from rubric.engine import CallFault, Report, load
from rubric.engine import cases as cases_module
from rubric.engine.batch import Shared, _lost, report_of, run_cases, scored
from rubric.engine.cases import CaseSource, case_sources, count_sources
from rubric.engine.loading import LoadedRubric, load_text
from rubric.engine.workers import MOST_AT_ONCE, Processes, Work, in_order

RUBRIC = """
rubric: trial
version: "1"
language: 1
inputs:
  truth: {from: reference, record: truth}
  entry: {from: candidate, record: entry, when_invalid: zero}
records:
  truth: {fields: {n: number}}
  entry: {fields: {n: number}}
metrics:
  near:
    value: abs(truth.n - entry.n)
    credit: {full: 0, zero: 10}
    if_null: 0
score: {total: near}
gates: {close: {value: total, at_least: 0.5}}
"""


@pytest.fixture
def rubric(tmp_path: Path) -> LoadedRubric:
    (tmp_path / "trial.yaml").write_text(RUBRIC)
    return load(tmp_path / "trial.yaml")


def case(id: Any, truth: Any, entry: Any) -> dict[str, Any]:
    return {"id": id, "inputs": {"truth": truth, "entry": entry}}


def good(number: int) -> dict[str, Any]:
    return case(f"c{number}", {"n": 5}, {"n": number % 12})


def write_lines(path: Path, lines: Iterable[Any]) -> Path:
    path.write_bytes(b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines))
    return path


def sources(path: Path) -> list[CaseSource]:
    return list(case_sources(path, ("truth", "entry")))


def reports(rubric: LoadedRubric, path: Path) -> list[Report]:
    return [report_of(rubric, source) for source in sources(path)]


def errors(found: Iterable[Report]) -> list[tuple[str | None, str, str] | None]:
    return [(report.case, report.error.kind, report.error.message) if report.error else None for report in found]


# ---------------------------------------------------------------- a cases file


def test_each_line_that_is_not_blank_is_a_case(tmp_path: Path, rubric: LoadedRubric) -> None:
    lines = [
        b"\xef\xbb\xbf",
        good(1),
        b"\r\n",
        b" \n",
        json.dumps(good(2)).encode() + b"\r\n",
        json.dumps(good(3)).encode(),
    ]
    path = write_lines(tmp_path / "cases.jsonl", lines)
    assert [report.case for report in reports(rubric, path)] == ["c1", "c2", "c3"]
    assert [report.score for report in reports(rubric, path)] == pytest.approx([0.6, 0.7, 0.8])
    assert [(source.number, source.line) for source in sources(path)] == [(1, 1), (2, 4), (3, 5)]
    assert count_sources(path) == 3


def test_what_is_wrong_with_a_line_costs_that_case_alone(tmp_path: Path, rubric: LoadedRubric) -> None:
    lines = [
        good(5),
        b'{"id": "c2", \n',
        b"[]\n",
        {"id": "c4"},
        {"id": "c5", "inputs": []},
        b'{"id": "\xff"}\n',
        b"[" * 10_000 + b"\n",
        {"id": "c8", "inputs": {"truth": {"n": 1}}},
        {"id": "c9", "inputs": {"truth": {"n": 1}, "entry": {"n": 1}, "entri": {}}},
        case("c10", {"n": "5"}, {"n": 5}),
        case("c11", "missing.json", {"n": 5}),
        case("c12", {"n": 5}, "missing.json"),
        good(6),
    ]
    found = reports(rubric, write_lines(tmp_path / "cases.jsonl", lines))
    property = "expecting property name enclosed in double quotes"
    assert errors(found) == [
        None,
        ("line 2", "case", f"line 2 is no JSON: column 14: {property}"),
        ("line 3", "case", 'line 3 is no case: write {"id": "...", "inputs": {...}}'),
        ("c4", "case", 'line 4 is no case: write {"id": "...", "inputs": {...}}'),
        ("c5", "case", 'line 5 is no case: write {"id": "...", "inputs": {...}}'),
        ("line 6", "case", "line 6: byte 0xff is not UTF-8"),
        ("line 7", "case", "line 7 is no JSON: it is nested deeper than 128 levels"),
        ("c8", "case", "the rubric needs entry=..."),
        ("c9", "case", "the rubric has no input 'entri'; did you mean 'entry'?"),
        ("c10", "reference", "input 'truth', n: 'n' is '5', a finite number was expected"),
        ("c11", "reference", "input 'truth': missing.json does not exist"),
        None,
        None,
    ]
    assert [report.outcome for report in found].count("error") == 10
    assert (found[11].outcome, found[11].score) == ("fail", 0)
    assert found[11].diagnostics[0].reason == "missing.json does not exist"


@pytest.mark.parametrize(
    ("id", "called"),
    [("c1", "c1"), ("", ""), (7, "7"), (1.5, "1.5"), (None, "line 1"), (True, "line 1"), ([1], "line 1")],
)
def test_ids(id: Any, called: str, tmp_path: Path, rubric: LoadedRubric) -> None:
    path = write_lines(tmp_path / "cases.jsonl", [case(id, {"n": 1}, {"n": 1})])
    assert [report.case for report in reports(rubric, path)] == [called]


def test_a_line_past_any_size_is_one_bad_case(
    tmp_path: Path, rubric: LoadedRubric, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cases_module, "MAX_BYTES", 1024 * 1024)
    path = write_lines(tmp_path / "cases.jsonl", [good(1), {"id": "x" * (3 * 1024 * 1024)}, good(2)])
    assert errors(reports(rubric, path)) == [None, ("line 2", "case", "line 2: it is longer than 1 MiB"), None]
    assert count_sources(path) == 3


def test_what_is_no_cases_file(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"\n\n")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    told = {
        "missing.jsonl": "does not exist",
        "empty.jsonl": "holds no case",
        "folder": r"holds no folders: a case is a folder with a file for each input, such as truth\.json",
        "pipe": "is no regular file",
        "a\0b": "cannot be read",
    }
    for name, says in told.items():
        with pytest.raises(CallFault, match=says):
            sources(tmp_path / name)


# ---------------------------------------------------------------- a folder of cases


def test_a_folder_is_a_case(tmp_path: Path, rubric: LoadedRubric) -> None:
    for name, entry in (("b", "entry.json"), ("a", "entry.txt"), ("c", "other.json")):
        folder = tmp_path / "cases" / name
        folder.mkdir(parents=True)
        (folder / "truth.json").write_text('{"n": 1}')
        (folder / entry).write_text('{"n": 2}')
        (folder / "notes.md").write_text("")
    (tmp_path / "cases" / "README.md").write_text("")
    (tmp_path / "cases" / "c" / "truth.json.bak").write_text("{}")
    found = reports(rubric, tmp_path / "cases")
    assert [(report.case, report.score) for report in found] == [("a", 0.9), ("b", 0.9), ("c", None)]
    assert errors(found)[2] == ("c", "case", "c: both truth.json and truth.json.bak could be the input 'truth'")
    assert count_sources(tmp_path / "cases") == 3


# ---------------------------------------------------------------- results are in input order, whatever does the work


def many(folder: Path, count: int = 60) -> Path:
    """Cases of every kind, so that good and bad ones are mixed in every piece of work."""
    lines: list[Any] = [good(number) for number in range(count)]
    lines[count // 3] = b'{"id"\n'
    lines[count // 2] = case("c", "missing.json", {"n": 1})
    return write_lines(folder / "many.jsonl", lines)


def lines_of(rubric: LoadedRubric, path: Path, jobs: int) -> list[str]:
    return [result.line for result in scored(rubric, case_sources(path, rubric.rubric.inputs), jobs=jobs)]


def test_one_and_three_jobs_give_the_same_bytes(tmp_path: Path, rubric: LoadedRubric) -> None:
    path = many(tmp_path)
    one = lines_of(rubric, path, 1)
    assert len(one) == 60
    assert lines_of(rubric, path, 3) == one


def executors() -> list[Executor]:
    return [ThreadPoolExecutor(3), ProcessPoolExecutor(2, mp_context=get_context("spawn"))]


@pytest.mark.parametrize("executor", executors(), ids=["threads", "processes"])
def test_run_many_takes_any_executor(executor: Executor, rubric: LoadedRubric) -> None:
    cases = [*map(good, range(40)), {"id": "bad"}, case("nan", {"n": 1}, {"n": float("nan")})]
    with executor:
        found = [report.to_dict() for report in rubric.run_many(cases, executor=executor)]
    assert found == [report.to_dict() for report in rubric.run_many(cases)]
    assert [report["outcome"] for report in found[-2:]] == ["error", "fail"]


def test_run_many_is_lazy_and_knows_paths(tmp_path: Path, rubric: LoadedRubric) -> None:
    (tmp_path / "truth.json").write_text('{"n": 5}')

    def endless() -> Iterable[dict[str, Any]]:
        while True:
            yield case("c", "truth.json", {"n": 5})
            yield case("p", Path("truth.json"), {"n": 6})

    found = rubric.run_many(endless(), folder=tmp_path)
    assert [next(found).score for _ in range(3)] == pytest.approx([1, 0.9, 1])


def test_cases_that_no_file_could_hold(rubric: LoadedRubric) -> None:
    round: dict[str, Any] = {}
    round["inputs"] = round
    found = list(rubric.run_many([round, good(5), {("a",): 1}]))  # type: ignore[dict-item]
    assert [error and error[:2] for error in errors(found)] == [("case 1", "case"), None, ("case 3", "case")]


def test_a_rubric_without_a_file_runs_in_threads(rubric: LoadedRubric) -> None:
    loaded = load_text(RUBRIC)
    with ThreadPoolExecutor(2) as executor:
        scores = [report.score for report in run_cases(loaded, [good(5)], executor=executor)]
    assert scores == [1]


def test_a_worker_refuses_another_rubric_than_the_one_that_was_loaded(rubric: LoadedRubric) -> None:
    travelled, arguments = Shared.of(rubric).__reduce__()
    assert travelled(*arguments).rubric().id == rubric.id
    rubric.path.write_text(RUBRIC.replace("0.5", "0.25"))
    path, _, engine = arguments
    with pytest.raises(CallFault, match="has changed"):
        travelled(path, "0" * 64, engine).rubric()
    with pytest.raises(CallFault, match=r"a worker has version .* of the engine, not 9"):
        travelled(path, load(path).id.sha256, "9").rubric()


def test_a_fault_of_the_engine_costs_one_case(rubric: LoadedRubric, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: Any, **named: Any) -> Report:
        raise KeyError("x")

    monkeypatch.setattr(LoadedRubric, "run_case", broken)
    assert errors(rubric.run_many([good(1)])) == [
        ("c1", "engine", "a fault of the engine itself, please report it: KeyError('x')")
    ]


# ---------------------------------------------------------------- workers that die


def test_an_item_that_ends_its_worker_is_lost_alone() -> None:
    numbers = [*range(10), -1, *range(10, 30), -2, -3]
    with Processes(2) as executor:
        found = list(in_order(executor, numbers, Work(doubled, lambda number: 1000 + number), 2))
    assert found == [2 * number if number >= 0 else 1000 + number for number in numbers]


def test_the_report_of_a_case_that_ends_its_worker(tmp_path: Path, rubric: LoadedRubric) -> None:
    found = [_lost(rubric, source) for source in sources(write_lines(tmp_path / "cases.jsonl", [good(1), b"x\n"]))]
    assert errors(found) == [
        ("c1", "crash", "line 1 ended the process that scored it"),
        ("line 2", "crash", "line 2 ended the process that scored it"),
    ]


def test_a_pool_of_the_caller_that_breaks_is_replaced() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        found = list(in_order(executor, [1, 2, -1, 3], Work(doubled, lambda number: number), 1))
    assert found == [2, 4, -1, 6]


def test_pieces_grow_while_they_are_quick_and_shrink_when_they_are_not() -> None:
    with ThreadPoolExecutor(1) as executor:
        sizes = list(in_order(executor, range(40), Work(slow, lambda number: number), 1))
        assert sizes == [1] * 40
        quick = Work(lambda numbers: ([len(numbers)] * len(numbers), 0.0), lambda number: number)
        assert max(in_order(executor, range(1000), quick, 1)) == MOST_AT_ONCE


def test_what_a_task_raises_itself_is_not_swallowed() -> None:
    def broken(numbers: list[int]) -> tuple[list[int], float]:
        raise CallFault("no")

    with ThreadPoolExecutor(1) as executor, pytest.raises(CallFault, match="no"):
        list(in_order(executor, [1], Work(broken, lambda number: number), 1))


# ---------------------------------------------------------------- the command, interrupted

DRIVER = """
import os, signal, sys
from rubric.engine import cli, running

after, how, *sys.argv = sys.argv[1:]
sys.argv.insert(0, "rubric")
signal.signal(signal.SIGINT, signal.default_int_handler)
scored = running.scored

def interrupted(*arguments, **named):
    for number, result in enumerate(scored(*arguments, **named)):
        if number == int(after):
            os.killpg(0, signal.SIGINT) if how == "interrupt" else os.kill(os.getpid(), signal.SIGKILL)
        yield result

running.scored = interrupted
cli.main()
"""


def interrupted_run(how: str, after: int, *arguments: object) -> subprocess.CompletedProcess:
    """`rubric run` in a process of its own that is killed, or sent Ctrl-C with all its workers, after some results."""
    command = [sys.executable, "-c", DRIVER, str(after), how, "run", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, start_new_session=True)


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_run_goes_on_without_losing_or_repeating_a_case(
    jobs: int, tmp_path: Path, rubric: LoadedRubric, command: Command
) -> None:
    cases, out, whole = many(tmp_path), tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    call = ("run", rubric.path, "--cases", cases)
    assert command(*call, "--out", whole).code == 3  # one case has no truth
    killed = interrupted_run("kill", 25, *call[1:], "--out", out, "--jobs", jobs)
    assert killed.returncode == -signal.SIGKILL
    assert whole.read_bytes().startswith(out.read_bytes())
    assert out.read_bytes().count(b"\n") == 25

    with out.open("ab") as file:  # as if the kill had come in the middle of a line
        file.write(whole.read_bytes()[out.stat().st_size :][:100])
    resumed = command(*call, "--out", out, "--resume", "--jobs", jobs)
    assert resumed.code == 3
    assert "60 cases" in resumed.err
    assert out.read_bytes() == whole.read_bytes()

    again = command(*call, "--out", out, "--resume")
    assert (again.code, out.read_bytes()) == (3, whole.read_bytes())


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_the_results_so_far(jobs: int, tmp_path: Path, rubric: LoadedRubric, command: Command) -> None:
    cases, out = many(tmp_path), tmp_path / "out.jsonl"
    call = (rubric.path, "--cases", cases, "--out", out)
    stopped = interrupted_run("interrupt", 10, *call, "--jobs", jobs)
    assert stopped.returncode == 130
    assert stopped.stderr == f"{out} holds the results so far; --resume goes on\ninterrupted\n"
    assert out.read_bytes().count(b"\n") == 10
    assert command("run", *call, "--resume").code == 3
    assert out.read_bytes().count(b"\n") == 60


def test_what_resume_refuses(tmp_path: Path, rubric: LoadedRubric, command: Command) -> None:
    cases, out = many(tmp_path, 12), tmp_path / "out.jsonl"
    call = ("run", rubric.path, "--cases", cases, "--out", out)
    assert command(*call).code == 3
    kept = out.read_bytes()
    lines = kept.splitlines(keepends=True)
    other = lines[0].replace(b'"engine": "', b'"engine": "9')
    told = {
        b"{}\n": "line 1: this is no result of a run; nothing is resumed",
        b"[\n": "line 1: this is no result of a run; nothing is resumed",
        other: "line 1: a result of another rubric or engine; nothing is resumed",
        lines[1]: "line 1: a result of case 'c1', but the case is 'c0'; nothing is resumed",
        kept + lines[0]: "line 13: a result of case 'c0', but there is no case; nothing is resumed",
    }
    for data, says in told.items():
        out.write_bytes(data)
        refused = command(*call, "--resume")
        assert (refused.code, refused.err) == (2, f"error: {out}, {says}\n")
        assert out.read_bytes() == data


def test_two_runs_do_not_write_to_one_file(tmp_path: Path, rubric: LoadedRubric, command: Command) -> None:
    fcntl = pytest.importorskip("fcntl")
    cases, out = many(tmp_path, 12), tmp_path / "out.jsonl"
    with out.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        refused = command("run", rubric.path, "--cases", cases, "--out", out, "--resume")
    assert (refused.code, refused.err) == (2, f"error: another run is writing to {out}\n")


LIMITED = """
import resource, sys
from rubric.engine import cli

resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
sys.argv = ["rubric", *sys.argv[1:]]
cli.main()
"""


def test_a_disk_that_fills_keeps_what_was_written(tmp_path: Path, rubric: LoadedRubric, command: Command) -> None:
    cases, out = many(tmp_path, 12), tmp_path / "out.jsonl"
    call = ("run", str(rubric.path), "--cases", str(cases), "--out", str(out))
    full = subprocess.run([sys.executable, "-c", LIMITED, *call], capture_output=True, text=True)
    assert full.returncode == 2
    more = "it holds the results so far, and --resume goes on"
    assert full.stderr == f"error: {out} cannot be written: file too large; {more}\n"
    assert out.stat().st_size == 3000
    assert command(*call, "--resume").code == 3
    assert out.read_text().splitlines() == lines_of(rubric, cases, 1)


def test_a_worker_that_is_killed_from_outside_costs_nothing(tmp_path: Path, rubric: LoadedRubric) -> None:
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    if not children.exists():
        pytest.skip("this system does not list the children of a process")
    path, before = many(tmp_path, 200), set(children.read_text().split())
    found = scored(rubric, case_sources(path, rubric.rubric.inputs), jobs=2)
    lines = [next(found).line]
    for child in set(children.read_text().split()) - before:
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(int(child), signal.SIGKILL)
    lines += [result.line for result in found]
    assert lines == lines_of(rubric, path, 1)
