"""Speed of what the rubrics of clip quality rest on, as ratios against named peers.

    python benchmarks/clips.py [NAME ...] [--rounds N]

Names: alignment diarization review. Without names, all.
"""

import json
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from compare import OPTIONS
from rapidfuzz.distance import Levenshtein
from ratios import medians, run_named, say

from rubric.engine.loading import load
from rubric.primitives import intervals, text

DEFECTS = ("changed-meaning", "missing-payoff", "wrong-speaker", "hidden-content", "damaged-speech", "caption-error")
DIMENSIONS = ("hook", "coherence", "payoff", "speakerChoice", "framing", "captions", "audio", "overall")
SECONDS = {"publishable": (0, None), "repairable": (None, 12.5, 40.0), "reject": (None,)}


def said_and_heard(count: int, error_rate: float, draw: random.Random) -> tuple[list[str], list[str]]:
    """Words of a long talk, frequent ones more often, and what a recognizer with so many errors hears."""
    words = [f"w{index}" for index in range(3000)]
    said = [words[int(draw.paretovariate(0.7)) % len(words)] for _ in range(count)]
    heard: list[str] = []
    for word in said:
        kind = draw.random() / error_rate
        heard += {0: [], 1: [draw.choice(words)], 2: [word, draw.choice(words)]}.get(int(3 * kind), [word])
    return said, heard


def alignment(rounds: int) -> None:
    for error_rate in (0.05, 0.15, 0.3):
        said, heard = said_and_heard(10_000, error_rate, random.Random(1))
        ours, trace, distance = medians(
            rounds,
            lambda said=said, heard=heard: text.align(said, heard),
            lambda said=said, heard=heard: list(Levenshtein.editops(said, heard)),
            lambda said=said, heard=heard: Levenshtein.distance(said, heard),
        )
        what = f"alignment of 10,000 words, {error_rate:.0%} errors / rapidfuzz"
        say(f"{what} editops", ours / trace, "at most 1.3", f"{ours * 1e3:.1f} ms")
        say(f"{what} distance", ours / distance, "", "which makes no alignment")


def turns(count: int, draw: random.Random) -> list[dict]:
    """Turns of four people over an hour, some at once."""
    starts = sorted(draw.uniform(0, 3590) for _ in range(count))
    return [{"speaker": draw.choice("abcd"), "start": start, "end": start + draw.uniform(0.5, 9)} for start in starts]


def by_frames(reference: list[dict], hypothesis: list[dict]) -> int:
    """What many scripts do: sets of speakers every 10 ms."""
    frames = [(set[str](), set[str]()) for _ in range(360_000)]
    for side, rows in enumerate((reference, hypothesis)):
        for row in rows:
            for frame in range(int(row["start"] * 100), int(row["end"] * 100)):
                frames[frame][side].add(row["speaker"])
    return sum(max(len(mine), len(theirs)) - len(mine & theirs) for mine, theirs in frames)


def diarization(rounds: int) -> None:
    reference, hypothesis = turns(900, random.Random(2)), turns(1100, random.Random(3))
    ours, frames = medians(
        rounds,
        lambda: intervals.diarization(reference, hypothesis, speaker="speaker"),
        lambda: by_frames(reference, hypothesis),
    )
    say("diarization of an hour, exact / sets every 10 ms", ours / frames, "at most 0.1", f"{ours * 1e3:.1f} ms")


def ledger(draw: random.Random) -> dict:
    """10,000 slots: two runs, 1,000 cases of 100 sources, five ranks."""
    cases = [
        {
            "id": f"c{number}",
            "split": ("development", "test")[number % 2],
            "tags": draw.sample(["talk", "slides", "overlap", "music"], 2),
            "sourceSha256": f"{number % 100:064x}",
        }
        for number in range(1000)
    ]
    places = [(run, case["id"], rank) for run in ("old", "new") for case in cases for rank in range(1, 6)]
    slots = [
        {"id": f"s{n}", "runId": run, "caseId": case, "rank": rank, "status": "rendered", "declaredReady": n % 3 == 0}
        for n, (run, case, rank) in enumerate(places)
    ]
    head = {"schemaVersion": 2, "experimentId": "e", "topK": 5, "minimumReviewers": 2, "runs": ["old", "new"]}
    return {**head, "cases": cases, "slots": slots}


def ratings(slots: list[dict], draw: random.Random) -> Iterator[dict]:
    for slot in slots:
        verdict = draw.choice(list(SECONDS))
        yield {
            "id": slot["id"],
            "verdict": verdict,
            "repairSeconds": draw.choice(SECONDS[verdict]),
            "sourceCompared": draw.random() < 0.8,
            "severeDefects": [] if verdict == "publishable" else draw.sample(DEFECTS, draw.randint(0, 2)),
            "scores": {dimension: draw.randint(1, 5) for dimension in DIMENSIONS},
            "notes": "The diagram is cut off at the left.",
        }


def review(rounds: int) -> None:
    draw, rubric = random.Random(4), load("clips-review-2")
    with tempfile.TemporaryDirectory() as scratch:
        index = Path(scratch) / "review-index.json"
        content = ledger(draw)
        index.write_text(json.dumps(content), encoding="utf-8")
        ballots = [Path(scratch) / f"{name}.json" for name in ("ann", "bo", "cy")]
        for path in ballots:
            rows = list(ratings(content["slots"], draw))
            ballot = {"schemaVersion": 2, "experimentId": "e", "reviewer": path.stem, "ratings": rows}
            path.write_text(json.dumps(ballot), encoding="utf-8")
        files = [index, *ballots]
        inputs = {"index": str(index), "submissions": [str(path) for path in ballots]}
        summary, reading = medians(
            rounds,
            lambda: rubric.run_case(inputs, options=OPTIONS),
            lambda: [json.loads(path.read_text(encoding="utf-8")) for path in files],
        )
    what = "summary of 10,000 slots, 3 reviewers / reading the JSON"
    say(what, summary / reading, "at most 10", f"{summary:.2f} s")


BENCHMARKS: dict[str, Callable[[int], None]] = {"alignment": alignment, "diarization": diarization, "review": review}


if __name__ == "__main__":
    run_named(__doc__, BENCHMARKS)
