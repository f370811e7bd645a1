"""A comparison as Markdown (the GitHub dialect), for comments on pull requests."""

import re
from collections.abc import Iterable, Iterator, Sequence

from ..reporters import human
from . import wording
from .changes import Change
from .impact import Impact
from .result import Comparison

_BACKQUOTES = re.compile("`+")
_HEADINGS = ("", "part", "old", "new", "what", "where")


def as_markdown(comparison: Comparison) -> str:
    """A table of the changes, and tables of what they do to the cases."""
    lines = [f"# {_words(wording.title(comparison))}"]
    if comparison.changes:
        rows = (_change(number, change) for number, change in enumerate(comparison.changes, 1))
        lines += ["", *_table(_HEADINGS, rows, {0})]
    if comparison.impact is not None:
        lines += _impact(comparison, comparison.impact)
    return "\n".join(lines) + "\n"


def _change(number: int, change: Change) -> list[str]:
    what = f"{wording.sentence(change)} ({_code(change.id)})"
    where = "<br>".join(_code(str(p)) for p in (change.old_position, change.new_position) if p is not None)
    return [str(number), _code(change.path), _code(change.old), _code(change.new), what, where]


def _impact(comparison: Comparison, impact: Impact) -> Iterator[str]:
    yield from ("", "## Cases", "", _words(" ".join(wording.together(impact))))
    if impact.moved:
        shown = wording.most_moved(impact)
        rows = ([_code(cells[0]), *cells[1:5], _code(cells[5])] for cells in map(wording.case_cells, shown))
        yield from ("", *_table(wording.HEADINGS, rows, {1, 2, 3}))
        if len(shown) < len(impact.moved):
            yield from ("", f"and {len(impact.moved) - len(shown)} more; the JSON has them all")
    rows = [wording.alone_cells(comparison, row) for row in comparison.alone if row.movement.cases]
    if rows:
        coded = ([*cells[:4], _code(cells[4])] for cells in rows)
        yield from ("", "## Changes alone, made to the old version", "")
        yield from _table(wording.ALONE_HEADINGS, coded, {1, 2, 3})
    idle = wording.idle(comparison)
    if idle is not None:
        yield from ("", idle)


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: set[int]) -> Iterator[str]:
    rule = ["---:" if column in numbers else "---" for column in range(len(headings))]
    for cells in (headings, rule, *rows):
        yield f"| {' | '.join(cells)} |"


def _code(text: str | None) -> str:
    """A code span, in which no markup works; a bar would end a cell even there."""
    if not text:
        return ""
    text = human.clean(text).replace("|", "\\|")
    fence = "`" * (1 + max(map(len, _BACKQUOTES.findall(text)), default=0))
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def _words(text: str) -> str:
    """Words outside of code, in which nothing is taken for markup."""
    return re.sub(r"([\\`*_{}\[\]<>#|~@])", r"\\\1", human.clean(text)).replace("\\>", ">")
