"""A rubric -> its parts: the sections of what comes in, what an entry is, and what has a name."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ..document import Mapping as MappingNode
from ..document import Node
from ..expressions.syntax import Tree
from ..json_text import encode
from ..rubric import (
    Artifact,
    Constant,
    Control,
    Definition,
    FieldRule,
    FunctionDefinition,
    Input,
    Link,
    Precondition,
    Record,
    Rubric,
    Warning,
)
from .outline_blocks import bindings, optional_tree, requirements, tree_part
from .outline_scoring import metric_part, scores_part, stages_part
from .parts import Context, Part, plain_text, present, source, written

FOLDER = "folder "
LINK = "link "


def outline(rubric: Rubric) -> Part:
    """All that can change in a rubric."""
    context, root = Context(rubric), rubric.document.root

    def section(name: str, part: Callable[[Context, Any], Part]) -> Part:
        return context.section(name, getattr(rubric, name), lambda member: part(context, member))

    parts = {
        "name": context.attribute("rubric name", "rubric", rubric.name, root),
        "version": context.attribute("rubric version", "version", rubric.version, root),
        "inputs": section("inputs", _input),
        "constants": section("constants", _constant),
        "records": section("records", _record),
        "functions": section("functions", _function),
        "preconditions": section("preconditions", _precondition),
        "let": section("let", _let),
        **present(unmeasured=optional_tree(context, "unmeasured", "unmeasured", rubric.unmeasured)),
        "metrics": section("metrics", metric_part),
        "score": scores_part(context),
        "stages": stages_part(context),
        "warnings": section("warnings", _warning),
        "values": section("values", _value),
        "artifacts": section("artifacts", _artifact),
        "controls": section("controls", _control),
    }
    return context.whole("rubric", "", rubric, None, parts, _rubric_from(rubric), text=rubric.id)


def _rubric_from(rubric: Rubric) -> Callable[[Mapping[str, Any]], Rubric]:
    def made(values: Mapping[str, Any]) -> Rubric:
        sections = {n: MappingProxyType(value) if isinstance(value, dict) else value for n, value in values.items()}
        return replace(rubric, **{"unmeasured": None, **sections})

    return made


# ---------------------------------------------------------------- what comes in


def _input(context: Context, declared: Input) -> Part:
    path = f"inputs.{declared.name}"

    def leaf(key: str, value: Any) -> Part:
        return context.attribute(f"input {key}", f"{path}.{key}", value, declared.key)

    parts = {
        "from": leaf("from", declared.origin),
        "format": leaf("format", declared.format),
        **present(
            record=leaf("record", declared.record) if declared.record is not None else None,
            schema=leaf("schema", declared.schema) if declared.schema is not None else None,
            default=leaf("default", declared.default) if declared.has_default else None,
        ),
        "when_invalid": leaf("when_invalid", declared.when_invalid),
        "list": leaf("list", declared.many),
        "may_be_empty": leaf("may_be_empty", declared.may_be_empty),
    }
    for name, link in declared.links.items():
        meant = {"format": link.format, "may_be_missing": link.may_be_missing}
        parts[f"{LINK}{name}"] = context.attribute("input link", f"{path}.links.{name}", meant, link.key)
    for name, file in declared.folder.items():
        parts[f"{FOLDER}{name}"] = context.attribute("input file", f"{path}.folder.{name}", file, declared.key)
    return context.whole("input", path, declared, declared.key, parts, lambda values: _input_from(declared, values))


def _input_from(declared: Input, values: Mapping[str, Any]) -> Input:
    return replace(
        declared,
        origin=values["from"],
        format=values["format"],
        record=values.get("record"),
        schema=values.get("schema"),
        when_invalid=values["when_invalid"],
        default=values.get("default"),
        has_default="default" in values,
        many=values["list"],
        may_be_empty=values["may_be_empty"],
        folder={name.removeprefix(FOLDER): file for name, file in values.items() if name.startswith(FOLDER)},
        links={name: _link(declared, name, meant) for name, meant in _under(LINK, values)},
    )


def _under(prefix: str, values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(name.removeprefix(prefix), value) for name, value in values.items() if name.startswith(prefix)]


def _link(declared: Input, name: str, meant: Mapping[str, Any]) -> Link:
    return Link(tuple(name.split(".")), declared.key, meant["format"], meant["may_be_missing"])


# ---------------------------------------------------------------- constants


def _constant(context: Context, constant: Constant) -> Part:
    path, node = f"constants.{constant.name}", constant.node
    if not isinstance(constant.value, Mapping) or not isinstance(node, MappingNode):
        return context.leaf("constant", path, constant, node, text=written(node))
    parts = _entries(context, path, constant.value, node)
    if constant.by is not None:
        by = context.attribute("constant by", f"{path}.by", constant.by, constant.key)
        parts = {"by": by, **parts}

    def made(values: Mapping[str, Any]) -> Constant:
        value = dict(pair for name, pair in values.items() if name != "by")
        return replace(constant, value=value, by=values.get("by"))

    shape = "map" if constant.by is None else "table"
    return context.whole(
        "constant", path, constant, constant.key, parts, made, shape=shape, order="constant order", text=written(node)
    )


def _entries(context: Context, path: str, value: Mapping[Any, Any], node: MappingNode) -> dict[str, Part]:
    """The members of a map, each a pair of its key and its value."""
    return {
        encode(context.forms.of(key)): _entry(context, f"{path}{_step(key)}", (key, member), node.get(key))
        for key, member in value.items()
    }


def _step(key: Any) -> str:
    """One step of a path, as an expression would write it."""
    return f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{encode(key)}]"


def _entry(context: Context, path: str, pair: tuple[Any, Any], node: Node | None) -> Part:
    key, value = pair
    if not isinstance(value, Mapping) or not isinstance(node, MappingNode):
        text = written(node) if node is not None else plain_text(value)
        return context.leaf("constant entry", path, pair, node, text=text, form=context.forms.in_order)
    parts = _entries(context, path, value, node)

    def made(values: Mapping[str, Any]) -> tuple[Any, Any]:
        return key, dict(values.values())

    return context.whole(
        "constant entry", path, pair, node, parts, made, shape="map", order="constant order", text=written(node)
    )


# ---------------------------------------------------------------- records


def _record(context: Context, record: Record) -> Part:
    path = f"records.{record.name}"
    rules = {"|".join(rule.names): rule for rule in record.fields}
    parts = {
        "fields": context.whole(
            "section",
            f"{path}.fields",
            record.fields,
            record.key,
            {names: _field(context, f"{path}.fields.{names}", rule) for names, rule in rules.items()},
            lambda values: tuple(values.values()),
            form=lambda fields: context.forms.unordered(("|".join(sorted(rule.names)), rule) for rule in fields),
        ),
        "becomes": _trees(context, record, "conversion", "becomes", ordered=True),
        "derived": _trees(context, record, "derived", "derived", ordered=True),
        "require": _trees(context, record, "requirement", "require", ordered=False),
        "when_invalid": context.attribute(
            "record when_invalid", f"{path}.when_invalid", record.when_invalid, record.key
        ),
    }
    return context.whole("record", path, record, record.key, parts, lambda values: replace(record, **values))


def _trees(context: Context, record: Record, topic: str, name: str, *, ordered: bool) -> Part:
    path, trees = f"records.{record.name}.{name}", getattr(record, name)
    parts = {member: tree_part(context, topic, f"{path}.{member}", tree) for member, tree in trees.items()}
    form, order = (context.forms.ordered, f"{topic} order") if ordered else (context.forms.of, "")
    return context.whole("section", path, trees, context.at(path) or record.key, parts, dict, form=form, order=order)


def _field(context: Context, path: str, rule: FieldRule) -> Part:
    names, type_ = rule.names, rule.type
    fields = context.at(path.rpartition(".")[0])
    node = fields.get(rule.key.text) if isinstance(fields, MappingNode) else rule.key
    body = type_.text.removesuffix(f"or {type_.optional}").rstrip(", ") if type_.optional else type_.text
    presence = f"or {type_.optional}" if type_.optional else "required"
    parts = {
        "names": context.leaf("field names", path, names, rule.key, text=" | ".join(names)),
        "type": context.leaf("field type", path, type_, node, text=body),
        "presence": context.leaf("field presence", path, type_.optional, node, text=presence),
    }

    def made(values: Mapping[str, Any]) -> FieldRule:
        return replace(rule, names=values["names"], type=replace(values["type"], optional=values["presence"]))

    whole = context.whole("field", path, rule, rule.key, parts, made, text=type_.text)
    return replace(whole, names=names)


# ---------------------------------------------------------------- what has a name


def _function(context: Context, definition: FunctionDefinition) -> Part:
    function = definition.function
    path = f"functions.{function.name}"
    parameters = f"({', '.join(function.parameters)})"
    body = tree_part(context, "function", path, function.body, definition.key)
    text = f"{parameters}: {body.text}"
    if body.make is None:
        return context.leaf("function", path, definition, source(function.body), text=text)
    parts = {
        "()": context.leaf("parameters", path, function.parameters, definition.key, text=parameters),
        **body.parts,
    }
    make = body.make

    def made(values: Mapping[str, Any]) -> FunctionDefinition:
        inner = make({name: value for name, value in values.items() if name != "()"})
        return replace(definition, function=replace(function, parameters=values["()"], body=inner))

    return context.whole(
        "function", path, definition, definition.key, parts, made, shape=body.shape, order=body.order, text=text
    )


def definition_part(context: Context, topic: str, path: str, definition: Definition) -> Part:
    """A name for an expression or block."""
    body = tree_part(context, topic, path, definition.tree)

    def form(value: Definition) -> Any:
        return context.forms.of(value.tree)

    if body.make is None:
        return context.leaf(topic, path, definition, body.node, text=body.text, form=form)
    make = body.make

    def made(values: Mapping[str, Any]) -> Definition:
        return replace(definition, tree=make(values))

    return context.whole(
        topic,
        path,
        definition,
        definition.key,
        body.parts,
        made,
        form=form,
        shape=body.shape,
        order=body.order,
        text=body.text,
    )


def _let(context: Context, definition: Definition) -> Part:
    return definition_part(context, "let", f"let.{definition.name}", definition)


def _value(context: Context, definition: Definition) -> Part:
    return definition_part(context, "value", f"values.{definition.name}", definition)


# ---------------------------------------------------------------- what is said and made besides


def _loop(context: Context, topic: str, path: str, each: tuple[tuple[str, Tree], ...]) -> Part | None:
    return bindings(context, topic, f"{path}.for_each", each) if each else None


def _precondition(context: Context, precondition: Precondition) -> Part:
    path = f"preconditions.{precondition.name}"
    parts = {
        **present(for_each=_loop(context, "precondition loop", path, precondition.each)),
        "require": requirements(context, "precondition requirements", f"{path}.require", precondition.requirements),
    }

    def made(values: Mapping[str, Any]) -> Precondition:
        return replace(precondition, each=values.get("for_each", ()), requirements=values["require"])

    return context.whole("precondition", path, precondition, precondition.key, parts, made)


def _warning(context: Context, warning: Warning) -> Part:
    path = f"warnings.{warning.name}"
    parts = {
        **present(
            when=optional_tree(context, "warning condition", f"{path}.when", warning.when),
            for_each=_loop(context, "warning loop", path, warning.each),
        ),
        "say": context.attribute("warning text", f"{path}.say", warning.say, warning.key, text=warning.say),
    }

    def made(values: Mapping[str, Any]) -> Warning:
        return replace(warning, when=values.get("when"), each=values.get("for_each", ()), say=values["say"])

    return context.whole("warning", path, warning, warning.key, parts, made)


def _artifact(context: Context, artifact: Artifact) -> Part:
    path = f"artifacts.{artifact.name}"
    text = "passed" if artifact.when_passed else "always"
    parts = {
        "content": tree_part(context, "artifact content", f"{path}.content", artifact.content),
        "format": context.attribute("artifact format", f"{path}.format", artifact.format, artifact.key),
        "when": context.attribute("artifact when", f"{path}.when", artifact.when_passed, artifact.key, text=text),
    }

    def made(values: Mapping[str, Any]) -> Artifact:
        return replace(artifact, content=values["content"], when_passed=values["when"], format=values["format"])

    return context.whole("artifact", path, artifact, artifact.key, parts, made)


def _control(context: Context, control: Control) -> Part:
    path, known = f"controls.{control.name}", control.known_violation
    inputs = {
        name: tree_part(context, "control input", f"{path}.inputs.{name}", t) for name, t in control.inputs.items()
    }
    parts = {
        "inputs": context.whole("section", f"{path}.inputs", control.inputs, control.key, inputs, dict),
        "at_most": context.attribute("control ceiling", f"{path}.at_most", control.at_most, control.key),
    }
    if known is not None:
        parts["known_violation"] = context.attribute(
            "control violation", f"{path}.known_violation", known, control.key, text=known, form=lambda text: True
        )

    def made(values: Mapping[str, Any]) -> Control:
        return replace(control, **{"known_violation": None, **values})

    return context.whole("control", path, control, control.key, parts, made)
