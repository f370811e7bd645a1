"""Checked trees -> Python code objects, all of a rubric in one compilation.

The source that is generated holds nothing an author wrote: names are prefixed, literals are objects of the namespace.
Where inference knows the types, operators are Python's own; elsewhere they are the functions of `values`.
Every generated function takes `s`, the state of one case, in which the values of named nodes stand.
"""

import builtins
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import block_source, call_source, column_source, operator_source, runtime, syntax, values
from .inference import Function, Knowledge
from .syntax import Tree
from .types import ANY, Type

HOIST_BELOW = 20  # levels of one Python expression, far below what the Python compiler bears
PAID_APART = 1000  # nodes from which a piece of code pays for itself whenever it runs

_COSTS: Mapping[type, int] = {syntax.Items: 10, syntax.Steps: 10, syntax.Call: 2}
_PYTHON = (
    "Exception",
    "abs",
    "bool",
    "dict",
    "float",
    "int",
    "isinstance",
    "len",
    "list",
    "max",
    "min",
    "round",
    "set",
    "str",
    "type",
    "zip",
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_HELPERS: Mapping[str, Any] = {
    **{name: getattr(values, name) for name in operator_source.HELPERS},
    **{name: getattr(runtime, name) for name in (*call_source.HELPERS, *block_source.HELPERS, "need", "pay")},
    **column_source.HELPERS,
    "ceil": math.ceil,
    "floor": math.floor,
    "U": runtime.UNSET,
    "__builtins__": {name: getattr(builtins, name) for name in _PYTHON},
}


class Compiler:
    """Collects the functions of one rubric as Python source and the objects that the source needs."""

    def __init__(self, knowledge: Knowledge, reference: Callable[[str, str | None], str]):
        """`reference` gives the source of a global name, or of a field of an input."""
        self.knowledge = knowledge
        self.reference = reference
        self.definitions: list[str] = []
        self.namespace: dict[str, Any] = dict(_HELPERS)
        self.counter = 0
        self.costs: dict[str, int] = {}
        self.inlined: dict[int, Tree] = {}

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
        self.definitions.append(f"def {name}({self.state_and(parameters)}):\n    return {body}\n")
        return name

    def define_function(self, function: Function) -> None:
        self.define(function.body, function.parameters, f"f_{function.name}")

    def compiled(self) -> dict[str, Any]:
        """The namespace with every function in it."""
        namespace = dict(self.namespace)
        exec(compile("\n".join(self.definitions), "<rubric>", "exec"), namespace)
        return namespace

    def local(self, name: str) -> str:
        """The Python name of a parameter or a step."""
        if not _NAME.match(name):
            raise ValueError(f"the name '{name}' was not checked")
        return f"v_{name}"

    def state_and(self, names: Sequence[str]) -> str:
        return ", ".join(["s", *map(self.local, names)])

    # ------------------------------------------------------------ what is known

    def type_of(self, tree: Tree) -> Type:
        return self.knowledge.types.get(id(tree), ANY)

    def cost(self, tree: Tree) -> int:
        """How many nodes a tree runs through, with the functions it calls unless these pay for themselves."""
        total = 0
        for node in syntax.walk(tree):
            total += _COSTS.get(type(node), 1)
            if isinstance(node, syntax.Call) and node.module is None and node.name in self.knowledge.functions:
                total += self.function_cost(node.name)
        return total

    def function_cost(self, name: str) -> int:
        """What a function of the rubric costs those who call it."""
        if name not in self.costs:
            cost = self.cost(self.knowledge.functions[name].body)
            self.costs[name] = cost if cost < PAID_APART else 1
        return self.costs[name]

    # ------------------------------------------------------------ expressions

    def expression(self, tree: Tree, names: frozenset[str], level: int) -> str:
        """Python source of a tree in which `names` are local."""
        tree = syntax.bare(tree)
        if level >= HOIST_BELOW and syntax.children(tree):
            return self._hoisted(tree, names)
        source = _RULES[type(tree)](self, tree, names, level + 1)
        if level == 0 and (cost := self.cost(tree)) >= PAID_APART:
            return f"(pay(s, {cost}) or {source})"
        return source

    def free(self, tree: Tree, names: frozenset[str]) -> list[str]:
        """The local names that a tree uses."""
        used, waiting = set(), [tree]
        while waiting:
            for node in syntax.walk(waiting.pop()):
                if id(node) in self.inlined:
                    waiting.append(self.inlined[id(node)])
                elif isinstance(node, syntax.Name):
                    used.add(node.id)
        return sorted(used & names)

    def _hoisted(self, tree: Tree, names: frozenset[str]) -> str:
        free = self.free(tree, names)
        return f"{self.define(tree, free, self.fresh('h'))}({self.state_and(free)})"

    def _literal(self, tree, names, level) -> str:
        return self.constant(tree.value)

    def _null(self, tree, names, level) -> str:
        return "None"

    def _name(self, tree: syntax.Name, names, level) -> str:
        if id(tree) in self.inlined:
            return self.expression(self.inlined[id(tree)], names, level)
        return self.local(tree.id) if tree.id in names else self.reference(tree.id, None)

    def _items(self, tree: syntax.Items, names, level) -> str:
        return f"[{', '.join(self.expression(item, names, level) for item in tree.items)}]"

    def _lambda(self, tree: syntax.Lambda, names, level) -> str:
        parameters = ", ".join(map(self.local, tree.parameters))
        body = self.expression(tree.body, names | set(tree.parameters), level)
        return f"(lambda {parameters}: {body})"


_RULES: dict[type, Callable[[Compiler, Any, frozenset[str], int], str]] = {
    syntax.Number: Compiler._literal,
    syntax.Text: Compiler._literal,
    syntax.Boolean: Compiler._literal,
    syntax.Null: Compiler._null,
    syntax.Name: Compiler._name,
    syntax.Items: Compiler._items,
    syntax.Lambda: Compiler._lambda,
    syntax.Unary: operator_source.unary,
    syntax.Binary: operator_source.binary,
    syntax.Comparison: operator_source.comparison,
    syntax.Conditional: operator_source.conditional,
    syntax.Field: operator_source.field,
    syntax.Index: operator_source.index,
    syntax.Call: call_source.call,
    syntax.Steps: block_source.steps,
    syntax.ForEach: block_source.for_each,
    syntax.Group: block_source.group,
    syntax.InStep: block_source.in_step,
}
