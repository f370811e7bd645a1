"""A slow, direct interpreter of syntax trees: what the language reference says, once more and in the plainest way.

It shares no code with the engine but the syntax tree. Values are plain: None, booleans, numbers, texts, lists, dicts.
"""

import math
from fractions import Fraction
from typing import Any

from rubric.engine.expressions import syntax

LARGEST_INTEGER = 2**53
LONGEST = 10_000_000


def evaluate(tree: syntax.Tree, names: dict[str, Any], functions: dict[str, tuple] | None = None) -> Any:
    """The value of a tree; `functions` gives for each function of the rubric its parameters and its body."""
    return _Evaluator(functions or {}).value(tree, names)


class _Evaluator:
    def __init__(self, functions):
        self.functions = functions

    def value(self, tree, names):
        match tree:
            case syntax.Number(value=value) | syntax.Text(value=value) | syntax.Boolean(value=value):
                return value
            case syntax.Null():
                return None
            case syntax.Name(id=id):
                return names[id] if id in names else self.function(id)
            case syntax.Items(items=items):
                return [self.value(item, names) for item in items]
            case syntax.Unary(operator=operator, operand=operand):
                return {"-": minus, "not": negation}[operator](self.value(operand, names))
            case syntax.Binary(operator="??", left=left, right=right):
                value = self.value(left, names)
                return self.value(right, names) if value is None else value
            case syntax.Binary(operator=operator, left=left, right=right):
                return BINARY[operator](self.value(left, names), self.value(right, names))
            case syntax.Comparison(first=first, rest=rest):
                return self.chain(self.value(first, names), [(o, self.value(t, names)) for o, t in rest])
            case syntax.Conditional(test=test, then=then, otherwise=otherwise):
                return self.value(then if self.value(test, names) is True else otherwise, names)
            case syntax.Field(of=of, name=name):
                return field(self.value(of, names), name)
            case syntax.Index(of=of, key=key):
                return member(self.value(of, names), self.value(key, names))
            case syntax.Call():
                return self.call(tree, names)
            case syntax.Lambda(parameters=parameters, body=body):
                return lambda *given: self.value(body, {**names, **dict(zip(parameters, given, strict=True))})
            case syntax.Placed(body=body):
                return self.value(body, names)
        return self.block(tree, names)

    def function(self, name):
        parameters, body = self.functions[name]
        return lambda *given: self.value(body, dict(zip(parameters, given, strict=True)))

    def chain(self, left, rest):
        answer = True
        for position, (operator, right) in enumerate(rest):
            link = COMPARISON[operator](left, right)
            answer = link if position == 0 else conjunction(answer, link)
            left = right
        return answer

    def call(self, tree, names):
        positional = [self.value(argument, names) for argument in tree.positional]
        named = {name: self.value(argument, names) for name, argument in tree.named}
        if tree.name in self.functions:
            parameters, body = self.functions[tree.name]
            return self.value(body, {**dict(zip(parameters, positional, strict=False)), **named})
        return BUILTINS[tree.name](*positional, **named)

    # ------------------------------------------------------------ blocks

    def block(self, tree, names):
        match tree:
            case syntax.Steps():
                return self.steps(tree, names)
            case syntax.ForEach():
                return self.for_each(tree, names)
            case syntax.Group():
                return self.group(tree, names)
        raise TypeError(tree)

    def steps(self, tree, names):
        record = {}
        for name, part in tree.members:
            record[name] = self.value(part, {**names, **record})
        return record if tree.result is None else self.value(tree.result, {**names, **record})

    def for_each(self, tree, names):
        rows = self.combinations(tree.names, names)
        if rows is None:
            return None
        made = []
        for row in rows:
            row = {**row, **self.steps(tree.columns, {**names, **row})}
            if tree.where is not None and self.value(tree.where, {**names, **row}) is not True:
                continue
            key = None if tree.key is None else self.value(tree.key, {**names, **row})
            made.append((key, row if tree.value is None else self.value(tree.value, {**names, **row})))
        if tree.key is None:
            return [row for _, row in made]
        return {key: row for key, row in made if isinstance(key, str)}

    def combinations(self, lists, names):
        if not lists:
            return [{}]
        (name, part), rest = lists[0], lists[1:]
        of, rows = self.value(part, names), []
        if not isinstance(of, list):
            return None
        for one in of:
            inner = self.combinations(rest, {**names, name: one})
            if inner is None:
                return None
            rows += [{name: one, **row} for row in inner]
        return rows

    def group(self, tree, names):
        rows, groups = self.value(tree.of, names), []
        if not isinstance(rows, list):
            return None
        for row in rows:
            key = {name: field(row, name) for name in tree.by}
            for known, members in groups:
                if same(known, key):
                    members.append(row)
                    break
            else:
                groups.append((key, [row]))
        fields = sorted({name for row in rows for name in row})
        return [
            {**key, **self.steps(tree.columns, {**names, **{name: field(members, name) for name in fields}})}
            for key, members in groups
        ]


# ---------------------------------------------------------------- numbers


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def finished(value):
    """Null for what no 64-bit float can hold; integers past 2^53 become floats."""
    if isinstance(value, int) and abs(value) > LARGEST_INTEGER:
        value = float(value) if abs(value) < 2**1024 else math.inf
    return None if isinstance(value, float) and not math.isfinite(value) else value


def power_of(a, b):
    if (a == 0 and b < 0) or (a < 0 and b != math.floor(b)):
        return None
    try:
        if b == math.floor(b) and abs(b) <= 64:
            exact = Fraction(a) ** int(b)
            whole = isinstance(a, int) and isinstance(b, int) and b >= 0
            return finished(int(exact)) if whole else float(exact)
        return math.sqrt(a) if b == 0.5 else finished(math.pow(a, b))
    except OverflowError:
        return None


def arithmetic(single):
    """Over numbers; over a list and a number, or two lists of one length, member by member."""

    def numbers_only(a, b):
        return single(a, b) if is_number(a) and is_number(b) else None

    def operator(a, b):
        return spread(numbers_only, a, b, single_null=None)

    return operator


def spread(single, a, b, single_null):
    """`single_null`: None where a null beside a list makes the whole null, else a function to be asked as usual."""
    if not isinstance(a, list) and not isinstance(b, list):
        return single(a, b)
    if single_null is None and (a is None or b is None):
        return None
    if isinstance(a, list) and isinstance(b, list) and len(a) != len(b):
        return None
    length = len(a) if isinstance(a, list) else len(b)
    pairs = [(a[i] if isinstance(a, list) else a, b[i] if isinstance(b, list) else b) for i in range(length)]
    return [None if isinstance(x, list) or isinstance(y, list) else single(x, y) for x, y in pairs]


def plus(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return a + b if len(a) + len(b) <= LONGEST else None
    if isinstance(a, str) and isinstance(b, str):
        return a + b if len(a) + len(b) <= LONGEST else None
    if (isinstance(a, list) or isinstance(b, list)) and not (is_number(a) or is_number(b)):
        return None
    return arithmetic(lambda x, y: finished(x + y))(a, b)


def minus(a):
    if isinstance(a, list):
        return [-x if is_number(x) else None for x in a]
    return -a if is_number(a) else None


def up_to(a, b):
    if not is_number(a) or not is_number(b) or a != math.floor(a) or b != math.floor(b):
        return None
    if max(abs(a), abs(b)) > LARGEST_INTEGER or b - a + 1 > 1_000_000:
        return None
    return list(range(int(a), int(b) + 1))


# ---------------------------------------------------------------- logic and comparison


def conjunction(a, b):
    def single(x, y):
        if x is False or y is False:
            return False
        return True if x is True and y is True else None

    return spread(single, a, b, single_null=single)


def disjunction(a, b):
    def single(x, y):
        if x is True or y is True:
            return True
        return False if x is False and y is False else None

    return spread(single, a, b, single_null=single)


def negation(a):
    def single(x):
        return {True: False, False: True}.get(x) if isinstance(x, bool) else None

    return [single(x) for x in a] if isinstance(a, list) else single(a)


def same(a, b):
    """Equality of any two values."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if is_number(a) and is_number(b):
        return Fraction(a) == Fraction(b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return set(a) == set(b) and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


def ordering(holds):
    def single(a, b):
        comparable = (is_number(a) and is_number(b)) or (isinstance(a, str) and isinstance(b, str))
        return holds(a, b) if comparable else None

    return lambda a, b: spread(single, a, b, single_null=None)


def is_in(item, among):
    if isinstance(among, (str, dict)):
        return item in among if isinstance(item, str) else None
    if item is None or not isinstance(among, list):
        return None
    if any(same(item, one) for one in among):
        return True
    return None if any(one is None for one in among) else False


BINARY = {
    "+": plus,
    "-": arithmetic(lambda a, b: finished(a - b)),
    "*": arithmetic(lambda a, b: finished(a * b)),
    "/": arithmetic(lambda a, b: None if b == 0 else finished(a / b)),
    "**": arithmetic(power_of),
    "..": up_to,
    "and": conjunction,
    "or": disjunction,
}
COMPARISON = {
    "==": same,
    "!=": lambda a, b: not same(a, b),
    "<": ordering(lambda a, b: a < b),
    "<=": ordering(lambda a, b: a <= b),
    ">": ordering(lambda a, b: a > b),
    ">=": ordering(lambda a, b: a >= b),
    "in": is_in,
    "not in": lambda a, b: negation(is_in(a, b)),
}


# ---------------------------------------------------------------- access


def field(of, name):
    if isinstance(of, list):
        return [field(one, name) for one in of]
    return of.get(name) if isinstance(of, dict) else None


def member(of, key):
    if isinstance(of, list):
        whole = is_number(key) and key == math.floor(key) and 0 <= key < len(of)
        return of[int(key)] if whole else None
    if isinstance(of, dict) and not isinstance(key, (list, dict)) and key is not None:
        return next((value for known, value in of.items() if same(known, key)), None)
    return None


# ---------------------------------------------------------------- functions


def over_numbers(function):
    """A function of numbers that takes each member of a list in its first place; null of what is no number."""

    def called(x, *others, **named):
        if any(not is_number(other) for other in [*others, *named.values()]):
            return None
        if isinstance(x, list):
            return [function(one, *others, **named) if is_number(one) else None for one in x]
        return function(x, *others, **named) if is_number(x) else None

    return called


def to_digits(x, digits=0):
    if digits == 0:
        return finished(round(x))
    places = int(digits)
    if places > 400:
        return float(x)
    if places < -400:
        return 0.0 * x
    exact = Fraction(x) * Fraction(10) ** places
    try:
        rounded = float(Fraction(round(exact)) / Fraction(10) ** places)
    except OverflowError:
        return None
    return rounded if rounded else math.copysign(0.0, x)


def credit(x, *, full, zero):
    if full == zero:
        return None
    if (x >= full) if full > zero else (x <= full):
        return 1.0
    if (x <= zero) if full > zero else (x >= zero):
        return 0.0
    return (
        finished((x - zero) / (full - zero))
        if math.isfinite(full - zero)
        else (x / 2 - zero / 2) / (full / 2 - zero / 2)
    )


def list_function(function):
    """A function of a list; null of anything else."""
    return lambda of, *others, **named: function(of, *others, **named) if isinstance(of, list) else None


def met(of, where):
    return [one for one in of if where is None or where(one) is True]


def extreme(choose):
    def called(*of):
        members = of[0] if len(of) == 1 and isinstance(of[0], list) else of
        return choose(members) if members and all(is_number(one) for one in members) else None

    return called


def answers(of, where):
    return [one if where is None else where(one) for one in of]


def all_of(of, where=None):
    given = answers(of, where)
    return False if any(a is False for a in given) else (True if all(a is True for a in given) else None)


def any_of(of, where=None):
    given = answers(of, where)
    return True if any(a is True for a in given) else (False if all(a is False for a in given) else None)


def share(of, where=None):
    given = answers(of, where)
    if not given or not all(isinstance(a, bool) for a in given):
        return None
    return given.count(True) / len(given)


def total(of):
    if not all(is_number(one) for one in of):
        return None
    exact = sum((Fraction(one) for one in of), Fraction(0))
    if all(isinstance(one, int) for one in of):
        return finished(int(exact))
    try:
        return float(exact)
    except OverflowError:
        return None


def mean(of, each=None):
    numbers = [one if each is None else each(one) for one in of]
    if not numbers or not all(is_number(one) for one in numbers):
        return None
    exact = sum((Fraction(one) for one in numbers), Fraction(0))
    try:
        return float(exact) / len(numbers)
    except OverflowError:
        return float(exact / len(numbers))


def percentile(of, q):
    if not is_number(q) or not of or not all(is_number(one) for one in of) or not 0 <= q <= 100:
        return None
    ordered = sorted(of)
    at = (len(ordered) - 1) * q / 100
    low = math.floor(at)
    below, above = ordered[low], ordered[min(low + 1, len(ordered) - 1)]
    if math.isfinite(above - below):
        return finished(below + (above - below) * (at - low))
    return below * (1 - (at - low)) + above * (at - low)


def sort(of, by=None):
    def rank(one):
        key = one if by is None else by(one)
        if is_number(key):
            return (0, key, "")
        return (1, 0, key) if isinstance(key, str) else (3 if key is None else 2, 0, "")

    return sorted(of, key=rank)


def whole(n):
    return max(0, int(n)) if is_number(n) else None


def take(of, n):
    return None if whole(n) is None else of[: whole(n)]


def skip(of, n):
    return None if whole(n) is None else of[whole(n) :]


def only(of, where=None):
    found = met(of, where)
    return found[0] if len(found) == 1 else None


def by_value(of, key_of, keep_last=False):
    found = []
    for one in of:
        for position, (key, _) in enumerate(found):
            if same(key, key_of(one)):
                found[position] = (key, one if keep_last else found[position][1])
                break
        else:
            found.append((key_of(one), one))
    return [one for _, one in found]


def repeat(of, times):
    if not is_number(times):
        return None
    count = whole(times)
    return None if len(of) * max(times, 0) > LONGEST and of and times >= 1 else of * (count if of else 0)


def flatten(of):
    return [inner for one in of if isinstance(one, list) for inner in one]


def lookup(of, by, key):
    found = [one for one in of if same(by(one), key)]
    return found[0] if len(found) == 1 else None


def key_of_least(of, by):
    if not isinstance(of, dict):
        return None
    ranked = [(by(value), key) for key, value in of.items()]
    ranked = [(number, position, key) for position, (number, key) in enumerate(ranked) if is_number(number)]
    return min(ranked)[2] if ranked else None


def string(of):
    if isinstance(of, bool):
        return "true" if of else "false"
    return repr(of) if is_number(of) else (of if isinstance(of, str) else None)


BUILTINS = {
    "abs": over_numbers(abs),
    "ceil": over_numbers(lambda x: finished(math.ceil(x))),
    "floor": over_numbers(lambda x: finished(math.floor(x))),
    "round": over_numbers(to_digits),
    "sqrt": over_numbers(lambda x: math.sqrt(x) if x >= 0 else None),
    "credit": over_numbers(credit),
    "min": extreme(min),
    "max": extreme(max),
    "count": list_function(lambda of, where=None: len(of) if where is None else len(met(of, where))),
    "filter": list_function(met),
    "map": list_function(lambda of, each: [each(one) for one in of]),
    "all": list_function(all_of),
    "any": list_function(any_of),
    "share": list_function(share),
    "sum": list_function(total),
    "mean": list_function(mean),
    "median": list_function(lambda of: percentile(of, 50)),
    "percentile": list_function(percentile),
    "sort": list_function(sort),
    "first": list_function(lambda of: of[0] if of else None),
    "last": list_function(lambda of: of[-1] if of else None),
    "take": list_function(take),
    "skip": list_function(skip),
    "only": list_function(only),
    "distinct": list_function(lambda of: by_value([one for one in of if one is not None], lambda one: one)),
    "first_of_each": list_function(by_value),
    "last_of_each": list_function(lambda of, by: by_value(of, by, keep_last=True)),
    "repeat": list_function(repeat),
    "flatten": list_function(flatten),
    "lookup": list_function(lookup),
    "malformed": list_function(lambda of: 0),
    "keys": lambda of: list(of) if isinstance(of, dict) else None,
    "values": lambda of: list(of.values()) if isinstance(of, dict) else None,
    "key_of_least": key_of_least,
    "string": string,
}
