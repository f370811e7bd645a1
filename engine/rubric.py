"""What a rubric is: its sections as plain data, each part with the place where it was written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from .document import Document, Node, Scalar
from .expressions.inference import Function
from .expressions.syntax import Tree

Origin = Literal["reference", "operator", "candidate"]
LIMITS = ("at_least", "at_most", "above", "below")


@dataclass(frozen=True, slots=True)
class Atom:
    """One alternative of a field's type: a kind of value, a literal, or a collection of something."""

    kind: Literal["text", "string", "boolean", "any", "number", "integer", "literal", "record", "list", "map"]
    low: float | None = None
    high: float | None = None
    low_open: bool = False
    high_open: bool = False
    pattern: str | None = None
    literal: Any = None
    name: str | None = None
    element: "FieldType | None" = None


@dataclass(frozen=True, slots=True)
class FieldType:
    """`nothing`: absent or null is fine; `absent`: absent is fine, null is a fault; `omitted`: the same, and an absent
    list or map is null, not empty; `null`: null is fine, absent is a fault; None: the field must be there.
    """

    atoms: tuple[Atom, ...]
    optional: Literal["nothing", "absent", "omitted", "null"] | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class FieldRule:
    """A field of a record; of several names, the first key present counts."""

    names: tuple[str, ...]
    type: FieldType
    key: Scalar


@dataclass(frozen=True, slots=True)
class Record:
    name: str
    key: Scalar
    fields: tuple[FieldRule, ...]
    becomes: Mapping[str, Tree]
    derived: Mapping[str, Tree]
    require: Mapping[str, Tree]
    keys: Mapping[str, Scalar]
    when_invalid: Literal["malformed", "field_is_null"] = "malformed"

    @property
    def field_names(self) -> tuple[str, ...]:
        return tuple(name for rule in self.fields for name in rule.names)


@dataclass(frozen=True, slots=True)
class Link:
    """A field of an input that is a path: the fields that lead to it, `*` for every entry of a map."""

    path: tuple[str, ...]
    key: Scalar
    format: str
    may_be_missing: bool = False


@dataclass(frozen=True, slots=True)
class Input:
    name: str
    key: Scalar
    origin: Origin
    format: str
    record: str | None = None
    schema: str | None = None
    when_invalid: Literal["null", "zero"] = "null"
    default: Any = None
    has_default: bool = False
    many: bool = False
    may_be_empty: bool = False
    folder: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    links: Mapping[str, Link] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Constant:
    """`value` is plain data; with `by`, a table looked up by the value of that name."""

    name: str
    key: Scalar
    value: Any
    node: Node
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """A name and the expression or block that says what it is."""

    name: str
    key: Scalar
    tree: Tree


@dataclass(frozen=True, slots=True)
class FunctionDefinition:
    key: Scalar
    function: Function


@dataclass(frozen=True, slots=True)
class Precondition:
    name: str
    key: Scalar
    requirements: tuple[Tree, ...]
    each: tuple[tuple[str, Tree], ...] = ()


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    key: Scalar
    value: Tree
    where: Tree | None = None
    full: Tree | None = None
    zero: Tree | None = None
    if_null: Tree | None = None


@dataclass(frozen=True, slots=True)
class Cap:
    name: str
    key: Scalar
    when: Tree
    at_most: Tree
    because: str | None = None


@dataclass(frozen=True, slots=True)
class Weight:
    metric: str
    value: Decimal
    text: str
    key: Scalar
    node: Scalar


@dataclass(frozen=True, slots=True)
class Score:
    name: str
    key: Scalar
    weights: tuple[Weight, ...] = ()
    value: Tree | None = None
    caps: tuple[Cap, ...] = ()


@dataclass(frozen=True, slots=True)
class Gate:
    """Holds on a value against a limit, on requirements, or on a list that must be empty."""

    name: str
    key: Scalar
    each: Tree | None = None
    value: Tree | None = None
    word: str | None = None
    limit: Tree | None = None
    requirements: tuple[Tree, ...] = ()
    none: Tree | None = None
    otherwise: Tree | None = None
    decide_on: tuple[str, ...] = ("point",)
    because: str | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """Gates that are entered together, once every gate before them held; those without a stage's name always are."""

    name: str | None
    gates: tuple[Gate, ...]


@dataclass(frozen=True, slots=True)
class Warning:
    name: str
    key: Scalar
    say: str
    when: Tree | None = None
    each: tuple[tuple[str, Tree], ...] = ()


@dataclass(frozen=True, slots=True)
class Artifact:
    name: str
    key: Scalar
    content: Tree
    when_passed: bool = False
    format: str = "json"


@dataclass(frozen=True, slots=True)
class Example:
    """A small case with the numbers it must give. `inputs` are paths beside the rubric, or values."""

    name: str
    key: Scalar
    inputs: Mapping[str, Any]
    expected: Mapping[str, Any]
    about: str | None = None
    tolerance: float = 1e-9


@dataclass(frozen=True, slots=True)
class Control:
    """An adversarial entry made from a case's own reference material, and the score it must not exceed."""

    name: str
    key: Scalar
    inputs: Mapping[str, Tree]
    at_most: float
    about: str | None = None
    known_violation: str | None = None


@dataclass(frozen=True)
class Rubric:
    """A rubric as written. `score` groups are in file order; the last one is the score."""

    document: Document
    name: str
    version: str
    title: str | None
    about: str | None
    status: str | None
    references: tuple[str, ...]
    errata: tuple[Mapping[str, Any], ...]
    inputs: Mapping[str, Input]
    constants: Mapping[str, Constant]
    records: Mapping[str, Record]
    functions: Mapping[str, FunctionDefinition]
    preconditions: Mapping[str, Precondition]
    let: Mapping[str, Definition]
    metrics: Mapping[str, Metric]
    score: Mapping[str, Score]
    stages: tuple[Stage, ...]
    warnings: Mapping[str, Warning]
    values: Mapping[str, Definition]
    artifacts: Mapping[str, Artifact]
    examples: Mapping[str, Example]
    controls: Mapping[str, Control]
    unmeasured: Tree | None

    @property
    def id(self) -> str:
        return f"{self.name}-{self.version}"

    @property
    def gates(self) -> tuple[Gate, ...]:
        return tuple(gate for stage in self.stages for gate in stage.gates)

    @property
    def caps(self) -> tuple[tuple[Score, Cap], ...]:
        return tuple((score, cap) for score in self.score.values() for cap in score.caps)
