"""Records -> Python source: what most entries look like is checked in line, everything else by the field's reader.

The generated function and the readers mean the same; the source only spares the calls where a plain text or number
stands where one is expected.
"""

from collections.abc import Mapping
from typing import Any

from .expressions.column_source import derived_columns
from .expressions.compiler import Compiler
from .expressions.syntax import Tree
from .expressions.values import EXACT_INTEGER
from .records import Fault, FieldReader, shown
from .rubric import Atom, FieldRule, Record
from .tables.fields import column_fields
from .tables.reading import ByColumn


def define_record(compiler: Compiler, record: Record, readers: Mapping[tuple[str, ...], FieldReader]) -> str:
    """A function `name(s, raw, path, diagnose)` that gives the entry or the fault that makes it malformed."""
    if column_fields(record) is not None:
        derived_columns(compiler, f"d_{record.name}", record.field_names, record.derived)
    return _RecordCode(compiler, record, readers).define()


def by_column(record: Record, namespace: Mapping[str, Any]) -> ByColumn | None:
    """How the rows of a record are read by column, from the code of the rubric; None where they cannot be."""
    fields, derive = column_fields(record), namespace.get(f"d_{record.name}")
    return ByColumn(fields, derive) if fields is not None and derive is not None else None


class _RecordCode:
    def __init__(self, compiler: Compiler, record: Record, readers: Mapping[tuple[str, ...], FieldReader]):
        self.compiler = compiler
        self.record = record
        self.readers = readers
        self.names: list[str] = []
        compiler.namespace.setdefault("Fault", Fault)
        compiler.namespace.setdefault("not_an_object", _not_an_object)
        compiler.namespace.setdefault("stands_for_nothing", _stands_for_nothing)

    def define(self) -> str:
        name = f"r_{self.record.name}"
        lines = ["if type(raw) is not dict: return not_an_object(raw)"]
        for rule in self.record.fields:
            lines += self._field(rule)
            self.names += rule.names
        for field, tree in self.record.becomes.items():
            lines += self._becomes(field, tree)
        for field, tree in self.record.derived.items():
            lines.append(f"v_{field} = {self._expression(tree)}")
            self.names.append(field)
        for rule, tree in self.record.require.items():
            fault = self.compiler.constant(Fault(f"breaks the rule '{rule}'"))
            lines.append(f"if ({self._expression(tree)}) is not True: return {fault}")
        members = ", ".join(f"{member!r}: v_{member}" for member in self.names)
        lines.append("return {" + members + "}")
        body = "\n".join(f"    {line}" for line in lines)
        self.compiler.definitions.append(f"def {name}(s, raw, path, diagnose):\n{body}\n")
        return name

    def _expression(self, tree: Tree) -> str:
        return self.compiler.expression(tree, frozenset(self.names), 0)

    def _field(self, rule: FieldRule) -> list[str]:
        reader = self.compiler.constant(self.readers[rule.names])
        slow = ["e = {}", f"f = {reader}(s, raw, e, path, diagnose)", "if f is not None: " + self._fault(rule.names[0])]
        slow += [f"v_{name} = e[{name!r}]" for name in rule.names]
        quick = _quick(rule.type.atoms) if rule.type.optional != "absent" else None
        if quick is None:
            return slow
        lines = []
        for position, name in enumerate(rule.names):
            before = [f"{other!r} not in raw and " for other in rule.names[:position]]
            others = "".join(f"; v_{other} = None" for other in rule.names if other != name)
            test = "".join(before) + quick.format(value=f"(v := raw.get({name!r}))")
            lines.append(f"{'elif' if position else 'if'} {test}: v_{name} = v{others}")
        if rule.type.optional in ("nothing", "null") and len(rule.names) == 1:
            given = f" and {rule.names[0]!r} in raw" if rule.type.optional == "null" else ""
            lines.append(f"elif v is None{given}: v_{rule.names[0]} = None")
        return [*lines, "else:", *(f"    {line}" for line in slow)]

    def _fault(self, name: str) -> str:
        null = self.record.when_invalid == "field_is_null"
        return f"diagnose(path, f, {name!r})" if null else "return Fault(f)"

    def _becomes(self, field: str, tree: Tree) -> list[str]:
        return [
            f"if v_{field} is not None:",
            f"    was, v_{field} = v_{field}, {self._expression(tree)}",
            f"    if v_{field} is None: return stands_for_nothing({field!r}, was)",
        ]


def _quick(atoms: tuple[Atom, ...]) -> str | None:
    """A test in Python for the plain case of a type, which never accepts what the reader would refuse."""
    if all(isinstance(atom.literal, str) for atom in atoms):
        return f"type({{value}}) is str and v in {tuple(atom.literal for atom in atoms)!r}"
    if len(atoms) != 1:
        return None
    atom = atoms[0]
    match atom.kind:
        case "text" if atom.pattern is None:
            return "type({value}) is str and v.strip()"
        case "string" | "any":
            return "type({value}) is str"
        case "boolean":
            return "type({value}) is bool"
        case "number" | "integer":
            is_one = "type({value}) is int" if atom.kind == "integer" else "((t := type({value})) is int or t is float)"
            low = -EXACT_INTEGER if atom.low is None else max(atom.low, -EXACT_INTEGER)
            high = EXACT_INTEGER if atom.high is None else min(atom.high, EXACT_INTEGER)
            lower, upper = ("<" if atom.low_open else "<="), ("<" if atom.high_open else "<=")
            return f"{is_one} and {low} {lower} v {upper} {high}"
        case _:
            return None


def _not_an_object(raw: Any) -> Fault:
    return Fault(f"is {shown(raw)}, an object was expected")


def _stands_for_nothing(field: str, was: Any) -> Fault:
    return Fault(f"'{field}' {shown(was)} stands for nothing, or for several things")
