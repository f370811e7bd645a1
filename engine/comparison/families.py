"""The families of changes: for each kind of part, what can happen to it, what that is called, and where it leads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from . import directions
from .directions import Direction, Judge
from .parts import Part

Kind = Literal["added", "removed", "tightened", "loosened", "changed"]
Event = Literal["added", "removed", "tightened", "loosened", "changed", "reordered"]

COMES: tuple[Event, ...] = ("added", "removed")
CHANGES: tuple[Event, ...] = ("changed",)
MOVES: tuple[Event, ...] = ("tightened", "loosened")
ORDERED: tuple[Event, ...] = ("reordered",)


@dataclass(frozen=True, slots=True)
class Family:
    """The changes of one topic. `stem` begins their ids, unless `ids` has another for an event.

    With `worded` the last step of a part's path is a word of the rule, which texts show where it changes.
    """

    topic: str
    stem: str
    events: tuple[Event, ...]
    judge: Judge = directions.unknown
    ids: Mapping[str, str] = field(default_factory=dict)
    worded: bool = False

    def id(self, event: Event) -> str:
        return self.ids.get(event, f"{self.stem}-{'order-changed' if event == 'reordered' else event}")

    def happened(self, action: str, old: Part | None, new: Part | None) -> tuple[Event, Direction | None]:
        """What a difference is called in this family, and in which direction it goes."""
        direction = None if action == "reordered" else self.judge(old, new)
        if action == "changed":
            return direction or "changed", direction
        return action, direction  # type: ignore[return-value]


_ALL = (*COMES, *CHANGES)

FAMILIES: tuple[Family, ...] = (
    Family("rubric name", "rubric-name", CHANGES),
    Family("rubric version", "rubric-version", CHANGES),
    # ------------------------------------------------------------ inputs
    Family("input", "input", COMES),
    Family("input from", "input-origin", CHANGES),
    Family("input format", "input-format", CHANGES),
    Family("input record", "input-record", _ALL),
    Family("input schema", "input-schema", _ALL),
    Family("input default", "input-default", _ALL, directions.permission),
    Family("input when_invalid", "input-when-invalid", MOVES, directions.strictest("zero", "null")),
    Family("input list", "input-list", CHANGES),
    Family("input may_be_empty", "input-may-be-empty", MOVES, directions.strictest(False, True)),
    Family("input file", "input-file", _ALL),
    Family("input link", "input-link", _ALL),
    # ------------------------------------------------------------ constants
    Family("constant", "constant", _ALL),
    Family("constant by", "constant-by", CHANGES),
    Family("constant entry", "constant-entry", _ALL),
    Family("constant order", "constant", ORDERED),
    # ------------------------------------------------------------ records
    Family("record", "record", COMES),
    Family("record when_invalid", "record-when-invalid", MOVES, directions.strictest("malformed", "field_is_null")),
    Family("field", "field", COMES, directions.field),
    Family("field names", "field-names", CHANGES),
    Family("field type", "field-type", (*CHANGES, *MOVES), directions.field_type),
    Family(
        "field presence",
        "field-presence",
        MOVES,
        directions.field_presence,
        {"tightened": "field-became-required", "loosened": "field-became-optional"},
    ),
    Family("conversion", "conversion", _ALL),
    Family("conversion order", "conversion", ORDERED),
    Family("derived", "derived-field", _ALL),
    Family("derived order", "derived-field", ORDERED),
    Family("requirement", "requirement", _ALL, directions.restriction),
    # ------------------------------------------------------------ names
    Family("function", "function", _ALL),
    Family("parameters", "function-parameters", CHANGES),
    Family("let", "let", _ALL),
    Family("value", "value", _ALL),
    Family("step", "step", _ALL),
    Family("argument", "argument", _ALL),
    Family("column", "column", _ALL),
    Family("loop", "loop", CHANGES),
    Family("clause", "clause", _ALL),
    Family("step order", "step", ORDERED),
    Family("precondition", "precondition", COMES, directions.restriction),
    Family("precondition requirements", "precondition", (*CHANGES, *MOVES), directions.all_of),
    Family("precondition loop", "precondition-loop", _ALL),
    # ------------------------------------------------------------ metrics and scores
    Family("unmeasured", "unmeasured", _ALL),
    Family("metric", "metric", COMES),
    Family("metric value", "metric-value", CHANGES),
    Family("metric where", "metric-where", _ALL),
    Family("metric credit", "metric-credit", COMES),
    Family("credit point", "metric-credit", (*CHANGES, *MOVES), directions.credit_point),
    Family("metric if_null", "metric-if-null", _ALL),
    Family("score", "score", COMES),
    Family("score formula", "score-formula", CHANGES),
    Family("score order", "score", ORDERED, ids={"reordered": "final-score-changed"}),
    Family("weight", "metric-weight", _ALL),
    Family("cap", "cap", COMES, directions.restriction),
    Family("cap condition", "cap-condition", CHANGES),
    Family("cap limit", "cap-limit", (*CHANGES, *MOVES), directions.ceiling),
    Family("cap reason", "cap-reason", _ALL),
    # ------------------------------------------------------------ gates
    Family("gate", "gate", COMES, directions.restriction),
    Family("gate order", "gate", ORDERED),
    Family("gate stage", "gate-stage", _ALL),
    Family("gate members", "gate-members", _ALL),
    Family("gate test", "gate-test", CHANGES),
    Family("gate value", "gate-value", CHANGES),
    Family("gate limit", "gate-limit", (*CHANGES, *MOVES), directions.gate_limit, worded=True),
    Family("gate bound", "gate-bound", (*CHANGES, *MOVES), directions.gate_bound),
    Family("gate requirements", "gate-requirements", (*CHANGES, *MOVES), directions.all_of),
    Family("gate list", "gate-list", CHANGES),
    Family("gate otherwise", "gate-otherwise", (*_ALL, *MOVES), directions.replaced_score),
    Family("gate reason", "gate-reason", _ALL),
    # ------------------------------------------------------------ what is said and made besides
    Family("warning", "warning", COMES),
    Family("warning condition", "warning-condition", _ALL),
    Family("warning loop", "warning-loop", _ALL),
    Family("warning text", "warning-text", CHANGES),
    Family("artifact", "artifact", COMES),
    Family("artifact content", "artifact-content", CHANGES),
    Family("artifact format", "artifact-format", CHANGES),
    Family("artifact when", "artifact-when", CHANGES),
    Family("control", "control", COMES, directions.restriction),
    Family("control input", "control-input", _ALL),
    Family("control ceiling", "control-ceiling", MOVES, directions.plain_ceiling),
    Family("control violation", "control-violation", COMES, directions.permission),
)
BY_TOPIC: Mapping[str, Family] = {family.topic: family for family in FAMILIES}
