"""Blind review: a folder with anonymous media and a page on which people rate them, and the ledger that undoes it.

Conventions

* What is made here is a map of files by name, each `{"json": value}`, `{"text": text}` or `{"file": path, "sha256":
  digest}`: an artifact of the format `folder` writes it. Nothing is written here.
* Reviewers get `review.html` and the media that it names, and nothing else. Names are drawn at random, the order of the
  page is that of the names, and the page holds no word of where a medium comes from.
* A medium is a record with `path`, `name`, `extension`, `bytes` and `sha256`, as a link of the format `file` gives.
* A rating is worth what it was given for: the ledger names the SHA-256 of each medium, so that a file which is swapped
  afterwards is noticed.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from ._columns import column, must_be_rows, must_occur, shown
from ._review_page import page
from .annotations import Field, Fields, Row, Rows
from .faults import ArgumentFault

__all__ = ["package"]

REPAIRS = ("any", "zero", "none")
LONGEST_SCALE = 10


def package(
    slots: Rows,
    *,
    keep: Fields,
    clip: Field,
    source: Field,
    interval: Field,
    experiment: Mapping[str, Any],
    documents: Mapping[str, Any],
    verdicts: Mapping[str, Any],
    defects: Mapping[str, str],
    dimensions: Mapping[str, str],
    required: Sequence[str],
    scale: Sequence[int],
    seed: str | None,
) -> dict[str, Any]:
    """The files of a blind review of the media in `slots`, a row for everything that could have been there.

    * `clip` is the field with the medium to be reviewed, null for a row without one; `source` what it was made from,
      or null; `interval` the part of that, with `start` and `end` in seconds, or null. `keep`: the fields that the
      ledger has of every row; null ones are left out.
    * `review-index.json` is the ledger: `experiment`, a random `experimentId`, and every row with a random `id`, and
      where it has a medium its `file` and its `sha256`.
    * `private-key.json` lists the media in the order of the page. Each member of `documents` is a file besides, in
      which `_` stands as `-`: `review_coverage` is `review-coverage.json`. All of these are for the coordinator alone.
    * `verdicts` by id: `label`, perhaps `about`, whether `defects` may be marked, and which measured seconds of
      `repair` go with it: `any`, `zero` or `none`. `defects` and `dimensions`: labels by id. `required`: the
      dimensions without which nothing counts as rated. `scale`: the lowest and the highest score, whole numbers.
    * With a `seed` the same content gets the same names every time; without one, nobody can guess them.

    Refused: a scale or a verdict that is none, a required dimension that is not there, a medium without its digest.
    """
    must_be_rows(slots, "slots")
    digests = [_digest(medium, "clip") for medium in column(slots, clip, "slots")]
    must_occur([*keep, clip, source, interval], "keep", slots)
    for medium in column(slots, source, "slots"):
        _digest(medium, "source")
    form = _form(verdicts, defects, dimensions, required, scale)
    kept = [{name: row[name] for name in keep if row.get(name) is not None} for row in slots]
    draw = _names(seed, [experiment, kept, digests])
    experiment_id = draw("experiment")
    ids = [draw(f"slot {number}") for number in range(len(slots))]
    places = list(zip(ids, slots, kept, strict=True))
    clips = {id: _Clip(id, row, entry, clip) for id, row, entry in sorted(places, key=itemgetter(0)) if row.get(clip)}
    sources = _sources(clips.values(), source, draw)
    head = {name: value for name, value in experiment.items() if value is not None}
    shown_clips = [one.on_the_page(sources, source, interval) for one in clips.values()]
    version = head.get("schemaVersion")
    plan = {"schemaVersion": version, "experimentId": experiment_id, **form, "clips": shown_clips}
    ledger = [{"id": id, **entry, **_bound(clips.get(id))} for id, _, entry in places]
    return {
        "review.html": {"text": page(plan)},
        "review-index.json": {"json": {**head, "experimentId": experiment_id, "slots": ledger}},
        "private-key.json": {"json": [one.unmasked(number) for number, one in enumerate(clips.values(), 1)]},
        **{f"{name.replace('_', '-')}.json": {"json": value} for name, value in documents.items()},
        **{one.file: _taken_over(one.medium) for one in clips.values()},
        **{name: _taken_over(medium) for name, medium in sources.values()},
    }


@dataclass(frozen=True)
class _Clip:
    """A medium under review, with the row and the ledger's fields that it belongs to."""

    id: str
    row: Row
    entry: Mapping[str, Any]
    field: str

    @property
    def medium(self) -> Mapping[str, Any]:
        return self.row[self.field]

    @property
    def file(self) -> str:
        return f"{self.id}{self.medium['extension']}"

    def unmasked(self, number: int) -> dict[str, Any]:
        return {"id": self.id, "label": f"Video {number}", **self.entry, "source": self.medium.get("name")}

    def on_the_page(self, sources: Mapping[str, tuple[str, Any]], source: str, interval: str) -> dict[str, Any]:
        """All that a reviewer's page knows of it."""
        if not self.row.get(source):
            return {"id": self.id, "file": self.file, "source": None}
        name, _ = sources[self.row[source]["sha256"]]
        part = self.row.get(interval)
        times = [part["start"], part["end"]] if part else None
        return {"id": self.id, "file": self.file, "source": {"file": name, "interval": times}}


def _bound(clip: _Clip | None) -> dict[str, Any]:
    return {} if clip is None else {"file": clip.file, "sha256": clip.medium["sha256"]}


def _sources(clips: Iterable[_Clip], field: str, draw: Callable[[str], str]) -> dict[str, tuple[str, Any]]:
    """A random name for each source that a clip under review has, by its digest."""
    found = {clip.row[field]["sha256"]: clip.row[field] for clip in clips if clip.row.get(field)}
    return {
        digest: (f"source-{draw(f'source {digest}')}{medium['extension']}", medium) for digest, medium in found.items()
    }


def _taken_over(medium: Mapping[str, Any]) -> dict[str, Any]:
    return {"file": medium["path"], "sha256": medium["sha256"]}


def _digest(medium: Any, argument: str) -> str | None:
    """The digest of a row's medium, null where there is none."""
    if medium is None:
        return None
    if not isinstance(medium, Mapping) or not isinstance(medium.get("sha256"), str) or "path" not in medium:
        raise ArgumentFault(argument, f"{shown(medium)} is no file with its path and digest")
    return medium["sha256"]


def _names(seed: str | None, content: Any) -> Callable[[str], str]:
    """Draws a name of 128 bits for each purpose: from the seed and the content, or from nothing at all."""
    if seed is None:
        return lambda purpose: secrets.token_hex(16)
    told = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
    key = hmac.digest(seed.encode("utf-8", "backslashreplace"), told, hashlib.sha256)
    return lambda purpose: hmac.digest(key, purpose.encode("utf-8", "backslashreplace"), hashlib.sha256)[:16].hex()


# ---------------------------------------------------------------- what the page asks


def _form(
    verdicts: Mapping[str, Any],
    defects: Mapping[str, str],
    dimensions: Mapping[str, str],
    required: Sequence[str],
    scale: Sequence[int],
) -> dict[str, Any]:
    for name in required:
        if name not in dimensions:
            raise ArgumentFault("required", f"{shown(name)} is no dimension")
    return {
        "scale": _scale(scale),
        "verdicts": [_verdict(id, verdict) for id, verdict in verdicts.items()],
        "defects": [{"id": id, "label": label} for id, label in defects.items()],
        "dimensions": [{"id": id, "label": label, "required": id in required} for id, label in dimensions.items()],
    }


def _scale(scale: Sequence[int]) -> list[int]:
    whole = len(scale) == 2 and all(type(bound) is int for bound in scale)
    if not whole or not 0 <= scale[0] < scale[1] < LONGEST_SCALE:
        raise ArgumentFault("scale", f"{shown(list(scale))} is not two digits, the lowest and the highest score")
    return list(scale)


def _verdict(id: str, verdict: Any) -> dict[str, Any]:
    known = verdict if isinstance(verdict, Mapping) else {}
    if not isinstance(known.get("label"), str) or type(known.get("defects")) is not bool:
        raise ArgumentFault("verdicts", f"'{id}' needs a label, and whether defects go with it")
    if known.get("repair") not in REPAIRS:
        raise ArgumentFault("verdicts", f"the repair of '{id}' is one of {', '.join(REPAIRS)}")
    return {
        "id": id,
        "about": "",
        **{name: known[name] for name in ("label", "about", "defects", "repair") if name in known},
    }
