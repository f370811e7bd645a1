"""Large tables: a rubric from end to end against polars reading the same file, and against a loop written by hand.

    python benchmarks/tables.py [--rows N] [--rounds N]

CPU seconds of all cores are compared, so that a busy machine does not show; the seconds that passed stand beside them.
Memory is the most that a process of its own holds.
"""

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import handwritten_tables
import polars
from compare import OPTIONS
from ratios import say

from rubric.engine.loading import load
from rubric.engine.tables.fields import series_type

MEMORY = """
import re, sys
from rubric.engine.loading import load
load(sys.argv[1]).run_case({"rows": sys.argv[2]})
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024)
"""


def evidence(count, draw):
    """Rows of a release: four derivatives of each base."""
    model = hashlib.sha256(b"model").hexdigest()
    for number in range(count):
        base, label = number // 4, number // 4 % 2
        right = draw.random() > 0.001
        yield {
            "id": f"i{number}",
            "baseId": f"b{base}",
            "split": "test",
            "label": label,
            "score": round(draw.uniform(0.7, 1) if (label == 1) == right else draw.uniform(0, 0.6), 6),
            "modelSha256": model,
            "preprocessingVersion": "1",
            "resolutionGroup": ("full-res", "thumbnail")[number % 2],
            "evaluationMode": "deployed",
            ("source", "generatorFamily")[label]: f"domain {base // 2 % 5}",
        }


def manifest(count, draw):
    """Rows of a dataset in which nothing crosses."""
    for number in range(count):
        base, label = number // 4, number // 4 % 2
        split = ("train", "calibration", "test")[base % 10 % 3]
        more = {"generatorFamily": f"{split} family {base % 5}"} if label else {}
        yield {
            "id": f"i{number}",
            "baseId": f"b{base}",
            "sha256": hashlib.sha256(str(number).encode()).hexdigest(),
            "label": label,
            "split": split,
            "source": f"{split} {base % 7}",
            "transform": ("original", "jpeg-75", "resize-256", "crop-90")[number % 4],
            **more,
        }


def timed(rounds, *runs):
    """Medians of CPU seconds and of seconds of each, run in turn."""
    times = [[] for _ in runs]
    for _ in range(rounds):
        for run, taken in zip(runs, times, strict=True):
            cpu, wall = time.process_time(), time.perf_counter()
            run()
            taken.append((time.process_time() - cpu, time.perf_counter() - wall))
    return [tuple(map(median, zip(*taken, strict=True))) for taken in times]


def measure(what, name, path, by_hand, target, rounds):
    rubric = load(name)
    schema = {field.name: series_type(field.read) for field in rubric.plan.rows["rows"].by_column.fields}
    here, reading = timed(
        rounds,
        lambda: rubric.run_case({"rows": str(path)}, options=OPTIONS),
        lambda: polars.read_ndjson(path, schema=schema),
    )
    (hand,) = timed(1, lambda: by_hand(path))
    size = path.stat().st_size
    memory = int(subprocess.run([sys.executable, "-c", MEMORY, name, path], check=True, capture_output=True).stdout)
    seconds = f"{here[1]:.1f} s against {reading[1]:.1f} s, {size / 1e6:.0f} MB"
    say(f"{what} / polars reading the file", here[0] / reading[0], target, seconds)
    say(f"a loop by hand / {what}", hand[0] / here[0], "at least 8", f"{hand[1]:.1f} s")
    say(f"memory of {what} / the file", memory / size, "at most 4", f"{memory / 1e6:.0f} MB")


def agree(path):
    """The loop by hand finds what the rubrics find."""
    report = load("detector-release-1").run_case({"rows": str(path / "evidence.jsonl")})
    by_hand, models, _ = handwritten_tables.release(path / "evidence.jsonl")
    for name, expected in by_hand.items():
        found = report.metrics[name]
        values = [found.value, found.fields["lower"], found.fields["upper"]]
        if models != 1 or any(abs(a - b) > 1e-9 for a, b in zip(values, expected, strict=True)):
            sys.exit("the rubric and the loop do not agree, so there is nothing to compare")
    report = load("detector-dataset-1").run_case({"rows": str(path / "manifest.jsonl")})
    if handwritten_tables.dataset(path / "manifest.jsonl") != (report.values["counts"], 0):
        sys.exit("the rubric and the loop do not agree, so there is nothing to compare")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name, rows in (("evidence", evidence), ("manifest", manifest)):
            with open(folder / f"{name}.jsonl", "w", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in rows(arguments.rows, random.Random(1)))
        agree(folder)
        count = f"{arguments.rows:,} rows"
        for what, rubric, name, by_hand, target in (
            (f"release gate, {count}", "detector-release-1", "evidence", handwritten_tables.release, "at most 3"),
            (f"dataset rules, {count}", "detector-dataset-1", "manifest", handwritten_tables.dataset, "at most 4"),
        ):
            measure(what, rubric, folder / f"{name}.jsonl", by_hand, target, arguments.rounds)


if __name__ == "__main__":
    main()
