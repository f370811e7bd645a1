"""How things are compared, what is measured, and how it is combined: functions to gates."""

import math
from collections.abc import Iterable, Iterator

from ..analysis import Analysis
from ..expressions import syntax
from ..expressions.types import Type
from ..formulas import LIMIT_WORDS
from ..rubric import Gate, Metric, Rubric, Score
from . import notes
from .definitions import definition, in_words
from .markdown import Section, capital, plain, sentence
from .material import value_of
from .phrases import clause, code, listed, noun

NULL_UNSAID = "A metric that cannot be measured is null; then so is the score, and the outcome is inconclusive."
TOLERANCE = "A value counts as equal to its limit where the two differ by no more than one part in a thousand million."


def _noted(rubric: Rubric, key, lines: list[str]) -> list[str]:
    note = notes.note(rubric.document, key)
    if not note:
        return lines
    opening, *rest = lines
    return (
        [f"{opening} *{sentence(capital(note))}*", *rest]
        if not opening.endswith(":")
        else [
            f"*{sentence(capital(note))}* {opening}",
            *rest,
        ]
    )


def functions(rubric: Rubric) -> Section:
    items = {}
    for name, written in rubric.functions.items():
        call = f"{name}({', '.join(written.function.parameters)})"
        items[name] = _noted(rubric, written.key, definition(call, written.function.body))
    return Section("functions", "How things are compared", items)


def let(rubric: Rubric) -> Section:
    items = {name: _noted(rubric, part.key, definition(name, part.tree)) for name, part in rubric.let.items()}
    return Section("let", "What is worked out first", items)


# ---------------------------------------------------------------- metrics and score


def metrics(analysis: Analysis) -> Section:
    rubric = analysis.rubric
    items, below = {}, []
    for name, metric in rubric.metrics.items():
        text, lines = _metric(metric)
        items[name] = [code(name), text, _weights(rubric, name), notes.beside(rubric.document, metric.key)]
        below += ["", f"The parts of {code(name)}:", "", *lines] if lines else []
    ending = ["\n".join(below).strip("\n")] if below else []
    if rubric.unmeasured is not None:
        ending.append(f"A metric that cannot be measured counts as {noun(rubric.unmeasured)}.")
    elif rubric.score and any(_nullable(analysis.types.get(name)) for name in rubric.metrics):
        ending.append(NULL_UNSAID)
    head = ("Metric", "What it is", "Weight", "Note")
    return Section("metrics", "What is measured", items, head=head, ending=ending)


def _nullable(type_: Type | None) -> bool:
    return type_ is not None and type_.nullable


def _metric(metric: Metric) -> tuple[str, list[str]]:
    """The pipeline from value to mean as one sentence."""
    phrase, below = in_words(metric.value)
    parts = [f"{phrase}, as said below" if below else phrase]
    if metric.where is not None:
        parts.append(f"only where {_where(metric.where)}")
    if metric.full is not None and metric.zero is not None:
        full, zero = noun(metric.full), noun(metric.zero)
        parts.append(f"with full credit at {full} and beyond, none at {zero} and beyond, in proportion between")
    if metric.if_null is not None:
        parts.append(f"{noun(metric.if_null)} where it cannot be measured")
    return "; ".join(parts), below


def _where(tree: syntax.Tree) -> str:
    """What must hold of a row; of `map(rows, r -> ...)` what must hold of `r`."""
    bare = syntax.bare(tree)
    if isinstance(bare, syntax.Call) and bare.label == "map" and len(bare.positional) == 2:
        of, each = bare.positional
        each = syntax.bare(each)
        if isinstance(each, syntax.Lambda):
            return f"{clause(each.body)}, for {code(each.parameters[0])} in {noun(of)}"
    return f"{noun(tree)} holds"


def _weights(rubric: Rubric, metric: str) -> str:
    several = len([score for score in rubric.score.values() if score.weights]) > 1
    found = [
        f"{weight.text} in {code(score.name)}" if several else weight.text
        for score in rubric.score.values()
        for weight in score.weights
        if weight.metric == metric
    ]
    return ", ".join(found)


def score(analysis: Analysis) -> Section:
    rubric = analysis.rubric
    items = {}
    for name, group in rubric.score.items():
        last = name == list(rubric.score)[-1]
        opening = f"**{code(name)}**{', the score,' if last else ''} is "
        phrase, below = _sum(group)
        lines = [f"{opening}{phrase}{':' if below else '.'}", *(["", *below] if below else [])]
        lines += _range(analysis.types.get(name), below) if last else []
        items[name] = _noted(rubric, group.key, lines)
    return Section("score", "The score", items)


def _sum(group: Score) -> tuple[str, list[str]]:
    if group.value is not None:
        return in_words(group.value)
    terms = (f"{weight.text} × {code(weight.metric)}" for weight in group.weights)
    return f"the weighted sum {' + '.join(terms)}", []


def _range(type_: Type | None, below: list[str]) -> list[str]:
    """What the score can be at all, where that is known."""
    if type_ is None or math.isinf(type_.low) or math.isinf(type_.high):
        return []
    return ["", f"It can be no less than {type_.low:g} and no more than {type_.high:g}."]


def caps(rubric: Rubric) -> Section:
    rows = {
        cap.name: [
            code(cap.name),
            code(group.name),
            noun(cap.at_most),
            clause(cap.when),
            cap.because or "",
        ]
        for group, cap in rubric.caps
    }
    head = ("Cap", "On", "At most", "Where", "Because")
    return Section("caps", "Caps", rows, head=head)


# ---------------------------------------------------------------- gates


def gates(rubric: Rubric) -> Section:
    several = len(rubric.stages) > 1
    rows = {
        gate.name: [code(gate.name), code(stage.name) if stage.name else "", *_gate(rubric, gate)]
        for stage in rubric.stages
        for gate in stage.gates
    }
    introduction = ["The outcome is pass where every gate holds, and fail where one does not."]
    introduction += [_stages(rubric)] if several else []
    words = any(gate.word for gate in rubric.gates)
    head = ("Gate", "Stage", "What must hold", "Otherwise", "Because")
    return Section("gates", "Gates", rows, introduction, head, [TOLERANCE] if words else [])


def _stages(rubric: Rubric) -> str:
    names = (code(stage.name) if stage.name else "those without a stage" for stage in rubric.stages)
    return (
        f"Gates are decided in stages, in this order: {', '.join(names)}. A stage is entered only when every gate "
        "before it held; gates that are not reached neither hold nor fail."
    )


def _gate(rubric: Rubric, gate: Gate) -> tuple[str, str, str]:
    each = f"for {code('each')} member of {noun(gate.each)}, " if gate.each is not None else ""
    otherwise = f"the score is {noun(gate.otherwise)}" if gate.otherwise is not None else ""
    return capital(sentence(f"{each}{'; '.join(_must_hold(rubric, gate))}")), otherwise, _filled(rubric, gate.because)


def _filled(rubric: Rubric, because: str | None) -> str:
    """A reason with the constants in it that always have the same value."""
    text = plain(because or "")
    for name, constant in rubric.constants.items():
        text = text.replace(f"{{{name}}}", value_of(constant)) if constant.by is None else text
    return text


def _must_hold(rubric: Rubric, gate: Gate) -> Iterator[str]:
    if gate.value is not None and gate.limit is not None and gate.word is not None:
        bounds = "" if gate.decide_on == ("point",) else _bounds(gate.decide_on)
        yield f"{bounds}{noun(gate.value)} is {LIMIT_WORDS[gate.word]} {noun(gate.limit)}{_known(rubric, gate.limit)}"
        if len(gate.decide_on) > 1:
            yield "where the bounds lie on both sides of the limit the outcome is inconclusive"
    if gate.none is not None:
        yield f"there are none: {noun(gate.none)}"
    yield from (clause(tree) for tree in gate.requirements)


def _bounds(decide_on: Iterable[str]) -> str:
    names = {"lower": "lower bound", "upper": "upper bound", "point": "value itself"}
    return f"the {listed(names[bound] for bound in decide_on)} of "


def _known(rubric: Rubric, limit: syntax.Tree) -> str:
    """The value of a constant that is a limit, so that nobody needs to look it up."""
    bare = syntax.bare(limit)
    constant = rubric.constants.get(bare.id) if isinstance(bare, syntax.Name) else None
    return f" ({value_of(constant)})" if constant is not None else ""
