"""The way to a score as an SVG waterfall: what each metric contributes, what caps and gates take, what is left.

Drawn for a page whose style sheet knows the classes; it needs no script and its text can be read aloud.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any, Literal

from . import human, view

WIDTH, LABEL_END, LEFT, RIGHT, NOTE = 820, 190, 200, 600, 612
ROW, BAR, TOP, AXIS = 28, 16, 6, 24
LONGEST_LABEL = 26
MOST_TICKS = 6
LARGEST = 1e300
"""Past this a bar is cut, so that the length of the axis is a number."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A row: from `start` to `end` (None: the number is null), and as far as it could have reached (`possible`)."""

    label: str
    kind: Literal["part", "loss", "total", "score"]
    start: float
    end: float | None
    note: str
    possible: float | None = None


def bars(report: Mapping[str, Any]) -> list[Bar]:
    """The rows of the waterfall; none where the report has neither a score nor a score group."""
    groups = view.groups(report)
    found = [bar for group in groups for bar in _group(group)]
    gate = view.replacing_gate(report)
    if gate is not None and groups and groups[-1].value is not None and report["score"] is not None:
        was, now = groups[-1].value, report["score"]
        found.append(Bar(f"gate {gate['id']}", "loss", was, now, _signed(now - was)))
    if groups or report["score"] is not None:
        found.append(Bar("score", "score", 0, report["score"], human.number(report["score"])))
    return found


def _group(group: view.Group) -> Iterator[Bar]:
    start = 0.0
    for part in group.parts:
        numbers = "{} × {} = {}".format(*map(human.number, part.numbers))
        if part.contribution is None or part.value is None:
            yield Bar(part.metric, "part", start, None, numbers, start + part.weight)
            continue
        possible = start + part.weight if 0 <= part.value <= 1 else None
        yield Bar(part.metric, "part", start, start + part.contribution, numbers, possible)
        start += part.contribution
    names = ", ".join(cap["id"] for cap in group.caps)
    if group.lost and group.value is not None:
        yield Bar(f"cap {names}" if names else "other rules", "loss", start, group.value, _signed(-group.lost))
    capped = f" (cap {human.clean(names)})" if names and not group.lost else ""
    yield Bar(group.name, "total", 0, group.value, human.number(group.value) + capped)


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'}{human.number(abs(value))}"


# ---------------------------------------------------------------- drawing


def waterfall(report: Mapping[str, Any]) -> str:
    """The SVG element, empty where there is nothing to draw."""
    rows = bars(report)
    if not rows:
        return ""
    axis = _Axis.of(rows)
    height = TOP + ROW * len(rows) + AXIS
    return "\n".join(
        [
            f'<svg class="waterfall" role="img" viewBox="0 0 {WIDTH} {height}" '
            'aria-labelledby="waterfall-title waterfall-text">',
            f'<title id="waterfall-title">{_text(f"How {view.title(report)} came to its score")}</title>',
            f'<desc id="waterfall-text">{_text(_told(rows))}</desc>',
            *_grid(axis, len(rows)),
            *(line for number, bar in enumerate(rows) for line in _row(axis, number, bar)),
            *_steps(axis, rows),
            "</svg>",
        ]
    )


@dataclass(frozen=True, slots=True)
class _Axis:
    low: float
    high: float
    step: float

    @classmethod
    def of(cls, rows: Sequence[Bar]) -> "_Axis":
        """From the smallest to the largest number that is drawn, 0 and 1 among them."""
        drawn = [number for bar in rows for number in (bar.start, bar.end, bar.possible) if number is not None]
        low, high = _bounded(min(0.0, *drawn)), _bounded(max(1.0, *drawn))
        high = 1.0 if human.near(high, 1.0) else high
        power = 10.0 ** math.floor(math.log10((high - low) / MOST_TICKS))
        step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if (high - low) / (power * factor) <= MOST_TICKS)
        return cls(low, high, step)

    def x(self, value: float) -> float:
        return LEFT + (_bounded(value) - self.low) / (self.high - self.low) * (RIGHT - LEFT)

    def ticks(self) -> list[float]:
        first, last = math.ceil(self.low / self.step - 1e-9), math.floor(self.high / self.step + 1e-9)
        return [number * self.step for number in range(first, last + 1)]


def _bounded(value: float) -> float:
    return max(-LARGEST, min(LARGEST, value))


def _text(text: str) -> str:
    return escape(human.clean(text))


def _at(position: float) -> str:
    return f"{position:.2f}".rstrip("0").rstrip(".")


def _grid(axis: _Axis, rows: int) -> Iterator[str]:
    bottom = TOP + ROW * rows
    for tick in axis.ticks():
        x = _at(axis.x(tick))
        kind = "zero" if tick == 0 else "grid"
        yield f'<line class="{kind}" x1="{x}" y1="{TOP}" x2="{x}" y2="{bottom}"/>'
        yield f'<text class="tick" x="{x}" y="{bottom + 16}" text-anchor="middle">{human.number(tick)}</text>'


def _row(axis: _Axis, number: int, bar: Bar) -> Iterator[str]:
    top = _top(number)
    baseline = top + BAR - 4
    label = human.clean(bar.label)
    short = label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"
    yield f'<g class="{bar.kind}"><title>{_text(f"{bar.label}: {bar.note}")}</title>'
    yield f'<text class="label" x="{LABEL_END}" y="{baseline}" text-anchor="end">{escape(short)}</text>'
    if bar.possible is not None:
        yield _rectangle(axis, bar.start, bar.possible, top, "possible")
    if bar.end is not None:
        yield _rectangle(axis, bar.start, bar.end, top, "bar")
    yield f'<text class="note" x="{NOTE}" y="{baseline}">{_text(bar.note)}</text></g>'


def _top(number: int) -> int:
    return TOP + ROW * number + (ROW - BAR) // 2


def _steps(axis: _Axis, rows: Sequence[Bar]) -> Iterator[str]:
    """A line from the end of a bar to the next, where that goes on from there."""
    for number, (bar, following) in enumerate(pairwise(rows)):
        if bar.end is None or bar.kind not in ("part", "loss"):
            continue
        meets = following.start if following.kind in ("part", "loss") else following.end
        if meets is not None and human.near(meets, bar.end):
            x = _at(axis.x(bar.end))
            yield f'<line class="step" x1="{x}" y1="{_top(number) + BAR}" x2="{x}" y2="{_top(number + 1)}"/>'


def _rectangle(axis: _Axis, start: float, end: float, top: int, kind: str) -> str:
    left, right = sorted((axis.x(start), axis.x(end)))
    width = _at(max(right - left, 1.0))
    return f'<rect class="{kind}" x="{_at(left)}" y="{top}" width="{width}" height="{BAR}" rx="2"/>'


def _told(rows: Sequence[Bar]) -> str:
    """The rows as sentences."""
    words = {"part": "adds", "loss": "changes it by", "total": "is", "score": "is"}
    return " ".join(f"{human.clean(bar.label)} {words[bar.kind]} {bar.note}." for bar in rows)
