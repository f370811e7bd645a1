"""The sections of a rubric, from the document's top-level keys."""

import re
from collections.abc import Callable
from decimal import Decimal
from types import MappingProxyType
from typing import Any, TypeVar

from ..document import Document, Mapping, Node, Scalar, Sequence, plain
from ..expressions import syntax
from ..expressions.inference import Function
from ..findings import Finding
from ..rubric import (
    Artifact,
    Constant,
    Control,
    Definition,
    Example,
    FieldRule,
    FunctionDefinition,
    Input,
    Metric,
    Precondition,
    Record,
    Rubric,
    Score,
    Warning,
    Weight,
)
from . import blocks, gates
from .builder import Builder, described
from .fields import field_type
from .links import links

LANGUAGE = 1
SECTIONS = (
    "rubric",
    "version",
    "language",
    "title",
    "about",
    "references",
    "status",
    "errata",
    "inputs",
    "constants",
    "records",
    "functions",
    "preconditions",
    "let",
    "unmeasured",
    "metrics",
    "score",
    "gates",
    "warnings",
    "values",
    "artifacts",
    "examples",
    "controls",
)
FORMATS = ("json", "jsonl", "yaml", "text", "file")
T = TypeVar("T")


def build(document: Document) -> tuple[Rubric, list[Finding]]:
    """The rubric that a document holds, and everything that has not the shape it must have."""
    builder = Builder(document)
    found = builder.known(document.root, SECTIONS, "a rubric", required=("rubric", "version", "language"))
    records = {entry.key.text for entry in builder.entries(found.get("records"), "records")}

    def section(name: str, read: Callable[[Builder, Scalar, Node], T]) -> MappingProxyType[str, T]:
        entries = builder.entries(found.get(name), name)
        return MappingProxyType({entry.key.text: read(builder, entry.key, entry.value) for entry in entries})

    functions = [_function(builder, e.key, e.value) for e in builder.entries(found.get("functions"), "functions")]
    rubric = Rubric(
        document=document,
        name=builder.text(found.get("rubric"), "'rubric'") or "",
        version=_version(builder, found.get("version")),
        title=builder.text(found.get("title"), "'title'"),
        about=builder.text(found.get("about"), "'about'"),
        status=builder.word(found.get("status"), ("draft", "candidate", "frozen"), "'status'", "draft"),
        references=_texts(builder, found.get("references"), "'references'"),
        errata=_errata(builder, found.get("errata")),
        inputs=section("inputs", _input),
        constants=section("constants", _constant),
        records=section("records", lambda b, k, n: _record(b, k, n, records)),
        functions=MappingProxyType({definition.function.name: definition for definition in functions}),
        preconditions=section("preconditions", _precondition),
        let=section("let", _definition),
        metrics=section("metrics", _metric),
        score=section("score", _score),
        stages=gates.stages(builder, found.get("gates")),
        warnings=section("warnings", _warning),
        values=_values(builder, found.get("values")),
        artifacts=section("artifacts", _artifact),
        examples=section("examples", _example),
        controls=section("controls", _control),
        unmeasured=blocks.optional(builder, found.get("unmeasured"), "unmeasured"),
    )
    _language(builder, found.get("language"))
    return rubric, builder.findings


# ---------------------------------------------------------------- what the file says of itself


def _version(builder: Builder, node: Node | None) -> str:
    if node is None:
        return ""
    if isinstance(node, Scalar) and type(node.value) in (int, float):
        hint = f'write version: "{node.text}"; without quotes 1.10 would be 1.1'
        builder.report("unquoted-version", f"the version {node.text} is a number here, not a text", node, hint)
        return node.text
    return builder.text(node, "'version'") or ""


def _language(builder: Builder, node: Node | None) -> None:
    if node is not None and (not isinstance(node, Scalar) or node.value != LANGUAGE or node.value is True):
        message = f"this engine reads language {LANGUAGE}, not {described(node)}"
        builder.report("unknown-language", message, node)


def _texts(builder: Builder, node: Node | None, what: str) -> tuple[str, ...]:
    if node is None:
        return ()
    if not isinstance(node, Sequence):
        builder.report("wrong-shape", f"{what} is a list, not {described(node)}", node)
        return ()
    return tuple(builder.text(item, what) or "" for item in node.items)


def _errata(builder: Builder, node: Node | None) -> tuple[dict[str, Any], ...]:
    if node is None:
        return ()
    if not isinstance(node, Sequence):
        builder.report("wrong-shape", f"'errata' is a list, not {described(node)}", node)
        return ()
    found = []
    for item in node.items:
        members = builder.known(item, ("date", "text"), "an erratum", required=("date", "text"))
        found.append({name: builder.text(value, f"'{name}'") for name, value in members.items()})
    return tuple(found)


# ---------------------------------------------------------------- what comes in


def _input(builder: Builder, key: Scalar, node: Node) -> Input:
    what = f"input '{key.text}'"
    keys = ("from", "format", "record", "schema", "folder", "links", "when_invalid", "default", "list", "may_be_empty")
    found = builder.known(node, keys, what, required=("from",))
    default = found.get("default")
    return Input(
        name=builder.name(key, "an input"),
        key=key,
        origin=builder.word(
            found.get("from"), ("reference", "operator", "candidate"), f"'from' of {what}", "candidate"
        ),  # type: ignore[arg-type]
        format="folder"
        if "folder" in found
        else builder.word(found.get("format"), FORMATS, f"'format' of {what}", "json"),
        record=builder.text(found.get("record"), f"'record' of {what}"),
        schema=builder.text(found.get("schema"), f"'schema' of {what}"),
        when_invalid=builder.word(found.get("when_invalid"), ("null", "zero"), f"'when_invalid' of {what}", "null"),  # type: ignore[arg-type]
        default=plain(default) if default is not None else None,
        has_default="default" in found,
        many=builder.boolean(found.get("list"), f"'list' of {what}"),
        may_be_empty=builder.boolean(found.get("may_be_empty"), f"'may_be_empty' of {what}"),
        folder=_folder(builder, found.get("folder"), what),
        links=links(builder, found.get("links"), what),
    )


def _folder(builder: Builder, node: Node | None, what: str) -> dict[str, dict[str, str]]:
    members = {}
    for entry in builder.entries(node, f"'folder' of {what}"):
        found = builder.known(
            entry.value, ("json", "jsonl", "yaml", "text", "file", "files"), f"'{entry.key.text}' of {what}"
        )
        members[entry.key.text] = {name: builder.text(value, f"'{name}'") or "" for name, value in found.items()}
        if len(found) != 1:
            builder.report(
                "wrong-shape", f"'{entry.key.text}' of {what} names one file, as 'json: truth.json'", entry.key
            )
    return members


def _constant(builder: Builder, key: Scalar, node: Node) -> Constant:
    name = builder.name(key, "a constant")
    by = None
    if isinstance(node, Mapping) and any(entry.key.text == "by" for entry in node.entries):
        by = builder.text(node.get("by"), f"'by' of constant '{name}'")
        value = {entry.key.value: plain(entry.value) for entry in node.entries if entry.key.text != "by"}
    else:
        value = plain(node)
    if value is None:
        builder.report("wrong-shape", f"constant '{name}' has no value", node)
    return Constant(name, key, value, node, by)


def _record(builder: Builder, key: Scalar, node: Node, records: set[str]) -> Record:
    what = f"record '{key.text}'"
    found = builder.known(node, ("fields", "becomes", "derived", "require", "when_invalid"), what, required=("fields",))
    keys: dict[str, Scalar] = {}
    rules = []
    for entry in builder.entries(found.get("fields"), f"'fields' of {what}"):
        names = tuple(name.strip() for name in entry.key.text.split("|"))
        for name in names:
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
                builder.report("bad-name", f"a field cannot be called '{name}'", entry.key)
            if name in keys:
                builder.report("duplicate-name", f"{what} has the field '{name}' twice", entry.key)
            keys[name] = entry.key
        rules.append(FieldRule(names, field_type(builder, entry.value, records), entry.key))
    parts = {
        part: _trees(builder, found.get(part), f"'{part}' of {what}", keys if part == "derived" else None)
        for part in ("becomes", "derived", "require")
    }
    when = builder.word(
        found.get("when_invalid"), ("malformed", "field_is_null"), f"'when_invalid' of {what}", "malformed"
    )
    return Record(builder.name(key, "a record"), key, tuple(rules), **parts, keys=keys, when_invalid=when)  # type: ignore[arg-type]


def _trees(builder: Builder, node: Node | None, what: str, keys: dict[str, Scalar] | None) -> dict[str, syntax.Tree]:
    trees = {}
    for entry in builder.entries(node, what):
        if keys is not None:
            if entry.key.text in keys:
                builder.report("duplicate-name", f"{what}: '{entry.key.text}' is a field already", entry.key)
            keys[builder.name(entry.key, what)] = entry.key
        trees[entry.key.text] = blocks.expression(builder, entry.value, f"{what}: {entry.key.text}")
    return trees


# ---------------------------------------------------------------- names


_SIGNATURE = re.compile(
    r"([A-Za-z_][A-Za-z0-9_]*)\(\s*([A-Za-z_][A-Za-z0-9_]*(?:\s*,\s*[A-Za-z_][A-Za-z0-9_]*)*)?\s*\)\Z"
)


def _function(builder: Builder, key: Scalar, node: Node) -> FunctionDefinition:
    match = _SIGNATURE.match(key.text)
    if not match:
        hint = "write its parameters, as in 'frames(frame, seconds): ...'"
        builder.report("bad-name", f"'{key.text}' is no function's name with its parameters", key, hint)
        return FunctionDefinition(key, Function(key.text, (), syntax.Null()))
    parameters = tuple(part.strip() for part in (match[2] or "").split(",") if part.strip())
    if len(set(parameters)) < len(parameters):
        builder.report("duplicate-name", f"function '{match[1]}' has a parameter twice", key)
    body = blocks.expression(builder, node, f"function '{match[1]}'")
    return FunctionDefinition(key, Function(match[1], parameters, body))


def _definition(builder: Builder, key: Scalar, node: Node) -> Definition:
    name = builder.name(key, "a name")
    return Definition(name, key, blocks.expression(builder, node, f"'{name}'"))


def _values(builder: Builder, node: Node | None) -> MappingProxyType[str, Definition]:
    if isinstance(node, Sequence):
        definitions = {}
        for item in node.items:
            name = item.text if isinstance(item, Scalar) else ""
            if not name:
                builder.report("wrong-shape", f"'values' lists names, not {described(item)}", item)
                continue
            if name in definitions:
                builder.report("duplicate-name", f"'values' lists '{name}' twice", item)
            definitions[name] = Definition(name, item, syntax.Placed(syntax.Name(name), item))  # type: ignore[arg-type]
        return MappingProxyType(definitions)
    entries = builder.entries(node, "values")
    return MappingProxyType({entry.key.text: _definition(builder, entry.key, entry.value) for entry in entries})


# ---------------------------------------------------------------- what is measured and scored


def _precondition(builder: Builder, key: Scalar, node: Node) -> Precondition:
    name = builder.id(key, "a precondition")
    if isinstance(node, Mapping) and node.get("for_each") is not None:
        found = builder.known(node, ("for_each", "require"), f"precondition '{name}'", required=("require",))
        each = blocks.bindings(builder, found["for_each"], f"precondition '{name}'")
        return Precondition(name, key, blocks.several(builder, found.get("require"), f"precondition '{name}'"), each)
    if isinstance(node, Mapping):
        node = builder.known(node, ("require",), f"precondition '{name}'").get("require", node)
    return Precondition(name, key, blocks.several(builder, node, f"precondition '{name}'"))


def _metric(builder: Builder, key: Scalar, node: Node) -> Metric:
    name = builder.name(key, "a metric")
    what = f"metric '{name}'"
    if not isinstance(node, Mapping) or node.get("value") is None:
        return Metric(name, key, blocks.expression(builder, node, what))
    found = builder.known(node, ("value", "where", "credit", "if_null"), what)
    credit = builder.known(found.get("credit"), ("full", "zero"), f"'credit' of {what}", required=("full", "zero"))
    parts = {part: blocks.optional(builder, found.get(part), f"'{part}' of {what}") for part in ("where", "if_null")}
    curve = {part: blocks.optional(builder, credit.get(part), f"'{part}' of {what}") for part in ("full", "zero")}
    return Metric(name, key, blocks.expression(builder, found["value"], what), **parts, **curve)


def _score(builder: Builder, key: Scalar, node: Node) -> Score:
    name = builder.name(key, "a score")
    what = f"score '{name}'"
    if not isinstance(node, Mapping) or not any(node.get(part) is not None for part in ("weighted", "value", "caps")):
        return Score(name, key, value=blocks.expression(builder, node, what))
    found = builder.known(node, ("weighted", "value", "caps"), what)
    if ("weighted" in found) == ("value" in found):
        builder.report("wrong-shape", f"{what} has either 'weighted' or 'value'", key)
    weights = tuple(
        weight
        for entry in builder.entries(found.get("weighted"), f"'weighted' of {what}")
        if (weight := _weight(builder, entry.key, entry.value, what)) is not None
    )
    value = blocks.optional(builder, found.get("value"), what)
    return Score(name, key, weights, value, gates.caps(builder, found.get("caps"), what))


def _weight(builder: Builder, key: Scalar, node: Node, what: str) -> Weight | None:
    value = node.value if isinstance(node, Scalar) else None
    if not isinstance(node, Scalar) or not isinstance(value, (int, float)) or isinstance(value, bool) or value < 0:
        message = f"the weight of '{key.text}' in {what} is a number from 0 to 1, not {described(node)}"
        builder.report("bad-weight", message, node)
        return None
    return Weight(
        key.text, Decimal(node.text) if node.text[:2] not in ("0x", "0o") else Decimal(value), node.text, key, node
    )


# ---------------------------------------------------------------- what a run may say and make besides


def _warning(builder: Builder, key: Scalar, node: Node) -> Warning:
    name = builder.id(key, "a warning")
    what = f"warning '{name}'"
    found = builder.known(node, ("when", "for_each", "say"), what, required=("say",))
    each = blocks.bindings(builder, found.get("for_each"), what)
    if "when" not in found and not each:
        builder.report("missing-key", f"{what} needs 'when:' or 'for_each:'", key)
    say = builder.text(found.get("say"), f"'say' of {what}") or ""
    return Warning(name, key, say, blocks.optional(builder, found.get("when"), what), each)


def _artifact(builder: Builder, key: Scalar, node: Node) -> Artifact:
    name = builder.id(key, "an artifact")
    what = f"artifact '{name}'"
    found = builder.known(node, ("when", "format", "content"), what, required=("content",))
    format = builder.word(found.get("format"), ("json", "folder"), f"'format' of {what}", "json")
    when = builder.word(found.get("when"), ("always", "passed"), f"'when' of {what}", "always")
    content = blocks.expression(builder, found.get("content"), what)
    return Artifact(name, key, content, when == "passed", format)


def _example(builder: Builder, key: Scalar, node: Node) -> Example:
    name = builder.id(key, "an example")
    what = f"example '{name}'"
    found = builder.known(node, ("about", "inputs", "expected", "tolerance"), what, required=("inputs", "expected"))
    inputs, expected = found.get("inputs"), found.get("expected")
    return Example(
        name,
        key,
        {entry.key.text: plain(entry.value) for entry in builder.entries(inputs, f"'inputs' of {what}")},
        {entry.key.text: plain(entry.value) for entry in builder.entries(expected, f"'expected' of {what}")},
        builder.text(found.get("about"), f"'about' of {what}"),
        builder.number(found.get("tolerance"), f"'tolerance' of {what}", 1e-9),
    )


def _control(builder: Builder, key: Scalar, node: Node) -> Control:
    name = builder.id(key, "a control")
    what = f"control '{name}'"
    keys = ("about", "inputs", "at_most", "known_violation")
    found = builder.known(node, keys, what, required=("inputs", "at_most"))
    return Control(
        name,
        key,
        {
            entry.key.text: blocks.expression(builder, entry.value, f"{what}: {entry.key.text}")
            for entry in builder.entries(found.get("inputs"), f"'inputs' of {what}")
        },
        builder.number(found.get("at_most"), f"'at_most' of {what}", 0),
        builder.text(found.get("about"), f"'about' of {what}"),
        builder.text(found.get("known_violation"), f"'known_violation' of {what}"),
    )
