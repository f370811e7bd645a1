"""The lines of an explanation: each part of a report once, with its formula, its values, and below it what it needs."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import substitution
from .expressions import syntax
from .expressions.printer import show
from .reporters import human, view

MOST_DIAGNOSTICS = 5
DEEPEST_MARGIN = 24
KINDS = {"let": "value", "field": "input", "table": "constant"}
_STATES = {
    "held": "holds",
    "failed": "does not hold",
    "inconclusive": "is inconclusive",
    "unreached": "was not reached",
}
_LITERALS = (syntax.Number, syntax.Text, syntax.Boolean, syntax.Null)
_FUNCTION = re.compile(r"(\w+)\(([^)]*)\):\s*(.*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """A node of a report."""

    id: str
    kind: str
    value: Any
    formula: str
    place: str
    uses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """Something to explain: a part, how deep it stands, and for a function the calls by which it was reached."""

    id: str
    depth: int
    calls: tuple[tuple[syntax.Call, Part, frozenset[str]], ...] = ()


def part_of(node: Mapping[str, Any]) -> Part:
    """A node of a report, as the report holds it."""
    place = str(node["at"]).rpartition(":")[0]
    return Part(node["id"], node["kind"], node["value"], node["formula"], place, tuple(node["uses"]))


class Explainer:
    """Writes the lines of one explanation; each part is explained once."""

    def __init__(self, report: Mapping[str, Any], parts: Mapping[str, Part]):
        self.report = report
        self.parts = parts
        self.seen: set[str] = set()
        self.member: str | None = None

    def whole(self) -> list[str]:
        """The last score group, then the gates: in full those that did not hold."""
        scores = [part.id for part in self.parts.values() if part.kind == "score"][-1:]
        lines = self.explained(scores, None)
        for part in self.parts.values():
            if part.kind == "gate":
                failed = any(gate["held"] is not True for gate in self._gates(part))
                closed = not failed and lines and lines[-1].startswith("gate ")
                lines += (
                    self.explained([part.id], None) if failed else [*([] if closed else [""]), *self._head(part, 0)]
                )
        return lines

    def explained(self, ids: Sequence[str], member: str | None) -> list[str]:
        """Parts and all that they need, deeper and deeper; `member` is that of a gate with many."""
        self.member = member
        lines: list[str] = []
        waiting = [_Step(id, 0) for id in reversed(ids)]
        while waiting:
            step = waiting.pop()
            part = self.parts.get(step.id)
            if part is None:
                continue
            known = part.id in self.seen
            self.seen.add(part.id)
            if part.kind == "function":
                lines += self._function(part, step, known)
            elif known and step.depth:
                lines += [f"{self._head(part, step.depth)[0]}, see above"] if part.kind != "record" else []
            else:
                lines += ["", *self._full(part, step.depth)] if _opens(part, step) else self._full(part, step.depth)
            if not known or not step.depth:
                waiting += reversed(self._needs(part, step))
        return lines

    def _needs(self, part: Part, step: _Step) -> list[_Step]:
        """What stands below a part; records are only named there, for they are long."""
        if part.kind == "record" and step.depth:
            return []
        trees = [tree for line in part.formula.split("\n") if (tree := self._tree(line)) is not None]
        found = []
        for id in part.uses:
            reached = []
            if id.endswith("()") and part.kind not in ("function", "record"):
                for tree in trees:
                    hidden = substitution.lambda_names(tree)
                    reached += [(call, part, hidden) for call in substitution.calls(tree, id.removesuffix("()"))]
            found.append(_Step(id, step.depth + 1, tuple(reached)))
        return found

    # ------------------------------------------------------------ one part

    def _full(self, part: Part, depth: int) -> list[str]:
        """A part's line, its formula, and the same with the values put in."""
        lines = self._head(part, depth)
        if part.kind == "record" and depth:
            return lines
        weights = self._weights(part)
        if part.kind in ("table", "field") and "\n" not in part.formula and not self._is_derived(part):
            lines = [f"{lines[0]}: {human.clean(part.formula)}"]
        elif part.kind != "constant":
            lines += _margined(self._formula(part.formula, {} if weights else self._values(part)), depth)
        return lines + _margined([f"    {line}" for line in [*weights, *self._diagnosed(part)]], depth)

    def _head(self, part: Part, depth: int) -> list[str]:
        """`events = 0.8    metric, rules.yaml:12`; of gates and caps what they decided."""
        label = f"{KINDS.get(part.kind, part.kind)}, {part.place}"
        if part.kind == "gate":
            gates = self._gates(part)
            shown = [gate for gate in gates if self.member is None or gate["id"].endswith(f"[{self.member}]")] or gates
            lines = [f"{gate_line(gate)}    {label}" for gate in shown]
            return _margined(lines or [f"gate {part.id.removeprefix('gates.')} had no members    {label}"], depth)
        if part.kind == "cap":
            cap = {f"caps.{cap['id']}": cap for cap in self.report["caps"]}[part.id]
            return _margined([f"cap {human.clean(cap['id'])} {view.cap_reason(cap)}    {label}"], depth)
        if part.kind in ("function", "record"):
            return _margined([f"{part.id}    {label}"], depth)
        if part.kind == "constant":
            return _margined([f"{part.id} = {_cut(human.clean(part.formula))}    {label}"], depth)
        value = self.report["values"].get(part.id.removeprefix("values.")) if part.kind == "value" else part.value
        return _margined([f"{part.id} = {_shown(value)}    {label}"], depth)

    def _gates(self, part: Part) -> list[Mapping[str, Any]]:
        name = part.id.removeprefix("gates.")
        return [gate for gate in self.report["gates"] if gate["id"] == name or gate["id"].startswith(f"{name}[")]

    def _weights(self, part: Part) -> list[str]:
        """Value times weight of each metric in a weighted sum, and the sum where a cap changed it."""
        tree = substitution.parsed(part.formula.split("\n")[0]) if part.kind == "score" else None
        terms = _weighted(tree) if tree is not None else None
        if terms is None or not all(name in self.parts for _, name in terms):
            return []
        rows, contributions = [], []
        for weight, name in terms:
            value = _number(self.parts[name].value)
            contribution = None if value is None else value * weight.value
            contributions.append(contribution)
            rows.append((name, human.number(value), f"× {weight.text} = {human.number(contribution)}"))
        total = None if None in contributions else math.fsum(contributions)  # type: ignore[arg-type]
        lines = human.columns(rows)
        if total is not None and _number(part.value) is not None and not human.near(total, _number(part.value) or 0):
            lines.append(f"the sum is {human.number(total)} before the caps")
        return lines

    def _diagnosed(self, part: Part) -> list[str]:
        """What was found wrong in an input's field."""
        if part.kind not in ("field", "input"):
            return []
        name, _, field = part.id.partition(".")
        found = [
            ": ".join(human.clean(text) for text in (diagnostic["path"], diagnostic["reason"]) if text)
            for diagnostic in self.report["diagnostics"]
            if diagnostic["input"] == name and re.match(r"\w*", diagnostic["path"])[0] in (field, "")  # type: ignore[index]
        ]
        more = len(found) - MOST_DIAGNOSTICS
        return found[:MOST_DIAGNOSTICS] + ([f"and {more} more"] if more > 0 else [])

    # ------------------------------------------------------------ formulas

    def _values(self, part: Part) -> dict[str, Any]:
        """The values that may stand in a part's formula."""
        known = [self.parts[id] for id in part.uses if id in self.parts]
        values = {need.id: need.value for need in known if need.kind not in ("function", "record", "cap")}
        if part.kind == "field":
            own = f"{part.id.partition('.')[0]}."
            values |= {id.removeprefix(own): value for id, value in values.items() if id.startswith(own)}
        return values

    def _is_derived(self, part: Part) -> bool:
        """Whether a field is computed from others of its input."""
        own = part.id.partition(".")[0]
        return any(id.startswith(f"{own}.") for id in part.uses)

    def _tree(self, line: str) -> syntax.Tree | None:
        return substitution.parsed(substitution.split_label(line)[1])

    def _formula(self, formula: str, values: Mapping[str, Any]) -> list[str]:
        """Lines of a formula, each followed by the same with values where there are any."""
        lines = []
        for line in formula.split("\n"):
            label, _ = substitution.split_label(line)
            tree = self._tree(line)
            filled = substitution.with_values(tree, values) if tree is not None and values else None
            lines.append(f"    {human.clean(line)}")
            lines += [f"  {' ' * len(label)}= {human.clean(filled)}"] if filled is not None else []
        return lines

    def _function(self, part: Part, step: _Step, known: bool) -> list[str]:
        """A function's rules, with the values of the calls by which it was reached."""
        match = _FUNCTION.match(part.formula)
        signature, body = (f"{match[1]}({match[2]})", match[3]) if match else (part.id, part.formula)
        parameters = tuple(name.strip() for name in match[2].split(",")) if match else ()
        lines = (
            [] if known else [f"{signature}    function, {part.place}", *(f"    {line}" for line in _dedented(body))]
        )
        said: set[tuple[str, ...]] = set()
        for call, caller, hidden in step.calls:
            arguments = substitution.arguments_of(call, parameters, hidden)
            given = {name: substitution.valued(tree, self._values(caller)) for name, tree in arguments.items()}
            filled_in = frozenset(name for name, tree in given.items() if tree != arguments[name])
            values = {**self._values(part), **self._values(caller)}
            filled = tuple(_applied(_dedented(body), given, filled_in, values))
            if filled and filled not in said:
                lines += [
                    f"{show(call)}    see above" if known else f"  {show(call)}",
                    *(f"    {line}" for line in filled),
                ]
            said.add(filled)
        return ["", *_margined([human.clean(line) for line in lines], step.depth)] if lines else []


def _applied(
    body: Sequence[str], arguments: Mapping[str, syntax.Tree], filled_in: frozenset[str], values: Mapping[str, Any]
) -> Iterator[str]:
    """The lines of a function's body into which a value comes, with the arguments and the values put in.

    `filled_in` are the parameters whose argument had a value put in already, by what its caller knows.
    """
    literals = {name: tree for name, tree in arguments.items() if name in filled_in or isinstance(tree, _LITERALS)}
    for line in body:
        label, expression = substitution.split_label(line)
        tree = substitution.parsed(expression)
        if tree is not None:
            applied = substitution.with_arguments(tree, arguments)
            filled = substitution.with_values(applied, values)
            if filled is not None or substitution.with_arguments(tree, literals) != tree:
                yield f"{label}{filled or show(applied)}"


def _opens(part: Part, step: _Step) -> bool:
    """Whether an empty line stands before a part: those with formulas of their own."""
    return part.kind not in ("field", "input", "constant", "table") and not (part.kind == "record" and step.depth)


def _margined(lines: Sequence[str], depth: int) -> list[str]:
    margin = "  " * min(depth, DEEPEST_MARGIN)
    return [f"{margin}{line}" for line in lines]


def _dedented(body: str) -> list[str]:
    lines = body.split("\n")
    return [line.removeprefix("  ") if number else line.lstrip() for number, line in enumerate(lines)]


def _number(value: Any) -> float | None:
    """The number that a metric stands for."""
    value = value.get("value") if isinstance(value, Mapping) else value
    return value if isinstance(value, (int, float)) else None


def _shown(value: Any) -> str:
    """A value, numbers exactly; a long list by its size."""
    if substitution.is_size(value):
        return value
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, Mapping):
        return _cut(f"{{{', '.join(f'{human.clean(name)}: {_shown(member)}' for name, member in value.items())}}}")
    return human.value(value)


def _cut(text: str) -> str:
    return text if len(text) <= human.LONGEST_VALUE else f"{text[: human.LONGEST_VALUE]}..."


def _weighted(tree: syntax.Tree) -> list[tuple[syntax.Number, str]] | None:
    """The terms of `0.25 * a + 0.75 * b`; None for any other formula."""
    terms: list[tuple[syntax.Number, str]] = []
    while True:
        last = tree.right if isinstance(tree, syntax.Binary) and tree.operator == "+" else tree
        match last:
            case syntax.Binary(operator="*", left=syntax.Number() as weight, right=syntax.Name(id=name)):
                terms.append((weight, name))
            case _:
                return None
        if last is tree:
            return terms[::-1]
        tree = tree.left  # type: ignore[union-attr]


def gate_line(gate: Mapping[str, Any]) -> str:
    """What a gate decided, and why."""
    reason = view.gate_reason(gate).removeprefix("not reached: ")
    because = "" if reason in ("holds", "does not hold") else f": {reason}"
    return f"gate {human.clean(gate['id'])} {_STATES[view.gate_state(gate)]}{because}"
