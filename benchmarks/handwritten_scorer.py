"""The rules of Witness 1.5 written directly in Python, as the peer of the benchmarks: no engine, no YAML, plain loops.

It is what a careful programmer writes first: each family is read, paired and counted in turn. Pairing takes the edges
in order and keeps one if a maximum matching can still be completed, checked with augmenting paths.
"""

import json
import math
import re
import unicodedata
from pathlib import Path

from rapidfuzz.distance import Levenshtein

TOLERANCE = {1: 0.50, 2: 0.375, 3: 0.25}
LEAST_QUALITY = {1: 0.70, 2: 0.65, 3: 0.60}
WEIGHTS = {
    "events": 0.25,
    "dialogue": 0.20,
    "shots": 0.10,
    "on_screen_text": 0.05,
    "audio_events": 0.05,
    "intentional_errors": 0.15,
    "qa": 0.20,
}
CAPS = {"events": 8, "dialogue": 4, "shots": 8, "on_screen_text": 6, "audio_events": 4, "intentional_errors": 3}
EDITS = {"cut", "speed_change", "freeze", "repeat", "insert_foreign", "mirror", "tint", "dialogue", "text", "audio"}
ARTICLES = {"a", "an", "the"}
WORD = re.compile(r"\w+")


class Malformed(Exception):
    pass


def load(path):
    return json.loads(Path(path).read_bytes())


def words(text):
    return [word for word in WORD.findall(unicodedata.normalize("NFKC", text).casefold()) if word not in ARTICLES]


def text_of(item, key):
    value = item.get(key)
    if not isinstance(value, str) or not value.strip():
        raise Malformed(key)
    return value


def optional_string(item, key):
    value = item.get(key)
    if value is not None and not isinstance(value, str):
        raise Malformed(key)
    return value


def number(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= 1.7976931348623157e308:
        raise Malformed("number")
    return value


def first_of(item, *keys):
    for key in keys:
        if key in item:
            return key, number(item[key])
    raise Malformed(keys[0])


def frame_of(item, frame_key, seconds_key, fps):
    key, value = first_of(item, frame_key, seconds_key)
    frame = round(value if key == frame_key else value * fps)
    if frame < 0:
        raise Malformed(key)
    return frame


def resolve(name, entities):
    if name is None:
        return None
    for entity in entities:
        if entity["id"] == name:
            return name
    wanted = words(name)
    looks = ("visual_description", "color", "shape", "kind")
    found = [e["id"] for e in entities if any(e.get(k) is not None and words(str(e[k])) == wanted for k in looks)]
    if len(found) != 1:
        raise Malformed("entity")
    return found[0]


class Scorer:
    def __init__(self, truth):
        self.truth = truth
        self.fps = truth["fps"]
        self.tolerance = TOLERANCE[truth["difficulty"]]
        self.near = self.tolerance * self.fps
        self.actors, self.objects = truth["actors"], truth["objects"]
        self.diagnostics = []

    # ------------------------------------------------------------ reading

    def event(self, item):
        return {
            "action": text_of(item, "action"),
            "actor": resolve(optional_string(item, "actor"), self.actors),
            "object": resolve(optional_string(item, "object"), self.objects),
            "at": frame_of(item, "frame", "t", self.fps),
        }

    def line(self, item):
        text = text_of(item, "text")
        optional_string(item, "actor"), optional_string(item, "object")
        key, start = first_of(item, "start", "start_frame")
        begins = start if key == "start" else start / self.fps
        key, end = first_of(item, "end", "end_frame")
        ends = end if key == "end" else end / self.fps
        if start < 0 or end < 0 or not begins < ends:
            raise Malformed("interval")
        return {"begins": begins, "ends": ends, "said": words(text)}

    def span(self, item):
        begins = frame_of(item, "start_frame", "start", self.fps)
        ends = frame_of(item, "end_frame", "end", self.fps)
        if not begins < ends:
            raise Malformed("interval")
        return {"begins": begins, "ends": ends}

    def shot(self, item):
        return {**self.span(item), "id": item.get("id")}

    def caption(self, item):
        text = text_of(item, "text")
        optional_string(item, "actor"), optional_string(item, "object")
        return {**self.span(item), "shown": words(text), "role": item.get("role")}

    def sound(self, item):
        kind = text_of(item, "kind")
        optional_string(item, "actor"), optional_string(item, "object")
        return {"kind": kind, "at": frame_of(item, "frame", "t", self.fps)}

    def error(self, item):
        return {
            "type": text_of(item, "type"),
            "actor": resolve(optional_string(item, "actor"), self.actors),
            "object": resolve(optional_string(item, "object"), self.objects),
            "audio": item.get("audio"),
            "text_id": item.get("text_id"),
            "at": frame_of(item, "frame", "t", self.fps),
        }

    def read(self, family, items, reader):
        if items is None:
            return [], 0
        if not isinstance(items, list):
            self.diagnostics.append((family, "no list"))
            return [], 1
        good, bad = [], 0
        for position, item in enumerate(items):
            try:
                if not isinstance(item, dict):
                    raise Malformed("object")
                good.append(reader(item))
            except Malformed as fault:
                self.diagnostics.append((f"{family}[{position}]", str(fault)))
                bad += 1
        return good, bad

    # ------------------------------------------------------------ pairing

    def pair(self, truths, claims, distance):
        edges = []
        for i, truth in enumerate(truths):
            for j, claim in enumerate(claims):
                apart = distance(truth, claim)
                if apart is not None:
                    edges.append((apart, i, j))
        edges.sort()
        neighbours = {}
        for _, i, j in edges:
            neighbours.setdefault(i, []).append(j)
        size = matching_size(neighbours, set(), set())
        kept, used_truths, used_claims = [], set(), set()
        for _, i, j in edges:
            if len(kept) == size:
                break
            if i in used_truths or j in used_claims:
                continue
            used_truths.add(i)
            used_claims.add(j)
            if len(kept) + 1 + matching_size(neighbours, used_truths, used_claims) == size:
                kept.append((i, j))
            else:
                used_truths.discard(i)
                used_claims.discard(j)
        return kept

    def at_distance(self, keys, near):
        def distance(truth, claim):
            if any(truth[key] != claim[key] for key in keys):
                return None
            apart = abs(truth["at"] - claim["at"])
            return apart if apart <= near else None

        return distance

    def span_distance(self, overlap, near, keys=()):
        def distance(truth, claim):
            if any(truth[key] != claim[key] for key in keys):
                return None
            apart = max(abs(truth["begins"] - claim["begins"]), abs(truth["ends"] - claim["ends"]))
            if apart <= near:
                return apart
            shared = min(truth["ends"], claim["ends"]) - max(truth["begins"], claim["begins"])
            union = max(truth["ends"], claim["ends"]) - min(truth["begins"], claim["begins"])
            return apart if shared > 0 and shared / union >= overlap else None

        return distance

    def cut_distance(self, truth, claim):
        if truth["id"] and claim["id"] and truth["id"] != claim["id"]:
            return None
        apart = abs(truth["begins"] - claim["begins"])
        return apart if apart <= 2 else None

    # ------------------------------------------------------------ families

    def without_repeats(self, events):
        kept, last = [], {}
        for position, event in sorted(enumerate(events), key=lambda pair: pair[1]["at"]):
            if event["action"] in EDITS:
                kept.append((position, event))
                continue
            key = (event["actor"], event["action"], event["object"])
            if key not in last or event["at"] - last[key] > 2 * self.fps:
                kept.append((position, event))
            last[key] = event["at"]
        return [event for _, event in sorted(kept, key=lambda pair: pair[0])]

    def cuts(self, shots):
        found = {}
        for shot in sorted(shots, key=lambda shot: shot["begins"])[1:]:
            if 0 < shot["begins"] < self.truth["duration_frames"]:
                found[shot["begins"]] = shot
        return list(found.values())

    def f(self, family, truths, claims, bad, pairs, credit, beta=1):
        unmatched = len(claims) - len(pairs) + bad
        claimed = len(pairs) + min(unmatched, CAPS[family])
        if not truths and not claimed:
            return 1.0
        square = beta * beta
        return (1 + square) * credit / (square * len(truths) + claimed) if credit else 0.0

    def family(self, name, reader, distance, prediction, prepare=None, credit=None, beta=1):
        truths, _ = self.read(name, self.truth[name], reader)
        claims, bad = self.read(name, prediction.get(name), reader)
        if prepare:
            truths, claims = prepare(truths, claims)
        pairs = self.pair(truths, claims, distance)
        total = math.fsum(credit(truths[i], claims[j]) for i, j in pairs) if credit else len(pairs)
        return self.f(name, truths, claims, bad, pairs, total, beta)

    def qa(self, answers):
        questions = self.truth["qa"]
        given = {}
        for key, value in answers.items():
            if isinstance(value, str):
                given[key] = value
            elif isinstance(value, bool) or (isinstance(value, (int, float)) and abs(value) <= 1.7976931348623157e308):
                given[key] = json.dumps(value)
            else:
                self.diagnostics.append((f"qa.{key}", "no scalar"))
        if not questions:
            return 1.0
        right = [q for q in questions if answered(words(given.get(q["id"], "")), words(q["a"]))]
        return len(right) / len(questions)

    def score(self, prediction, usage):
        if not isinstance(prediction, dict) or not isinstance(prediction.get("qa", {}), dict):
            self.diagnostics.append(("", "the prediction is malformed"))
            return 0.0, 0.0, dict.fromkeys(WEIGHTS, 0.0)
        near = self.near
        metrics = {
            "events": self.family(
                "events",
                self.event,
                self.at_distance(("action", "actor", "object"), near),
                prediction,
                lambda truths, claims: (truths, self.without_repeats(claims)),
            ),
            "dialogue": self.family(
                "dialogue",
                self.line,
                self.span_distance(0.5 - 0.000001, self.tolerance + 0.000002),
                prediction,
                credit=line_credit,
            ),
            "shots": self.family(
                "shots", self.shot, self.cut_distance, prediction, lambda t, c: (self.cuts(t), self.cuts(c))
            ),
            "on_screen_text": self.family(
                "on_screen_text", self.caption, self.span_distance(0.5, near, ("shown", "role")), prediction
            ),
            "audio_events": self.family("audio_events", self.sound, self.at_distance(("kind",), near), prediction),
            "intentional_errors": self.family(
                "intentional_errors",
                self.error,
                self.at_distance(("type", "actor", "object", "audio", "text_id"), near),
                prediction,
                beta=0.5,
            ),
            "qa": self.qa(prediction.get("qa", {})),
        }
        quality = math.fsum(WEIGHTS[name] * value for name, value in metrics.items())
        cost = sum(usage.get(channel, 0) for channel in ("visual_tokens", "audio_seconds", "transcript_chars"))
        reference = math.ceil(self.truth["duration_frames"] / self.fps) * math.ceil(640 / 14) * math.ceil(360 / 14)
        floor = LEAST_QUALITY[self.truth["difficulty"]]
        passed = quality >= floor or math.isclose(quality, floor, rel_tol=1e-9)
        return (quality * max(0, 1 - 0.30 * cost / reference) if passed else 0.0), quality, metrics


def line_credit(truth, claim):
    if truth["said"] == claim["said"]:
        return 1.0
    if not truth["said"]:
        return 0.0
    return max(0.0, 1 - Levenshtein.distance(truth["said"], claim["said"]) / len(truth["said"]))


def answered(given, truth):
    if given == truth:
        return True
    if not truth:
        return False
    if any(given[at : at + len(truth)] == truth for at in range(len(given) - len(truth) + 1)):
        return True
    rest, shared = list(truth), 0
    for word in given:
        if word in rest:
            rest.remove(word)
            shared += 1
    return 2 * shared / (len(given) + len(truth)) >= 0.6 if given else False


def matching_size(neighbours, used_truths, used_claims):
    """The size of a maximum matching among what is not used, by augmenting paths without recursion."""
    holder, size = {}, 0
    for root in neighbours:
        if root in used_truths:
            continue
        came_from, stack, end = {}, [root], None
        while stack and end is None:
            truth = stack.pop()
            for claim in neighbours[truth]:
                if claim in used_claims or claim in came_from:
                    continue
                came_from[claim] = truth
                if claim not in holder:
                    end = claim
                    break
                stack.append(holder[claim])
        holds = {truth: claim for claim, truth in holder.items()}
        while end is not None:
            truth = came_from[end]
            previous = holds.get(truth)
            holder[end] = truth
            end = previous if truth != root else None
        size = len(holder)
    return size


def score_files(truth, prediction, usage):
    scorer = Scorer(truth)
    score, quality, metrics = scorer.score(prediction, usage)
    return {"score": score, "quality": quality, "metrics": metrics, "diagnostics": scorer.diagnostics}
