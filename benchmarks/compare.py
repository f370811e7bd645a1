"""Speed and memory as ratios against named peers, each the median of interleaved runs.

    python benchmarks/compare.py [NAME ...] [--rounds N]

Names: scoring flood loading help wer memory. Without names, all but `memory`, which takes minutes.
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import handwritten_scorer
import material
import yaml
from rapidfuzz.distance import Levenshtein
from ratios import medians, run_named, say

from rubric.engine.evaluation import Options
from rubric.engine.json_text import decode
from rubric.engine.loading import load, load_text
from rubric.primitives import text

OPTIONS = Options(keep_nodes=False)


def score_here(rubric, cases) -> list[float]:
    return [
        rubric.run_case(
            {"truth": decode(case["truth"]), "prediction": decode(case["prediction"])}, options=OPTIONS
        ).score
        for case in cases
    ]


def score_by_hand(cases) -> list[float]:
    return [
        handwritten_scorer.score_files(json.loads(case["truth"]), json.loads(case["prediction"]), {})["score"]
        for case in cases
    ]


def agree(a: list[float], b: list[float]) -> None:
    if any(abs(x - y) > 1e-9 for x, y in zip(a, b, strict=True)):
        sys.exit("the two scorers do not agree, so there is nothing to compare")


def scoring(rounds: int) -> None:
    rubric, cases = load("witness-1.5"), material.ordinary_cases(1000)
    agree(score_here(rubric, cases), score_by_hand(cases))
    here, hand = medians(rounds, lambda: score_here(rubric, cases), lambda: score_by_hand(cases))
    detail = f"{here * 1000 / len(cases):.2f} ms a case against {hand * 1000 / len(cases):.2f}"
    say("1,000 ordinary cases / a direct Python scorer", here / hand, "at most 1", detail)


def flood(rounds: int) -> None:
    rubric = load("witness-1.5")
    for what, case in (("16 events", material.flood(20_000)), ("1,000 events", material.long_flood(20_000))):
        cases = [case]
        agree(score_here(rubric, cases), score_by_hand(cases))
        here, hand = medians(min(rounds, 3), lambda: score_here(rubric, cases), lambda: score_by_hand(cases))  # noqa: B023
        detail = f"{hand:.2f} s against {here:.2f} s"
        say(f"a direct Python scorer / a flood of 20,000 on {what}", hand / here, "at least 20", detail)


def loading(rounds: int) -> None:
    source = material.long_rubric()
    load_text(source)
    ours, plain, quick = medians(
        rounds, lambda: load_text(source), lambda: yaml.safe_load(source), lambda: yaml.load(source, yaml.CSafeLoader)
    )
    detail = (
        f"{ours * 1000:.0f} ms against {plain * 1000:.0f} (with libyaml: {quick * 1000:.0f}, {ours / quick:.1f} times)"
    )
    say("loading and checking 3,000 lines / yaml.safe_load", ours / plain, "at most 4", detail)


def help(rounds: int) -> None:
    def timed(*command: str) -> float:
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        return time.perf_counter() - start

    pairs = [
        (timed(sys.executable, "-m", "rubric.engine.cli", "--help"), timed(sys.executable, "-c", "pass"))
        for _ in range(max(rounds, 11))
    ]
    ours, bare = (statistics.median(times) for times in zip(*pairs, strict=True))
    say("rubric --help / python -c pass", ours / bare, "at most 5", f"{ours * 1000:.0f} ms against {bare * 1000:.0f}")


def wer(rounds: int) -> None:
    line = [
        "somebody",
        "painted",
        "the",
        "greenhouse",
        "door",
        "grey",
        "while",
        "the",
        "beekeeper",
        "slept",
        "under",
        "an",
        "old",
        "umbrella",
    ]
    heard = [word for number, word in enumerate(line) if number not in (3, 9)] + ["yesterday"]
    for repeats, lines in ((1, 2000), (20, 300), (700, 2)):
        reference, hypothesis = line * repeats, heard * repeats

        def direct(reference=reference, hypothesis=hypothesis, lines=lines) -> None:
            for _ in range(lines):
                Levenshtein.distance(reference, hypothesis) / len(reference)

        def ours(reference=reference, hypothesis=hypothesis, lines=lines) -> None:
            for _ in range(lines):
                text.word_error_rate(reference, hypothesis)

        ours()
        here, there = medians(rounds, ours, direct)
        say(f"word error rate, {len(reference)} words / rapidfuzz", here / there, "at most 1.2", "")


def memory(rounds: int) -> None:
    truth = json.loads(material.SCENES[-1].read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        cases, out = Path(folder) / "cases.jsonl", Path(folder) / "results.jsonl"
        Path(folder, "truth.json").write_text(json.dumps(truth), encoding="utf-8")
        with cases.open("w", encoding="utf-8") as file:
            for number in range(100_000):
                inputs = {"truth": "truth.json", "prediction": {"events": [{"t": number % 30, "action": "enter"}]}}
                file.write(json.dumps({"id": f"c{number}", "inputs": inputs}) + "\n")
        command = [
            sys.executable,
            "-m",
            "rubric.engine.cli",
            "run",
            "witness-1.5",
            "--cases",
            str(cases),
            "--out",
            str(out),
        ]
        subprocess.run(command, check=False, capture_output=True)
        lines = len(out.read_bytes().splitlines())
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    say(f"peak memory of {lines:,} cases streamed, MB", peak, "under 300", "")


BENCHMARKS = {"scoring": scoring, "flood": flood, "loading": loading, "help": help, "wer": wer, "memory": memory}


if __name__ == "__main__":
    run_named(__doc__, BENCHMARKS, but=("memory",))
