"""In which direction a change goes: whether entries, gates and scores have it harder (tightened) or easier (loosened).

Each function looks at one part on both sides (None where it is on one side only) and says what is certain, else None.
"""

from collections.abc import Callable
from typing import Any, Literal

from ..expressions import syntax
from ..expressions.syntax import Tree
from ..json_text import encode
from .acceptance import WIDTH, accepts
from .parts import Part

Direction = Literal["tightened", "loosened"]
Judge = Callable[[Part | None, Part | None], Direction | None]

_LOWER, _UPPER = ("at_least", "above"), ("at_most", "below")
_STRICT = ("above", "below")
_BOUNDS = ("lower", "point", "upper")


def unknown(old: Part | None, new: Part | None) -> Direction | None:
    """Nothing is certain."""
    return None


def restriction(old: Part | None, new: Part | None) -> Direction | None:
    """Something that only ever takes away: a gate, a cap, a requirement."""
    if old is None or new is None:
        return "tightened" if old is None else "loosened"
    return None


def permission(old: Part | None, new: Part | None) -> Direction | None:
    """Something that only ever allows: a default, an exception."""
    return opposite(restriction(old, new))


def opposite(direction: Direction | None) -> Direction | None:
    return None if direction is None else "loosened" if direction == "tightened" else "tightened"


def by_size(less: Any, more: Any) -> Direction | None:
    """Tightened where what is to be reached grows. Null and what is no number has no size."""
    if not isinstance(less, (int, float, tuple)) or type(less) is not type(more) or less == more:
        return None
    return "tightened" if more > less else "loosened"


def strictest(*words: Any) -> Judge:
    """Of a plain choice, the words from the strictest to the mildest."""

    def judge(old: Part | None, new: Part | None) -> Direction | None:
        return None if old is None or new is None else by_size(-words.index(old.value), -words.index(new.value))

    return judge


def number(part: Part, tree: Tree | None) -> float | None:
    """The number that an expression is without any case: written out, or the name of a constant."""
    match syntax.bare(tree) if tree is not None else None:
        case syntax.Number(value=value):
            return float(value)
        case syntax.Unary(operator="-", operand=operand):
            inner = number(part, operand)
            return None if inner is None else -inner
        case syntax.Name(id=id):
            constant = part.context.rubric.constants.get(id)
            value = constant.value if constant is not None and constant.by is None else None
            return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    return None


# ---------------------------------------------------------------- gates and caps


def gate_limit(old: Part | None, new: Part | None) -> Direction | None:
    """A word and its limit. Of one number, `above` asks for more than `at_least`."""
    if old is None or new is None:
        return None
    (old_word, old_tree), (new_word, new_tree) = old.value, new.value
    lower = old_word in _LOWER
    if lower != (new_word in _LOWER):
        return None
    before, after = number(old, old_tree), number(new, new_tree)
    if _form(old, old_tree) == _form(new, new_tree):
        before = after = 0.0
    if before is None or after is None:
        return None
    sign = 1.0 if lower else -1.0
    return by_size((sign * before, old_word in _STRICT), (sign * after, new_word in _STRICT))


def _form(part: Part, tree: Tree | None) -> str:
    return encode(part.context.forms.of(tree))


def gate_bound(old: Part | None, new: Part | None) -> Direction | None:
    """The bound of an interval that a gate decides on; the gate's limit says which is the harder one."""
    if old is None or new is None or len({*old.value}) != 1 or len({*new.value}) != 1:
        return None
    before, after = _BOUNDS.index(old.value[0]), _BOUNDS.index(new.value[0])
    words = {word_of(old), word_of(new)}
    if words <= set(_LOWER):
        return by_size(-before, -after)
    return by_size(before, after) if words <= set(_UPPER) else None


def word_of(part: Part) -> str | None:
    """The word of the gate whose part this is."""
    path = part.path.rpartition(".")[0]
    gates = (gate for stage in part.context.rubric.stages for gate in stage.gates)
    return next((gate.word for gate in gates if path.rpartition(".")[2] == gate.name), None)


def all_of(old: Part | None, new: Part | None) -> Direction | None:
    """Conditions that must all hold: more are harder."""
    if old is None or new is None:
        return restriction(old, new)
    before = {_form(old, tree) for tree in old.value}
    after = {_form(new, tree) for tree in new.value}
    return "tightened" if before < after else "loosened" if after < before else None


def replaced_score(old: Part | None, new: Part | None) -> Direction | None:
    """What a failed gate puts in place of the score: less is harder. Against no replacement only 0 is certain."""
    before = number(old, old.value) if old is not None else None
    after = number(new, new.value) if new is not None else None
    if old is None or new is None:
        return restriction(old, new) if (before if new is None else after) == 0 else None
    return opposite(by_size(before, after))


def ceiling(old: Part | None, new: Part | None) -> Direction | None:
    """The most that a score can be: less is harder."""
    if old is None or new is None:
        return None
    return opposite(by_size(number(old, old.value), number(new, new.value)))


def plain_ceiling(old: Part | None, new: Part | None) -> Direction | None:
    """A ceiling that is plain data."""
    return None if old is None or new is None else opposite(by_size(float(old.value), float(new.value)))


# ---------------------------------------------------------------- metrics


def credit_point(old: Part | None, new: Part | None) -> Direction | None:
    """A point of a credit curve: harder where it moves towards the better values, which lie on the side of `full`."""
    if old is None or new is None:
        return None
    before, after = number(old, old.value), number(new, new.value)
    rising = {_rises(old), _rises(new)}
    if rising == {True}:
        return by_size(before, after)
    return opposite(by_size(before, after)) if rising == {False} else None


def _rises(part: Part) -> bool | None:
    """Whether more is better on the curve that a point belongs to."""
    metric = part.context.rubric.metrics[part.path.split(".")[1]]
    full, zero = number(part, metric.full), number(part, metric.zero)
    return None if full is None or zero is None or full == zero else full > zero


# ---------------------------------------------------------------- records


def field_type(old: Part | None, new: Part | None) -> Direction | None:
    """Fewer accepted values are harder."""
    if old is None or new is None:
        return None
    wider, narrower = accepts(new.value, old.value), accepts(old.value, new.value)
    return None if wider == narrower else "loosened" if wider else "tightened"


def field_presence(old: Part | None, new: Part | None) -> Direction | None:
    """A field that may be absent, or also null, is easier to give."""
    if old is None or new is None:
        return None
    return opposite(by_size(WIDTH.index(old.value), WIDTH.index(new.value)))


def field(old: Part | None, new: Part | None) -> Direction | None:
    """A field of a record can make an entry malformed, unless it accepts anything and nothing."""
    part = old if old is not None else new
    if part is None:
        return None
    takes_all = part.value.type.optional == "nothing" and any(atom.kind == "any" for atom in part.value.type.atoms)
    return None if takes_all else restriction(old, new)
