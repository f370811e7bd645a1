"""The parts of metrics, scores and gates."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from ..document import Node
from ..expressions.syntax import Tree
from ..rubric import Cap, Gate, Metric, Score, Stage, Weight
from .outline_blocks import optional_tree, requirements, tree_part
from .parts import Context, Part, present, shown, source

CAP = "cap "


# ---------------------------------------------------------------- metrics


def metric_part(context: Context, metric: Metric) -> Part:
    path = f"metrics.{metric.name}"
    parts = {
        "value": tree_part(context, "metric value", f"{path}.value", metric.value),
        **present(
            where=optional_tree(context, "metric where", f"{path}.where", metric.where),
            credit=_credit(context, f"{path}.credit", metric),
            if_null=optional_tree(context, "metric if_null", f"{path}.if_null", metric.if_null),
        ),
    }

    def made(values: Mapping[str, Any]) -> Metric:
        full, zero = values.get("credit", (None, None))
        found = {name: values.get(name) for name in ("where", "if_null")}
        return replace(metric, value=values["value"], full=full, zero=zero, **found)

    return context.whole("metric", path, metric, metric.key, parts, made)


def _credit(context: Context, path: str, metric: Metric) -> Part | None:
    """The two points of a credit curve, which come and go together."""
    if metric.full is None or metric.zero is None:
        return None
    points: dict[str, Tree] = {"full": metric.full, "zero": metric.zero}
    parts = {name: tree_part(context, "credit point", f"{path}.{name}", tree) for name, tree in points.items()}
    value = (metric.full, metric.zero)
    return context.whole(
        "metric credit", path, value, source(metric.full), parts, lambda values: (values["full"], values["zero"])
    )


# ---------------------------------------------------------------- scores


def scores_part(context: Context) -> Part:
    """Score groups, of which the last is the score."""
    scores = context.rubric.score
    form = context.forms.scores
    return context.section("score", scores, lambda score: _score(context, score), form=form, order="score order")


def _score(context: Context, score: Score) -> Part:
    path = f"score.{score.name}"
    caps = {f"{CAP}{cap.name}": _cap(context, f"{path}.caps.{cap.name}", cap) for cap in score.caps}

    def made(values: Mapping[str, Any]) -> Score:
        weights, value = values["formula"]
        found = tuple(cap for name, cap in values.items() if name.startswith(CAP))
        return replace(score, weights=weights, value=value, caps=found)

    return context.whole("score", path, score, score.key, {"formula": _formula(context, path, score), **caps}, made)


def _formula(context: Context, path: str, score: Score) -> Part:
    """Either weights or an expression: the pair of both, one of them empty."""
    pair = (score.weights, score.value)
    if score.value is None:
        parts = {
            weight.metric: _weight(context, f"{path}.weighted.{weight.metric}", weight) for weight in score.weights
        }

        def form(value: tuple[Sequence[Weight], Tree | None]) -> Any:
            weights = context.forms.unordered((weight.metric, weight.value) for weight in value[0])
            return [weights, context.forms.of(value[1])]

        text = " + ".join(f"{weight.text} * {weight.metric}" for weight in score.weights)
        return context.whole(
            "score formula",
            path,
            pair,
            score.key,
            parts,
            lambda values: (tuple(values.values()), None),
            form=form,
            shape="weighted",
            text=text,
        )
    body = tree_part(context, "score formula", path, score.value)
    if body.make is None:
        return context.leaf("score formula", f"{path}.value", pair, body.node, text=body.text)
    make = body.make
    return context.whole(
        "score formula",
        path,
        pair,
        score.key,
        body.parts,
        lambda values: ((), make(values)),
        shape=body.shape,
        order=body.order,
        text=body.text,
    )


def _weight(context: Context, path: str, weight: Weight) -> Part:
    return context.leaf(
        "weight", path, weight, weight.node, text=weight.text, form=lambda value: context.forms.of(value.value)
    )


def _cap(context: Context, path: str, cap: Cap) -> Part:
    parts = {
        "when": tree_part(context, "cap condition", f"{path}.when", cap.when),
        "at_most": tree_part(context, "cap limit", f"{path}.at_most", cap.at_most),
        **present(because=_because(context, "cap reason", path, cap.because, cap.key)),
    }

    def made(values: Mapping[str, Any]) -> Cap:
        return replace(cap, when=values["when"], at_most=values["at_most"], because=values.get("because"))

    return context.whole("cap", path, cap, cap.key, parts, made)


def _because(context: Context, topic: str, path: str, because: str | None, owner: Node) -> Part | None:
    if because is None:
        return None
    return context.attribute(topic, f"{path}.because", because, owner, text=because)


# ---------------------------------------------------------------- gates

Staged = tuple[str | None, Gate]


def stages_part(context: Context) -> Part:
    """Gates by their names, each with the stage that it stands in."""
    stages = context.rubric.stages
    staged = [(stage.name, gate) for stage in stages for gate in stage.gates]
    parts: dict[str, Part] = {}
    for stage, gate in staged:
        parts[gate.name if gate.name not in parts else f"{stage}.{gate.name}"] = _gate(context, (stage, gate))
    return context.whole(
        "section",
        "gates",
        stages,
        context.at("gates"),
        parts,
        _stages_from,
        form=context.forms.stages,
        order="gate order",
        text=", ".join(f"{stage}.{gate.name}" if stage else gate.name for stage, gate in staged),
    )


def _stages_from(values: Mapping[str, Staged]) -> tuple[Stage, ...]:
    """Stages stand where their first gate does; gates without one stay where they are."""
    runs: list[tuple[str | None, list[Gate]]] = []
    for stage, members in groupby(values.values(), lambda staged: staged[0]):
        gates = [gate for _, gate in members]
        known = next((found for name, found in runs if name == stage and name is not None), None)
        if known is not None:
            known += gates
        else:
            runs.append((stage, gates))
    return tuple(Stage(stage, tuple(gates)) for stage, gates in runs)


def _gate(context: Context, staged: Staged) -> Part:
    stage, gate = staged
    path = ".".join(("gates", *([stage] if stage else []), gate.name))
    parts = {
        **present(
            stage=context.leaf("gate stage", f"{path}", stage, gate.key, text=stage) if stage is not None else None,
            **{"for": optional_tree(context, "gate members", f"{path}.for", gate.each)},
        ),
        "test": _test(context, path, gate),
        **present(
            otherwise=optional_tree(context, "gate otherwise", f"{path}.otherwise", gate.otherwise),
            because=_because(context, "gate reason", path, gate.because, gate.key),
        ),
    }

    def made(values: Mapping[str, Any]) -> Staged:
        found = {name: values.get(name) for name in ("otherwise", "because")}
        return values.get("stage"), replace(gate, each=values.get("for"), **found, **values["test"])

    return context.whole("gate", path, staged, gate.key, parts, made)


_NO_TEST: dict[str, Any] = {
    "value": None,
    "word": None,
    "limit": None,
    "decide_on": ("point",),
    "requirements": (),
    "none": None,
}


def _test(context: Context, path: str, gate: Gate) -> Part:
    """What decides whether a gate holds, as the attributes that say it."""
    value = {name: getattr(gate, name) for name in _NO_TEST}
    if gate.value is not None:
        shape, parts = "limit", _limit(context, path, gate, gate.value)
    elif gate.none is not None:
        shape, parts = "none", {"none": tree_part(context, "gate list", f"{path}.none", gate.none)}
    else:
        conditions = requirements(context, "gate requirements", f"{path}.require", gate.requirements)
        shape, parts = "require", {"requirements": conditions}

    def made(values: Mapping[str, Any]) -> dict[str, Any]:
        word, limit = values.get("limit", (None, None))
        return {**_NO_TEST, **values, "word": word, "limit": limit}

    def form(test: Mapping[str, Any]) -> Any:
        return context.forms.of({**test, "decide_on": sorted(set(test["decide_on"]))})

    return context.whole("gate test", path, value, gate.key, parts, made, form=form, shape=shape)


def _limit(context: Context, path: str, gate: Gate, value: Tree) -> dict[str, Part]:
    bounds = ", ".join(gate.decide_on)
    return {
        "value": tree_part(context, "gate value", f"{path}.value", value),
        "limit": context.leaf(
            "gate limit", f"{path}.{gate.word}", (gate.word, gate.limit), source(gate.limit), text=shown(gate.limit)
        ),
        "decide_on": context.attribute(
            "gate bound",
            f"{path}.decide_on",
            gate.decide_on,
            gate.key,
            text=bounds,
            form=lambda words: sorted(set(words)),
        ),
    }
