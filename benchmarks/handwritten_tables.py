"""What someone would write by hand for the two rubrics over large tables: a loop over the lines of the file."""

import json
import math
import re
from collections import defaultdict

Z = 1.959963984540054
SHA256 = re.compile(r"[0-9a-f]{64}")


def is_text(value):
    return isinstance(value, str) and value.strip() != ""


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def evidence_is_valid(row):
    return (
        is_text(row.get("id"))
        and is_text(row.get("baseId"))
        and row.get("split") == "test"
        and is_number(row.get("label"))
        and row["label"] in (0, 1)
        and is_number(row.get("score"))
        and 0 <= row["score"] <= 1
        and isinstance(row.get("modelSha256"), str)
        and SHA256.fullmatch(row["modelSha256"]) is not None
        and is_text(row.get("preprocessingVersion"))
        and row.get("resolutionGroup") in ("full-res", "thumbnail")
        and row.get("evaluationMode") == "deployed"
        and (row.get("source") is None or is_text(row["source"]))
        and (row.get("generatorFamily") is None or is_text(row["generatorFamily"]))
    )


def manifest_is_valid(row):
    return (
        all(is_text(row.get(field)) for field in ("id", "baseId", "sha256", "source"))
        and is_number(row.get("label"))
        and row["label"] in (0, 1)
        and row.get("split") in ("train", "calibration", "test")
        and (row.get("generatorFamily") is None or is_text(row["generatorFamily"]))
        and (row.get("splitGroup") is None or is_text(row["splitGroup"]))
    )


def release(path):
    """The figures of the release gate, of evidence without faults."""
    images, by_resolution, by_source = {}, defaultdict(dict), defaultdict(dict)
    ids, models, families = set(), set(), set()
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if not evidence_is_valid(row) or row["id"] in ids:
                raise ValueError(row["id"])
            ids.add(row["id"])
            models.add((row["modelSha256"], row["preprocessingVersion"]))
            right = (row["score"] >= 0.65) == (row["label"] == 1)
            base = (row["label"], row["baseId"])
            tables = [images, by_resolution[row["resolutionGroup"]]]
            if row["label"] == 0:
                tables.append(by_source[row["source"]])
            else:
                families.add(row["generatorFamily"])
            for table in tables:
                table[base] = table.get(base, True) and right
    summaries = [summary(table) for table in (images, *by_resolution.values(), *by_source.values())]
    return summaries[0], len(models), len(families)


def summary(images):
    real = [right for (label, _), right in images.items() if label == 0]
    ai = [right for (label, _), right in images.items() if label == 1]
    return {
        "real_recall": [share(sum(real), len(real)), *wilson(sum(real), len(real))],
        "ai_recall": [share(sum(ai), len(ai)), *wilson(sum(ai), len(ai))],
    }


def share(successes, n):
    return successes / n if n else None


def wilson(successes, n):
    if not n:
        return None, None
    share = successes / n
    middle = share + Z * Z / (2 * n)
    spread = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return (middle - spread) / (1 + Z * Z / n), (middle + spread) / (1 + Z * Z / n)


def dataset(path):
    """How many rows are in each split, and how many values cross from one into another."""
    counts, crossing = defaultdict(int), 0
    ids, owners = set(), defaultdict(dict)
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if not manifest_is_valid(row) or row["id"] in ids:
                raise ValueError(row["id"])
            ids.add(row["id"])
            counts[row["split"]] += 1
            domain = "source" if row["label"] == 0 else "generatorFamily"
            for field in ("baseId", "sha256", domain, "splitGroup"):
                value = row.get(field)
                if value and owners[field].setdefault(value, row["split"]) != row["split"]:
                    crossing += 1
    return dict(counts), crossing
