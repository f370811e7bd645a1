"""The state of one case while it runs: its inputs read by the records, its nodes filled when they are asked for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import verdict
from .expressions import builtins, syntax
from .expressions.runtime import UNSET, Frame, StepLimit, need
from .expressions.values import table_value
from .faults import InfrastructureFault
from .input_schemas import schema_fault
from .inputs import Invalid
from .places import place_of
from .plan import MetricCode, Plan, RootField, RootReader, ScoreCode
from .records import NOT_PLAIN, Fault, FieldReader, Step, plain, read_entries, read_plain, read_table, shown
from .report import Diagnostic
from .rubric import Input

STEP_LIMIT = "the work that one case may take is used up"
MAX_DIAGNOSTICS = 1000
"""Of one part of an input that are listed; of the others the number is told."""


@dataclass
class Case:
    """The state of one case while it runs: the slots of the nodes, and what is to be said besides."""

    plan: Plan
    raw: Mapping[str, Any]
    files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    slots: list[Any] = field(default_factory=list)
    invalid: set[str] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    told: dict[tuple[str, str], int] = field(default_factory=dict)
    measured: dict[str, Any] = field(default_factory=dict)
    takers: dict[str, Callable[[str, str], None]] = field(default_factory=dict)
    running: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.own = Frame(self.evaluate, self.fault)
        self.slots = [self.own, *[UNSET] * len(self.plan.slots)]
        self.apart = Frame(self.evaluate, self.fault)  # pays for what no candidate's file can make longer

    def end(self) -> None:
        """Let go of all values at once, large as they may be: a case and its frames hold each other."""
        self.slots.clear()
        self.raw = {}

    # ------------------------------------------------------------ faults

    def candidates(self, origins: frozenset[str]) -> list[str]:
        return [name for name in sorted(origins) if self.plan.rubric.inputs[name].origin == "candidate"]

    def fault(self, message: str, origins: frozenset[str]) -> None:
        """A value that cannot be used: a candidate's is null with a reason, any other stops the case."""
        blamed = self.candidates(origins)
        if not blamed:
            kind = min((self.plan.rubric.inputs[name].origin for name in origins), default="rubric")
            raise InfrastructureFault(kind, f"{self._where()}{message}")
        self.tell(blamed[0], "", f"{self._where()}{message}")

    def _where(self) -> str:
        return f"{self.plan.names[self.running[-1]]}: " if self.running else ""

    def tell(self, input: str, path: str, reason: str) -> None:
        """Name what is wrong with a part of a candidate's input, up to a number that a report can bear."""
        part = (input, path.partition("[")[0].partition(".")[0])
        self.told[part] = self.told.get(part, 0) + 1
        if self.told[part] <= MAX_DIAGNOSTICS:
            self.diagnostics.append(Diagnostic(input, path, reason))

    def all_diagnostics(self) -> tuple[Diagnostic, ...]:
        more = [
            Diagnostic(input, part, f"and {count - MAX_DIAGNOSTICS} more")
            for (input, part), count in self.told.items()
            if count > MAX_DIAGNOSTICS
        ]
        return (*self.diagnostics, *more)

    def diagnose(self, declared: Input) -> Callable[[str, str], None]:
        """Takes what is wrong with an input's parts: named in the report, or an end to the case."""
        taker = self.takers.get(declared.name)
        if taker is None:
            taker = self.takers[declared.name] = self._taker(declared)
        return taker

    def _taker(self, declared: Input) -> Callable[[str, str], None]:
        if declared.origin == "candidate":
            return lambda path, reason: self.tell(declared.name, path, reason)

        def refuse(path: str, reason: str) -> None:
            raise InfrastructureFault(declared.origin, f"{self._place(declared, path)}: {reason}")

        return refuse

    # ------------------------------------------------------------ nodes

    def evaluate(self, s: list, slot: int) -> Any:
        """The value of a node. Work past the limit of a case makes the node null, or stops the case."""
        name, frame = self.plan.names[slot], s[0]
        self.running.append(slot)
        if name in self.plan.blameless:
            s[0] = self.apart
        try:
            return _KINDS[self.plan.kinds[slot]](self, s, name)
        except (StepLimit, TypeError, AttributeError) as error:
            self._used_up(error, s[0])
            self.fault(STEP_LIMIT, self.plan.origins.get(name, frozenset()))
            return None
        finally:
            s[0] = frame
            self.running.pop()

    def value(self, name: str) -> Any:
        """The value of a node by its id."""
        slot = self.plan.slots[name]
        found = self.slots[slot]
        return found if found is not UNSET else need(self.slots, slot)

    def leaf(self, tree: syntax.Tree | None, *names: Any) -> Any:
        """The value of an expression that is no node."""
        if tree is None:
            return None
        try:
            return self.plan.leaves[id(tree)](self.slots, *names)
        except (StepLimit, TypeError, AttributeError) as error:
            self._used_up(error, self.slots[0])
            self.fault(STEP_LIMIT, frozenset(self.plan.rubric.inputs))
            return None

    def _used_up(self, error: Exception, frame: Frame) -> None:
        """Once the work of a case is used up, values are null that inference knew never to be; whatever then fails is
        a consequence. Anything else is a fault of the engine, and goes on its way.
        """
        if not isinstance(error, StepLimit) and frame.steps >= 0 and self.slots[0].steps >= 0:
            raise error

    def _let(self, s: list, name: str) -> Any:
        return self.plan.let[name](s)

    def _table(self, s: list, name: str) -> Any:
        constant, by = self.plan.tables[name]
        return table_value(constant.value, by(s))

    # ------------------------------------------------------------ inputs

    def _input(self, s: list, name: str) -> Any:
        declared, raw = self.plan.rubric.inputs[name], self.raw[name]
        if isinstance(raw, Invalid):
            self.refuse_input(declared, "", raw.reason)
            return None
        if name in self.invalid:
            return None
        reader = self.plan.rows.get(name)
        if reader is None:
            return self._as_it_comes(declared, raw)
        if isinstance(raw, list):
            if declared.format != "jsonl":
                return read_entries(s, raw, "", reader, self.diagnose(declared))
            table = read_table(s, raw, "", reader, self.diagnose(declared))
            for frame in (self.own, self.apart):
                frame.allow(len(raw))
            return table
        entry = reader.code(s, raw, "", self.diagnose(declared))
        if isinstance(entry, Fault):
            self.refuse_input(declared, "", entry.reason)
            return None
        return entry

    def _as_it_comes(self, declared: Input, raw: Any) -> Any:
        """An input that no record describes."""
        diagnose, rows = self.diagnose(declared), declared.many or declared.format == "jsonl"
        if declared.format == "folder" and not declared.many:
            listed = {member for member, source in declared.folder.items() if "jsonl" in source}
            return {member: read_plain(value, member in listed, member, diagnose) for member, value in raw.items()}
        if rows or plain(raw):
            return read_plain(raw, rows, "", diagnose)
        self.refuse_input(declared, "", NOT_PLAIN)
        return None

    def _whole(self, s: list, name: str) -> Any:
        root = self.plan.roots[name]
        if name in self.invalid:
            return None
        return {part: self.value(f"{name}.{part}") for part in (*root.fields, *root.derived)}

    def _field(self, s: list, id: str) -> Any:
        """A field of an input's own record, read where it is first asked for."""
        field = self.plan.root_fields[id]
        declared = field.input
        if declared.name in self.invalid:
            return None
        raw = self.raw[declared.name]
        if not isinstance(raw, dict):
            self._check_shape(declared, field.root)
            return None
        if field.reader is not None:
            return self._read_field(s, field, field.reader, raw)
        return field.derived(s, _Fields(self, declared.name)) if field.derived is not None else None

    def _read_field(self, s: list, field: RootField, reader: FieldReader, raw: dict[str, Any]) -> Any:
        declared, part = field.input, field.name
        entry: dict[str, Any] = {}
        reason = reader(s, raw, entry, "", self.diagnose(declared))
        if reason is not None:
            self.refuse_input(declared, part, reason)
            return None
        value = entry[part]
        if field.becomes is None or value is None:
            return value
        became = field.becomes(s, _Fields(self, declared.name, entry))
        if became is None:
            self.refuse_input(declared, part, f"{shown(value)} stands for nothing, or for several things")
        return became

    def _place(self, declared: Input, path: str) -> str:
        return place_of(declared.name, path, self.raw.get(declared.name), self.files.get(declared.name, ()))

    def refuse_input(self, declared: Input, path: str, reason: str) -> None:
        """An input that as a whole cannot be used."""
        if declared.origin != "candidate":
            raise InfrastructureFault(declared.origin, f"{self._place(declared, path)}: {reason}")
        if declared.name not in self.invalid:
            self.invalid.add(declared.name)
            self.tell(declared.name, path, reason)

    def read_whole(self, inputs: Sequence[Input]) -> None:
        """Read all of some inputs, so that whatever is wrong with them is said, asked for or not."""
        for declared in inputs:
            root = self.plan.roots.get(declared.name)
            if declared.schema is not None:
                self._check_schema(declared)
            if root is not None:
                self._check_shape(declared, root)
        for declared in inputs:
            root = self.plan.roots.get(declared.name)
            if root is None:
                self.value(declared.name)
                continue
            for part in (*root.fields, *root.derived):
                self.value(f"{declared.name}.{part}")
            for step in root.require if declared.name not in self.invalid else ():
                if not self._meets(declared, step):
                    self._withdraw(declared, f"breaks the rule '{step.name}'")

    def _meets(self, declared: Input, rule: Step) -> bool:
        try:
            return rule(self.slots, _Fields(self, declared.name)) is True
        except StepLimit:
            self.fault(STEP_LIMIT, frozenset({declared.name}))
            return False

    def _check_schema(self, declared: Input) -> None:
        raw = self.raw[declared.name]
        if not isinstance(raw, Invalid):
            reason = schema_fault(self.plan.rubric, declared, raw) if plain(raw) else NOT_PLAIN
            if reason is not None:
                self.refuse_input(declared, "", reason)

    def _check_shape(self, declared: Input, root: RootReader) -> None:
        """What can be said of an input before any of its entries is read."""
        raw = self.raw[declared.name]
        if isinstance(raw, Invalid):
            self.refuse_input(declared, "", raw.reason)
        elif not isinstance(raw, dict):
            self.refuse_input(declared, "", f"is {shown(raw)}, an object was expected")
        else:
            for reader in root.shallow:
                reason = reader(self.slots, raw, {}, "", _ignore)
                if reason is not None:
                    present = next((known for known in reader.names if known in raw), reader.names[0])
                    self.refuse_input(declared, present, reason)

    def _withdraw(self, declared: Input, reason: str) -> None:
        self.refuse_input(declared, "", reason)
        root = self.plan.roots[declared.name]
        for part in (*root.fields, *root.derived):
            self.slots[self.plan.slots[f"{declared.name}.{part}"]] = None

    # ------------------------------------------------------------ metrics and scores

    def _zeroed(self) -> bool:
        inputs = self.plan.rubric.inputs
        return bool(self.invalid) and any(inputs[name].when_invalid == "zero" for name in self.invalid)

    def _metric(self, s: list, name: str) -> Any:
        code = self.plan.metrics[name]
        if self._zeroed():
            fields = self.plan.analysis.types[name].fields
            return {field: 0 if field == "value" else None for field, _ in fields} if fields else 0
        value = self._pipeline(s, name, code)
        if code.if_null is None:
            return value
        if isinstance(value, dict) and "value" in value and value["value"] is None:
            return value | {"value": code.if_null(s)}
        return code.if_null(s) if value is None else value

    def _pipeline(self, s: list, name: str, code: MetricCode) -> Any:
        """value -> where -> credit -> mean."""
        value = code.value(s)
        if code.where is not None and isinstance(value, list):
            kept = code.where(s)
            fits = isinstance(kept, list) and len(kept) == len(value)
            value = [member for member, keep in zip(value, kept, strict=True) if keep is True] if fits else None
        if isinstance(value, bool):
            value = int(value)
        self.measured[name] = builtins.mean(value) if isinstance(value, list) else value
        if code.full is not None and code.zero is not None:
            value = self._credited(value, code.full(s), code.zero(s))
        return builtins.mean(value) if isinstance(value, list) else value

    def _credited(self, value: Any, full: Any, zero: Any) -> Any:
        if isinstance(value, list):
            return [self._credited(member, full, zero) for member in value]
        numbers = all(type(member) in (int, float) for member in (value, full, zero))
        return builtins.credit(value, full=full, zero=zero) if numbers else None

    def _score(self, s: list, name: str) -> Any:
        code = self.plan.scores[name]
        value = code.value(s) if code.value is not None else self._weighted(code)
        for cap in self.caps(code):
            if cap is not None and value is not None and type(value) in (int, float) and value > cap:
                value = cap
        return value

    def _weighted(self, code: ScoreCode) -> float | None:
        """Products are added exactly, so that the order of metrics never shows."""
        parts = [verdict.number_of(self.value(metric)) for metric, _ in code.weights]
        if any(part is None for part in parts):
            return None
        return builtins.sum_([part * weight for part, (_, weight) in zip(parts, code.weights, strict=True)])

    def caps(self, code: ScoreCode) -> list[float | None]:
        """The limit of each cap that applies, None for each that does not."""
        caps = code.score.caps
        return [verdict.number_of(self.leaf(cap.at_most)) if self.leaf(cap.when) is True else None for cap in caps]


_KINDS: dict[str, Callable[[Case, list, str], Any]] = {
    "let": Case._let,
    "table": Case._table,
    "metric": Case._metric,
    "score": Case._score,
    "input": Case._input,
    "whole": Case._whole,
    "field": Case._field,
}


def _ignore(path: str, reason: str) -> None:
    """Entries are diagnosed when they are read."""


class _Fields(dict):
    """The fields of an input's own record, each read when it is asked for."""

    def __init__(self, case: Case, name: str, known: Mapping[str, Any] | None = None):
        super().__init__(known or {})
        self.case, self.name = case, name

    def __missing__(self, part: str) -> Any:
        return self.case.value(f"{self.name}.{part}")
