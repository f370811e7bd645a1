"""What the benchmarks score: ordinary cases, a flood, and a long rubric, made from a seed."""

import json
import random
from pathlib import Path

ROOT = Path(__file__).parent.parent
SCENES = sorted((ROOT / "tests" / "witness" / "scenes").glob("*.json"))
ACTIONS = ("cut", "speed_change", "freeze", "repeat", "insert_foreign", "mirror", "tint", "dialogue", "text", "audio")


def ordinary_cases(count, seed=1):
    """Plausible reconstructions: most items told, a little late or early, a few wrong, a few made up."""
    rng = random.Random(seed)
    truths = [path.read_text(encoding="utf-8") for path in SCENES]
    cases = []
    for number in range(count):
        text = truths[number % len(truths)]
        truth = json.loads(text)
        cases.append({"id": f"c{number}", "truth": text, "prediction": json.dumps(reconstruction(truth, rng))})
    return cases


def reconstruction(truth, rng):
    fps = truth["fps"]

    def told(items):
        return [item for item in items if rng.random() < 0.9]

    def late(frame):
        return round(max(0.0, frame / fps + rng.gauss(0, 0.08)), 3)

    def spans(items, keys):
        return [
            {**{key: item.get(key) for key in keys}, "start": late(item["start_frame"]), "end": late(item["end_frame"])}
            for item in told(items)
        ]

    lines = [
        {"text": item["text"], "start": item["start"] + rng.gauss(0, 0.05), "end": item["end"] + rng.gauss(0, 0.05)}
        for item in told(truth["dialogue"])
    ]
    points = ("action", "actor", "object", "kind", "type", "audio", "text_id")

    def moments(items):
        return [{**{k: item[k] for k in points if k in item}, "t": late(item["frame"])} for item in told(items)]

    made_up = [{"action": rng.choice(ACTIONS), "t": round(rng.uniform(0, 40), 2)} for _ in range(3)]
    return {
        "events": moments(truth["events"]) + made_up,
        "dialogue": lines,
        "shots": spans(truth["shots"], ()),
        "on_screen_text": spans(truth["on_screen_text"], ("text", "role")),
        "audio_events": moments(truth["audio_events"]),
        "intentional_errors": moments(truth["intentional_errors"]),
        "qa": {question["id"]: question["a"] if rng.random() < 0.8 else "no" for question in truth["qa"]},
    }


def flood(count, seed=2):
    """One case whose prediction claims `count` events: every action, as often as that takes, all over the scene."""
    text = (ROOT / "tests" / "witness" / "scenes" / "recomposed_t1_a.json").read_text(encoding="utf-8")
    truth, rng = json.loads(text), random.Random(seed)
    events = [
        {"action": ACTIONS[number % len(ACTIONS)], "frame": rng.randrange(truth["duration_frames"])}
        for number in range(count)
    ]
    return {"id": "flood", "truth": text, "prediction": json.dumps({"events": events, "qa": {}})}


def long_flood(count, events=1000, seed=3):
    """The same on a long scene: a truth of many events over forty minutes, and a claim every few frames."""
    case = flood(0)
    truth, rng = json.loads(case["truth"]), random.Random(seed)
    truth["duration_frames"] = 40 * 60 * truth["fps"]
    truth["events"] = [
        {"action": rng.choice(ACTIONS), "frame": rng.randrange(truth["duration_frames"])} for _ in range(events)
    ]
    claims = [
        {"action": ACTIONS[number % len(ACTIONS)], "frame": rng.randrange(truth["duration_frames"])}
        for number in range(count)
    ]
    return {"id": "long flood", "truth": json.dumps(truth), "prediction": json.dumps({"events": claims, "qa": {}})}


def long_rubric(lines=3000):
    """A rubric of that many lines: named values, metrics over them, a weighted score, gates."""
    per_metric = 13
    count = (lines - 60) // per_metric
    head = [
        'rubric: long\nversion: "1"\nlanguage: 1\n',
        "inputs:\n  entry: {from: candidate, record: entry}\n",
        "constants:\n  scale: 4\n  most: 0.9\n",
        "records:\n  entry:\n    fields:",
        *(f"      part_{number}: number from 0 to 100 or nothing" for number in range(40)),
        "\nfunctions:\n  part_of(x, whole): x / whole if whole > 0 else null\n\nlet:",
    ]
    lets, metrics, gates = [], [], []
    for number in range(count):
        a, b = f"entry.part_{number % 40}", f"entry.part_{(number * 7 + 3) % 40}"
        lets += [
            f"  # what is measured in place {number}",
            f"  sum_{number}: ({a} ?? 0) + ({b} ?? 0) + scale",
            f"  share_{number}:",
            f"    part: {a} ?? 0",
            f"    whole: max(sum_{number}, scale, {number % 5 + 1})",
            "    result: part_of(part, whole) ?? 0",
            f"  near_{number}: abs(share_{number} - {number % 10 / 10}) < 0.25 and sum_{number} >= 1",
        ]
        metrics += [
            f"  metric_{number}:",
            f"    value: share_{number} if near_{number} else share_{number} / 2",
            "    credit: {full: 1, zero: 0}",
            "    if_null: 0",
        ]
        gates += [f"  gate_{number}: {{value: metric_{number}, at_least: most, otherwise: 0}}"]
    weights = [f"      metric_{number}: 0.001" for number in range(count - 1)]
    rest = f"      metric_{count - 1}: {1 - 0.001 * (count - 1):.3f}"
    parts = [
        *head,
        *lets,
        "\nmetrics:",
        *metrics,
        "\nscore:\n  total:\n    weighted:",
        *weights,
        rest,
        "\ngates:",
        *gates,
    ]
    return "\n".join(parts) + "\n"
