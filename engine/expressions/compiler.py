"""Checked trees -> Python code objects, all of a rubric in one compilation.

The source that is generated holds nothing an author wrote: names are prefixed, literals are objects of the namespace.
Where inference knows the types, operators are Python's own; elsewhere they are the functions of `values`.
Every generated function takes `s`, the state of one case, in which the values of named nodes stand.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import syntax, values
from .builtins import BUILTINS
from .inference import Function, Knowledge, pair_arguments
from .runtime import call_guarded, function_value, guarded, loop, need, spend, UNSET
from .signatures import Parameter, Signature
from .syntax import Tree
from .types import ANY, Type

HOIST_BELOW = 20  # levels of one Python expression, far below what the Python compiler bears

_OPERATORS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power", "..": "count_up"}
_COMPARISONS = {"<": "less", "<=": "at_most", ">": "more", ">=": "at_least"}
_HELPERS: Mapping[str, Any] = {
    name: getattr(values, name)
    for name in (
        *_OPERATORS.values(),
        *_COMPARISONS.values(),
        "negate",
        "equal",
        "contains",
        "both",
        "either",
        "opposite",
        "field",
        "index",
        "table_value",
    )
}


class Compiler:
    """Collects the functions of one rubric as Python source and the objects that the source needs."""

    def __init__(self, knowledge: Knowledge, reference: Callable[[str, str | None], str]):
        """`reference` gives the source of a global name, or of a field of an input."""
        self.knowledge = knowledge
        self.reference = reference
        self.definitions: list[str] = []
        self.namespace: dict[str, Any] = {
            **_HELPERS,
            "need": need,
            "spend": spend,
            "loop": loop,
            "function_value": function_value,
            "U": UNSET,
        }
        self.counter = 0
        self.costs: dict[str, int] = {}

    # ------------------------------------------------------------ the frame

    def fresh(self, prefix: str) -> str:
        self.counter += 1
        return f"{prefix}_{self.counter}"

    def constant(self, value: Any) -> str:
        """The name under which an object stands in the namespace."""
        name = self.fresh("k")
        self.namespace[name] = value
        return name

    def define(self, tree: Tree, parameters: Sequence[str], name: str | None = None) -> str:
        """A Python function `name(s, ...)` that gives the value of a tree."""
        name = name or self.fresh("n")
        body = self.expression(tree, frozenset(parameters), 0)
        arguments = ", ".join(["s", *(f"v_{parameter}" for parameter in parameters)])
        self.definitions.append(f"def {name}({arguments}):\n    return {body}\n")
        return name

    def define_function(self, function: Function) -> None:
        self.define(function.body, function.parameters, f"f_{function.name}")

    def compiled(self) -> dict[str, Any]:
        """The namespace with every function in it."""
        namespace = dict(self.namespace)
        exec(compile("\n".join(self.definitions), "<rubric>", "exec"), namespace)
        return namespace

    # ------------------------------------------------------------ what is known

    def type_of(self, tree: Tree) -> Type:
        return self.knowledge.types.get(id(tree), ANY)

    def _is(self, tree: Tree, kind: str) -> bool:
        type_ = self.type_of(tree)
        return type_.kind == kind and not type_.nullable

    def cost(self, tree: Tree) -> int:
        """How many nodes a tree runs through, called functions included, loops over data counted once."""
        total = 0
        for node in syntax.walk(tree):
            total += 1
            if isinstance(node, syntax.Call) and node.module is None and node.name in self.knowledge.functions:
                if node.name not in self.costs:
                    self.costs[node.name] = self.cost(self.knowledge.functions[node.name].body)
                total += self.costs[node.name]
        return total

    # ------------------------------------------------------------ expressions

    def expression(self, tree: Tree, names: frozenset[str], level: int) -> str:
        """Python source of a tree in which `names` are local."""
        tree = syntax.bare(tree)
        if level >= HOIST_BELOW and syntax.children(tree):
            return self._hoisted(tree, names)
        return _RULES[type(tree)](self, tree, names, level + 1)

    def _free(self, tree: Tree, names: frozenset[str]) -> list[str]:
        used = {node.id for node in syntax.walk(tree) if isinstance(node, syntax.Name)}
        return sorted(used & names)

    def _hoisted(self, tree: Tree, names: frozenset[str]) -> str:
        free = self._free(tree, names)
        name = self.define(tree, free, self.fresh("h"))
        return f"{name}({', '.join(['s', *(f'v_{parameter}' for parameter in free)])})"

    def _literal(self, tree, names, level) -> str:
        return self.constant(tree.value)

    def _null(self, tree, names, level) -> str:
        return "None"

    def _name(self, tree: syntax.Name, names, level) -> str:
        return f"v_{tree.id}" if tree.id in names else self.reference(tree.id, None)

    def _items(self, tree: syntax.Items, names, level) -> str:
        return f"[{', '.join(self.expression(item, names, level) for item in tree.items)}]"

    def _unary(self, tree: syntax.Unary, names, level) -> str:
        operand = self.expression(tree.operand, names, level)
        if tree.operator == "not":
            return f"(not {operand})" if self._is(tree.operand, "boolean") else f"opposite({operand})"
        return f"(-{operand})" if self._is(tree.operand, "number") else f"negate({operand})"

    def _binary(self, tree: syntax.Binary, names, level) -> str:
        left, right = self.expression(tree.left, names, level), self.expression(tree.right, names, level)
        if tree.operator in _OPERATORS:
            return f"{_OPERATORS[tree.operator]}({left}, {right})"
        held = self.fresh("t")
        if tree.operator == "??":
            return f"({held} if ({held} := {left}) is not None else {right})"
        if self._is(tree.left, "boolean") and self._is(tree.right, "boolean"):
            return f"({left} {tree.operator} {right})"
        if tree.operator == "and":
            return f"(False if ({held} := {left}) is False else both({held}, {right}))"
        return f"(True if ({held} := {left}) is True else either({held}, {right}))"

    def _comparison(self, tree: syntax.Comparison, names, level) -> str:
        left_tree, left = tree.first, self.expression(tree.first, names, level)
        links = []
        for position, (operator, right_tree) in enumerate(tree.rest):
            right = self.expression(right_tree, names, level)
            if position < len(tree.rest) - 1:
                held = self.fresh("t")
                links.append(self._link(operator, left_tree, left, right_tree, f"({held} := {right})"))
                left = held
            else:
                links.append(self._link(operator, left_tree, left, right_tree, right))
            left_tree = right_tree
        joined = links[0]
        for link in links[1:]:
            joined = f"both({joined}, {link})"
        return joined

    def _link(self, operator: str, left_tree: Tree, left: str, right_tree: Tree, right: str) -> str:
        kinds = (self.type_of(left_tree).kind, self.type_of(right_tree).kind)
        if operator in ("==", "!="):
            if kinds in (("number", "number"), ("text", "text"), ("boolean", "boolean")):
                return f"({left} {operator} {right})"
            return f"equal({left}, {right})" if operator == "==" else f"(not equal({left}, {right}))"
        if operator in ("in", "not in"):
            found = f"contains({left}, {right})"
            return found if operator == "in" else f"opposite({found})"
        numbers = self._is(left_tree, "number") and self._is(right_tree, "number")
        if numbers:
            return f"({left} {operator} {right})"
        return f"{_COMPARISONS[operator]}({left}, {right})"

    def _conditional(self, tree: syntax.Conditional, names, level) -> str:
        test = self.expression(tree.test, names, level)
        then, otherwise = self.expression(tree.then, names, level), self.expression(tree.otherwise, names, level)
        test = test if self._is(tree.test, "boolean") else f"({test}) is True"
        return f"({then} if {test} else {otherwise})"

    def _field(self, tree: syntax.Field, names, level) -> str:
        of = syntax.bare(tree.of)
        if isinstance(of, syntax.Name) and of.id not in names:
            source = self.reference(of.id, tree.name)
            if source:
                return source
        inner = self.expression(of, names, level)
        name = self.constant(tree.name)
        return f"{inner}.get({name})" if self._is(of, "record") else f"field({inner}, {name})"

    def _index(self, tree: syntax.Index, names, level) -> str:
        of, key = self.expression(tree.of, names, level), self.expression(tree.key, names, level)
        return f"index({of}, {key})"

    def _lambda(self, tree: syntax.Lambda, names, level) -> str:
        parameters = ", ".join(f"v_{name}" for name in tree.parameters)
        body = self.expression(tree.body, names | set(tree.parameters), level)
        return f"(lambda {parameters}: {body})"

    # ------------------------------------------------------------ calls

    def _call(self, tree: syntax.Call, names, level) -> str:
        function = self.knowledge.functions.get(tree.name) if tree.module is None else None
        if function is not None:
            return self._rubric_call(tree, function, names, level)
        signature = self.knowledge.signature(tree)
        pairs = pair_arguments(tree, signature) if signature is not None else ""
        if signature is None or isinstance(pairs, str):
            raise ValueError(f"{tree.label} was not checked")
        return self._signature_call(tree, signature, pairs, names, level)

    def _rubric_call(self, tree: syntax.Call, function: Function, names, level) -> str:
        given = dict(zip(function.parameters, tree.positional, strict=False)) | dict(tree.named)
        arguments = [self._argument(given[name], names, level) for name in function.parameters]
        return f"f_{function.name}({', '.join(['s', *arguments])})"

    def _argument(self, tree: Tree, names, level) -> str:
        bare = syntax.bare(tree)
        handed_on = isinstance(bare, syntax.Name) and bare.id not in names and id(bare) not in self.knowledge.types
        if handed_on and bare.id in self.knowledge.functions:
            return f"function_value(s, f_{bare.id})"
        return self.expression(tree, names, level)

    def _signature_call(self, tree, signature: Signature, pairs: list[tuple[Parameter, Tree]], names, level) -> str:
        builtin = tree.module is None and tree.name in BUILTINS
        looping = self._looped(pairs)
        arguments = []
        for parameter, argument in pairs:
            source = _ROLES[parameter.role](self, parameter, argument, names, level)
            if looping and argument is looping[0]:
                source = f"spend(s, {source}, {looping[1]})"
            arguments.append(source)
        arguments = self._in_order(signature, pairs, arguments)
        if builtin and all(self._certain(parameter, argument) for parameter, argument in pairs):
            return f"{self._function_name(signature)}({', '.join(arguments)})"
        if builtin:
            guard = self.constant(guarded(signature, [parameter for parameter, _ in pairs]))
            return f"{guard}({', '.join(arguments)})"
        blames = self.knowledge.blames.get(id(tree), {})
        guard = self.constant(call_guarded(signature, [parameter for parameter, _ in pairs], blames))
        return f"{guard}({', '.join(['s', *arguments])})"

    def _function_name(self, signature: Signature) -> str:
        name = f"b_{signature.label}"
        self.namespace[name] = signature.function
        return name

    def _in_order(self, signature: Signature, pairs, arguments: list[str]) -> list[str]:
        """Arguments as Python wants them: those in their parameter's place without its name, all later ones with it."""
        ordered: list[str] = []
        positional = [parameter for parameter in signature.parameters if not parameter.keyword_only]
        named = False
        for number, ((parameter, _), source) in enumerate(zip(pairs, arguments, strict=True)):
            in_place = parameter.variadic or (number < len(positional) and positional[number] is parameter)
            named = named or not in_place
            ordered.append(f"{parameter.name}={source}" if named else source)
        return ordered

    def _looped(self, pairs) -> tuple[Tree, int] | None:
        """The list that a call goes through with a function, and what one round costs."""
        costs = [self._round_cost(argument) for parameter, argument in pairs if parameter.role == "function"]
        lists = [argument for parameter, argument in pairs if parameter.role == "value"]
        return (lists[0], max(costs)) if costs and lists else None

    def _round_cost(self, argument: Tree) -> int:
        bare = syntax.bare(argument)
        if isinstance(bare, syntax.Name) and bare.id in self.knowledge.functions:
            return self.cost(self.knowledge.functions[bare.id].body)
        return self.cost(bare)

    def _certain(self, parameter: Parameter, argument: Tree) -> bool:
        """Whether an argument needs no look at run time: it has the right kind, and null only where that is expected."""
        if parameter.role != "value":
            return True
        type_ = self.type_of(argument)
        return type_.kind != "any" and not type_.nullable

    def _value_argument(self, parameter, argument, names, level) -> str:
        return self.expression(argument, names, level)

    def _field_argument(self, parameter, argument, names, level) -> str:
        bare = syntax.bare(argument)
        if parameter.role == "fields":
            return self.constant(tuple(syntax.bare(item).id for item in bare.items))
        return self.constant(bare.id)

    def _word_argument(self, parameter, argument, names, level) -> str:
        bare = syntax.bare(argument)
        return self.constant(bare.id if isinstance(bare, syntax.Name) else bare.value)

    def _function_argument(self, parameter, argument, names, level) -> str:
        return self._argument(argument, names, level)

    # ------------------------------------------------------------ blocks

    def _block(self, tree: Tree, names, lines: list[str]) -> str:
        free = self._free(tree, names)
        name = self.fresh("b")
        arguments = ", ".join(["s", *(f"v_{parameter}" for parameter in free)])
        self.definitions.append(f"def {name}({arguments}):\n" + "\n".join(f"    {line}" for line in lines) + "\n")
        return f"{name}({arguments})"

    def _assignments(self, steps: syntax.Steps, names: frozenset[str], indent: str) -> tuple[list[str], frozenset[str]]:
        lines = []
        for name, value in steps.members:
            lines.append(f"{indent}v_{name} = {self._argument(value, names, 0)}")
            names = names | {name}
        return lines, names

    def _record_source(self, members: Sequence[str]) -> str:
        return "{" + ", ".join(f"{name!r}: v_{name}" for name in members) + "}"

    def _steps(self, tree: syntax.Steps, names, level) -> str:
        lines, inner = self._assignments(tree, names, "")
        if tree.result is not None:
            lines.append(f"return {self.expression(tree.result, inner, 0)}")
        else:
            lines.append(f"return {self._record_source([name for name, _ in tree.members])}")
        return self._block(tree, names, lines)

    def _for_each(self, tree: syntax.ForEach, names, level) -> str:
        cost = self.cost(tree.columns) + 1
        keyed = tree.key is not None
        lines, indent, inner = [f"out = {'{}' if keyed else '[]'}"], "", names
        for name, value in tree.names:
            of = self.expression(value, inner, 0)
            lines.append(f"{indent}for v_{name} in loop(s, {of}, {cost}):")
            indent, inner = indent + "    ", inner | {name}
        assignments, inner = self._assignments(tree.columns, inner, indent)
        lines += assignments
        if tree.where is not None:
            lines.append(f"{indent}if ({self.expression(tree.where, inner, 0)}) is not True: continue")
        if tree.value is not None:
            row = self.expression(tree.value, inner, 0)
        else:
            row = self._record_source([name for name, _ in tree.names] + [name for name, _ in tree.columns.members])
        if keyed:
            key = self.fresh("t")
            lines.append(f"{indent}if isinstance({key} := {self.expression(tree.key, inner, 0)}, str): out[{key}] = {row}")
        else:
            lines.append(f"{indent}out.append({row})")
        return self._block(tree, names, [*lines, "return out"])

    def _group(self, tree: syntax.Group, names, level) -> str:
        by, groups = self.constant(tree.by), self.constant(_groups)
        fields = [name for name, _ in self._row_fields(tree)]
        inner = names | set(fields)
        lines = ["out = []", f"for key, rows in {groups}(s, {self.expression(tree.of, names, 0)}, {by}):"]
        used = {node.id for node in syntax.walk(tree.columns) if isinstance(node, syntax.Name)}
        lines += [f"    v_{name} = field(rows, {name!r})" for name in fields if name in used]
        assignments, _ = self._assignments(tree.columns, inner, "    ")
        members = ", ".join(f"{name!r}: v_{name}" for name, _ in tree.columns.members)
        lines += [*assignments, "    out.append({**key, " + members + "})", "return out"]
        return self._block(tree, names, lines)

    def _row_fields(self, tree: syntax.Group) -> tuple[tuple[str, Type], ...]:
        of = self.type_of(tree.of if not isinstance(tree.of, syntax.Placed) else syntax.bare(tree.of))
        return of.element.fields if of.element is not None else ()


def _groups(s: list, rows: Any, by: tuple[str, ...]) -> list[tuple[dict, list]]:
    """Rows by equal fields, in order of first appearance."""
    from .builtins import canonical

    found: dict[Any, tuple[dict, list]] = {}
    for row in loop(s, rows, 1):
        key = {name: values.field(row, name) for name in by}
        found.setdefault(canonical(list(key.values())), (key, []))[1].append(row)
    return list(found.values())


_ROLES = {
    "value": Compiler._value_argument,
    "field": Compiler._field_argument,
    "fields": Compiler._field_argument,
    "word": Compiler._word_argument,
    "function": Compiler._function_argument,
}
_RULES: dict[type, Callable[[Compiler, Any, frozenset[str], int], str]] = {
    syntax.Number: Compiler._literal,
    syntax.Text: Compiler._literal,
    syntax.Boolean: Compiler._literal,
    syntax.Null: Compiler._null,
    syntax.Name: Compiler._name,
    syntax.Items: Compiler._items,
    syntax.Unary: Compiler._unary,
    syntax.Binary: Compiler._binary,
    syntax.Comparison: Compiler._comparison,
    syntax.Conditional: Compiler._conditional,
    syntax.Field: Compiler._field,
    syntax.Index: Compiler._index,
    syntax.Call: Compiler._call,
    syntax.Lambda: Compiler._lambda,
    syntax.Steps: Compiler._steps,
    syntax.ForEach: Compiler._for_each,
    syntax.Group: Compiler._group,
}
