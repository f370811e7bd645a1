"""The JSON Schema of the language against rubrics and the builder, those of inputs against the record reader."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from rubric.engine.analysis import analyse
from rubric.engine.building import build
from rubric.engine.building.sections import SECTIONS
from rubric.engine.document import plain, read_document, read_file
from rubric.engine.evaluation import evaluate_case
from rubric.engine.faults import CallFault
from rubric.engine.json_schemas import input_schema, record_schema, schema_text
from rubric.engine.loading import bundled_names, load
from rubric.engine.plan import make_plan
from rubric.engine.report import RubricId
from rubric.engine.rubric import Rubric

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "rubrics" / "examples" / "witness"
ACCEPTED = sorted([*(ROOT / "rubrics").glob("*.yaml"), *(ROOT / "tests" / "rubrics" / "accepted").glob("*.yaml")])
LANGUAGE = json.loads(schema_text("rubric", None))
LANGUAGE_VALIDATOR = Draft202012Validator(LANGUAGE)
WITNESS = load("witness-1.5")


def as_json(value: Any) -> Any:
    """Plain YAML data as an editor hands it to a schema: every key is a text."""
    if isinstance(value, dict):
        return {str(key): as_json(member) for key, member in value.items()}
    return [as_json(member) for member in value] if isinstance(value, list) else value


def errors(data: Any) -> list[str]:
    found = sorted(LANGUAGE_VALIDATOR.iter_errors(data), key=lambda error: list(map(str, error.absolute_path)))
    return [f"{'.'.join(map(str, error.absolute_path))}: {error.message}" for error in found]


def minimal(**sections: Any) -> dict[str, Any]:
    return {"rubric": "r", "version": "1", "language": 1} | sections


# ---------------------------------------------------------------- the language


def test_the_schemas_are_valid_against_their_metaschema():
    for path in sorted((ROOT / "schemas").glob("*.json")):
        Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.name)
def test_every_accepted_rubric_validates(path: Path):
    assert errors(as_json(plain(read_file(path).root))) == []


def test_bundled_rubrics_point_to_the_schema():
    for path in sorted((ROOT / "rubrics").glob("*.yaml")):
        first = path.read_text(encoding="utf-8").splitlines()[0]
        match = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
        assert match, path
        assert (path.parent / match[1]).resolve() == ROOT / "schemas" / "rubric.schema.json"


EVERY_KEY = minimal(
    title="t",
    about="a",
    references=["a paper"],
    status="draft",
    errata=[{"date": "2026-01-01", "text": "wrong"}],
    unmeasured=0,
    inputs={
        "a": {"from": "reference", "format": "json", "record": "row", "default": [], "when_invalid": "null"},
        "b": {"from": "operator", "schema": "b.json", "list": True, "may_be_empty": True},
        "d": {"from": "operator", "links": {"rows.path": {"format": "file", "may_be_missing": True}}},
        "c": {
            "from": "candidate",
            "folder": {name: {name: "x"} for name in ("json", "jsonl", "yaml", "text", "file", "files")},
        },
    },
    constants={"table": {"by": "tier", "1": 0.5}},
    records={
        "row": {
            "fields": {"x | y": "number"},
            "becomes": {"x": "x"},
            "derived": {"z": "x"},
            "require": {"positive": "x > 0"},
            "when_invalid": "field_is_null",
        }
    },
    functions={"f(x)": {"step": "x", "when": "x > 0", "result": "step"}},
    preconditions={"p": {"for_each": {"row": "a"}, "require": ["true"]}},
    let={
        "u": {"use": "f", "with": {"x": 1}, "when": True},
        "t": {
            "for_each": {"n": "1..3"},
            "columns": {"m": "n"},
            "where": "m > 1",
            "key": "n",
            "value": "m",
            "when": True,
        },
        "g": {"group": "t", "by": ["n"], "columns": {"k": "count(m)"}, "when": True},
        "s": {"in_step": {"n": "0..3"}, "rows": 4, "columns": {"k": "n + frame"}, "when": True},
    },
    metrics={"m": {"value": "x", "where": "w", "credit": {"full": 3, "zero": 12}, "if_null": 0}},
    score={
        "quality": {"weighted": {"m": 1}, "caps": {"low": {"when": "m < 1", "at_most": 0.5, "because": "b"}}},
        "total": {"value": "quality"},
    },
    gates={
        "stage": {
            f"g_{word}": {"for": "t", "value": "each", word: 0, "otherwise": 0, "decide_on": ["lower"], "because": "b"}
            for word in ("at_least", "at_most", "above", "below")
        },
        "required": {"require": ["m > 0"]},
        "empty": {"none": "t"},
    },
    warnings={"w": {"when": "m > 0", "for_each": {"row": "t"}, "say": "s"}},
    values={"v": "m"},
    artifacts={"file": {"when": "passed", "format": "folder", "content": {"m": "m"}}},
    examples={
        "e": {
            "about": "a",
            "inputs": {},
            "expected": {"outcome": "pass", "score": 1, "metrics": {}, "values": {}, "gates": {}, "caps": {}},
            "tolerance": 0,
        }
    },
    controls={"c": {"about": "a", "inputs": {"c": {}}, "at_most": 0, "known_violation": "k"}},
)


def built(data: Any) -> list[str]:
    """The ids of the builder's findings about a rubric's shape."""
    return [finding.id for finding in build(read_document(json.dumps(data), "test.yaml"))[1]]


def described_keys(schema: Any) -> set[str]:
    """Every key that some object of the language's schema describes."""
    found: set[str] = set()
    waiting = [schema]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            described = current.get("properties", {})
            found |= {name for name, inner in described.items() if "description" in inner or "$ref" in inner}
            waiting += [member for name, member in current.items() if name != "enum"]
        elif isinstance(current, list):
            waiting += current
    return found


def written_keys(data: Any) -> set[str]:
    if isinstance(data, dict):
        return set(data).union(*map(written_keys, data.values()))
    return set().union(*map(written_keys, data)) if isinstance(data, list) else set()


def test_the_schema_and_the_builder_know_the_same_keys():
    """The schema's sections are the builder's; a rubric with every key that the schema describes is known to both."""
    assert list(LANGUAGE["properties"]) == list(SECTIONS)
    assert errors(EVERY_KEY) == []
    assert built(EVERY_KEY) == []
    assert described_keys(LANGUAGE) == {key for key in written_keys(EVERY_KEY) if key in described_keys(LANGUAGE)}


def test_every_key_has_a_description():
    """An editor shows it where the pointer rests; a `$ref` brings its target's."""
    waiting: list[tuple[str, Any]] = [("", LANGUAGE)]
    while waiting:
        place, schema = waiting.pop()
        if not isinstance(schema, dict):
            continue
        for name, inner in schema.get("properties", {}).items():
            negative = inner == {"not": {}}
            described = inner.get("description") or LANGUAGE["$defs"].get(inner.get("$ref", "")[8:], {}).get(
                "description"
            )
            assert negative or described, f"{place}.{name}"
        waiting += [(f"{place}.{name}", inner) for name, inner in schema.items() if isinstance(inner, dict)]


def mutations(data: Any, path: tuple = ()):
    """Each key of a document, misspelt alone: the path and the whole changed document."""
    if isinstance(data, dict):
        for name, member in data.items():
            yield (*path, name), {(f"{key}q" if key == name else key): value for key, value in data.items()}
            for inner, changed in mutations(member, (*path, name)):
                yield inner, {**data, name: changed}
    elif isinstance(data, list):
        for number, member in enumerate(data):
            for inner, changed in mutations(member, (*path, number)):
                yield inner, [*data[:number], changed, *data[number + 1 :]]


@pytest.mark.parametrize("data", [EVERY_KEY, as_json(plain(read_file(ROOT / "rubrics" / "witness-1.5.yaml").root))])
def test_misspelt_keys_are_refused_where_the_builder_refuses_them(data: Any):
    """Each once for its place, names that authors choose left out of the place."""
    known = described_keys(LANGUAGE)
    seen, refused = set(), 0
    for path, changed in mutations(data):
        place = tuple(part if part in known else "*" for part in path)
        if place in seen or place[-1] == "*":
            continue
        seen.add(place)
        if set(built(changed)) & {"unknown-key", "missing-key", "missing-limit", "wrong-shape", "bad-expression"}:
            refused += 1
            assert not LANGUAGE_VALIDATOR.is_valid(changed), path
    assert refused > 15


def test_what_the_schema_refuses_the_builder_refuses():
    for path, changed in mutations(EVERY_KEY):
        if "expected" not in path and not LANGUAGE_VALIDATOR.is_valid(changed):
            assert built(changed), path


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (minimal(version=1.10), "version: 1.1 is not of type 'string'"),
        (minimal(version="one"), "version: 'one' does not match"),
        (minimal(rubric="Bird Song"), "rubric: 'Bird Song' does not match"),
        (minimal(language=2), "language: 2 is not one of [1]"),
        (minimal(metrcs={}), ": Additional properties are not allowed ('metrcs' was unexpected)"),
        ({"version": "1", "language": 1}, ": 'rubric' is a required property"),
        (minimal(inputs={"a": {"from": "candidat"}}), "'candidat' is not one of"),
        (
            minimal(inputs={"a": {"from": "candidate", "folder": {"m": {"json": "a", "text": "b"}}}}),
            "too many properties",
        ),
        (minimal(inputs={"if": {"from": "candidate"}}), "'if' does not match"),
        (minimal(constants={"c": None}), "constants.c: None is not of type"),
        (minimal(functions={"f": 1}), "'f' does not match"),
        (minimal(let={"a": {"for_each": {"n": "1..3"}, "colums": {}}}), "('colums' was unexpected)"),
        (minimal(let={"a": {"use": "f", "wiht": {}}}), "('wiht' was unexpected)"),
        (minimal(let={"a": {"in_step": {}}}), "'rows' is a required property"),
        (minimal(score={"s": {"weighted": {"m": 1}, "value": 1}}), "should not be valid under {}"),
        (minimal(score={"s": {"caps": {}}}), "'value' is a required property"),
        (minimal(gates={"g": {"value": "m", "at_least": 1, "below": 2}}), "should not be valid under {}"),
        (minimal(gates={"g": {"at_least": 1}}), "'none' is a required property"),
        (minimal(gates={"g": {"value": 1, "at_least": 1, "decide_on": "middle"}}), "'middle' is not one of"),
        (minimal(warnings={"w": {"say": "s"}}), "warnings.w"),
        (minimal(controls={"c": {"inputs": {}, "at_most": "0.5"}}), "'0.5' is not of type 'number'"),
    ],
)
def test_messages_name_the_fault(data: Any, message: str):
    found = errors(data)
    assert any(message in error for error in found), found
    assert built(data) or "does not match '^[" in found[0]  # names and versions are a check's, not the builder's


# ---------------------------------------------------------------- `rubric schema`


def test_without_a_name_the_language_is_printed():
    assert schema_text(None, None) == schema_text("rubric", None)


def test_the_schema_of_reports_is_printed():
    assert json.loads(schema_text("report", None))["$schema"].endswith("2020-12/schema")


@pytest.mark.parametrize(
    ("name", "input", "message"),
    [
        ("witness-1.4", "prediction", "there is no schema and no rubric 'witness-1.4'; did you mean 'witness-1."),
        ("reprot", None, "there is no schema and no rubric 'reprot'; did you mean 'report'"),
        ("zzz", None, "there is no schema and no rubric 'zzz'; known: rubric, report, "),
        ("witness-1.5", None, "name an input: rubric schema witness-1.5 truth | prediction | usage"),
        ("witness-1.5", "predicton", "witness-1.5 has no input 'predicton'; did you mean 'prediction'?"),
        ("witness-1.5", "zzz", "witness-1.5 has no input 'zzz'; its inputs are: truth, prediction, usage"),
        ("rubric", "prediction", "'rubric' has no inputs; give the name of a rubric before 'prediction'"),
    ],
)
def test_unknown_names_are_told_apart(name: str, input: str | None, message: str):
    with pytest.raises(CallFault, match=re.escape(message)):
        schema_text(name, input)


def test_an_input_without_a_record_has_no_schema(tmp_path: Path):
    path = tmp_path / "plain.yaml"
    path.write_text(
        'rubric: r\nversion: "1"\nlanguage: 1\ninputs: {a: {from: candidate, format: text}}\n'
        "gates: {some: {require: a != null}}\n"
    )
    with pytest.raises(CallFault, match="no record of r-1 says what the input 'a' looks like"):
        schema_text(str(path), "a")


@pytest.mark.parametrize("name", ["form", "form.schema.json"])
def test_a_schema_beside_the_rubric_is_printed_as_it_is(name: str, tmp_path: Path):
    (tmp_path / "form.schema.json").write_text('{"type": "object"}', encoding="utf-8")
    path = tmp_path / "other.yaml"
    path.write_text(
        f'rubric: r\nversion: "1"\nlanguage: 1\ninputs: {{a: {{from: candidate, schema: {name}}}}}\n'
        "gates: {some: {require: a.x == 1}}\n",
        encoding="utf-8",
    )
    assert schema_text(str(path), "a") == '{"type": "object"}'


# ---------------------------------------------------------------- records


@pytest.mark.parametrize("name", bundled_names())
def test_every_input_of_a_bundled_rubric_has_a_valid_schema(name: str):
    rubric = load(name).rubric
    for declared in rubric.inputs.values():
        if declared.record is not None:
            Draft202012Validator.check_schema(json.loads(schema_text(name, declared.name)))


@pytest.mark.parametrize("name", ["witness-1.5", "witness-1.6"])
@pytest.mark.parametrize("scene", ["tier_1", "tier_2", "tier_3", "animated"])
@pytest.mark.parametrize("input", ["truth", "prediction"])
def test_the_examples_validate(name: str, scene: str, input: str):
    """The examples hold entries that break a `becomes` or a `require`, and none that break a type."""
    validator = Draft202012Validator(json.loads(schema_text(name, input)))
    value = json.loads((EXAMPLES / f"{scene}.{input}.json").read_text(encoding="utf-8"))
    assert [error.message for error in validator.iter_errors(value)] == []


def rubric_of(records: str, source: str = "{from: candidate, record: row}") -> Rubric:
    text = f'rubric: r\nversion: "1"\nlanguage: 1\ninputs: {{a: {source}}}\nrecords:\n{records}'
    rubric, findings = build(read_document(text, "test.yaml"))
    assert findings == []
    return rubric


def test_the_forms_of_types():
    rubric = rubric_of(
        """\
  inner: {fields: {x: any}}
  row:
    fields:
      a: text
      b: string or nothing
      c: number > 0
      d: integer from 1 to 5 or absent
      e: 0 | 1
      f: train | test or nothing
      g: text matching [0-9a-f]{64}
      h: list of inner
      i: map of number >= 0 or nothing
      j: inner or nothing
      k: string | number | boolean
      l: number < 0.5 | missing
      m: list of number or nothing, or absent
"""
    )
    schema = record_schema(rubric.records["row"])
    assert schema["required"] == ["a", "c", "e", "g", "h", "k", "l"]
    properties = {
        name: {k: v for k, v in field.items() if k != "description"} for name, field in schema["properties"].items()
    }
    assert properties == {
        "a": {"type": "string", "pattern": "\\S"},
        "b": {"type": ["string", "null"]},
        "c": {"type": "number", "exclusiveMinimum": 0},
        "d": {"type": "integer", "minimum": 1, "maximum": 5},
        "e": {"enum": [0, 1]},
        "f": {"enum": ["train", "test", None]},
        "g": {"type": "string", "pattern": "^(?:[0-9a-f]{64})$", "maxLength": 4096},
        "h": {"type": "array", "items": {"$ref": "#/$defs/inner"}},
        "i": {"type": ["object", "null"], "additionalProperties": {"type": "number", "minimum": 0}},
        "j": {"anyOf": [{"$ref": "#/$defs/inner"}, {"type": "null"}]},
        "k": {"type": ["string", "number", "boolean"]},
        "l": {"anyOf": [{"enum": ["missing"]}, {"type": "number", "exclusiveMaximum": 0.5}]},
        "m": {"type": "array", "items": {"type": ["number", "null"]}},
    }
    assert schema["properties"]["d"]["description"] == "integer from 1 to 5 or absent."


def test_of_several_fields_the_first_present_counts():
    rubric = rubric_of("  row: {fields: {frame | t | at: number}}\n")
    validator = Draft202012Validator(input_schema(rubric, rubric.inputs["a"]))
    good = [{"frame": 1}, {"t": 1}, {"at": 1}, {"frame": 1, "t": "x", "at": None}, {"t": 1, "at": "x"}]
    bad = [{}, {"frame": None, "t": 1}, {"t": "x", "at": 1}, {"at": None}]
    assert [validator.is_valid(value) for value in good + bad] == [True] * 5 + [False] * 4


def test_what_no_schema_can_say_is_told():
    schema = record_schema(WITNESS.rubric.records["event"])
    assert schema["description"] == (
        "Besides what this schema says: 'actor' becomes entity(actor, truth.actors), and null there is a fault; "
        "'object' becomes entity(object, truth.objects), and null there is a fault; 'at' is frames(frame, t); "
        "it is required that at >= 0 (not_before_the_start)."
    )


def test_a_line_of_a_jsonl_input_is_one_row():
    text = (
        'rubric: r\nversion: "1"\nlanguage: 1\nrecords: {row: {fields: {x: number}}}\n'
        "inputs: {rows: {from: candidate, format: jsonl, record: row}}\n"
    )
    rubric, _ = build(read_document(text, "test.yaml"))
    schema = input_schema(rubric, rubric.inputs["rows"])
    assert schema["description"].startswith("One line of the input 'rows' of r-1")
    assert schema["$ref"] == "#/$defs/row"


# ---------------------------------------------------------------- the schema and the reader agree

PLAIN = ["text", "string", "boolean", "any", "number", "integer"]
ATOMS = st.sampled_from(
    [*PLAIN, "number >= 0", "number < 2", "integer > 1", "number from -1 to 1", "0", "1.5", "yes", "no"]
)
ALONE = st.one_of(
    st.lists(ATOMS, min_size=1, max_size=3, unique=True).map(" | ".join),
    st.sampled_from(["inner", "list of inner", "text matching [ab]{1,3}|c+"]),
)
TYPES = st.builds(
    lambda collection, body, optional: f"{collection}{body}{optional}",
    st.sampled_from(["", "", "list of ", "map of "]),
    ALONE,
    st.sampled_from(["", "", " or nothing", " or absent", " or nothing, or nothing", " or absent, or absent"]),
).filter(lambda text: text.count(" or ") < 2 or " of " in text)
FIELDS = st.lists(
    st.tuples(st.sampled_from(["a", "b | c", "d | e | f"]), TYPES), unique_by=lambda field: field[0], max_size=3
)
# No text ends with a line feed: Python's $ matches before one, that of ECMA 262, the dialect of JSON Schema, does not.
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.5, 1.5, -1.0, 2.0, 1e300]),
    st.sampled_from(["", " ", "\t", "a", "ab", "cc", "yes", "no", "1"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abcdefxyz"), inner, max_size=4)
    ),
    max_leaves=8,
)
ROWS = st.one_of(st.dictionaries(st.sampled_from("abcdefx"), VALUES, max_size=5), VALUES)


@settings(max_examples=200, deadline=None)
@given(FIELDS, ROWS, st.sampled_from(["malformed", "field_is_null"]))
def test_the_schema_refuses_exactly_what_the_reader_finds_faulty(fields, value, when_invalid):
    lines = [f"      {name}: {json.dumps(type_)}" for name, type_ in fields]
    body = "\n".join(lines) if lines else "      z: any or nothing"
    rubric = rubric_of(
        f"  inner: {{fields: {{x: number >= 0, y: text or nothing}}}}\n"
        f"  row:\n    when_invalid: {when_invalid}\n    fields:\n{body}\n",
        "{from: candidate, record: row, list: true}",
    )
    report, _ = evaluate_case(make_plan(analyse(rubric)), RubricId("r", "1", ""), {"a": [value]}, engine="")
    diagnosed = [f"{diagnostic.path}: {diagnostic.reason}" for diagnostic in report.diagnostics]
    messages = [
        error.message for error in Draft202012Validator(input_schema(rubric, rubric.inputs["a"])).iter_errors(value)
    ]
    assert bool(messages) == bool(diagnosed), (messages, diagnosed)


PREDICTION = json.loads((EXAMPLES / "animated.prediction.json").read_text(encoding="utf-8"))
PREDICTION_VALIDATOR = Draft202012Validator(input_schema(WITNESS.rubric, WITNESS.rubric.inputs["prediction"]))


def places(value: Any, path: tuple = ()):
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from places(member, (*path, key))


def replaced(value: Any, path: tuple, by: Any) -> Any:
    if not path:
        return by
    if isinstance(value, dict):
        return {**value, path[0]: replaced(value[path[0]], path[1:], by)}
    return [replaced(member, path[1:], by) if n == path[0] else member for n, member in enumerate(value)]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(list(places(PREDICTION))), VALUES)
def test_a_changed_prediction_that_the_schema_refuses_is_diagnosed(path, by):
    """`becomes` and `require` find more than the schema, never less."""
    changed = replaced(PREDICTION, path, by)
    if not PREDICTION_VALIDATOR.is_valid(changed):
        report = WITNESS.run_case({"truth": EXAMPLES / "animated.truth.json", "prediction": changed})
        assert any(diagnostic.input == "prediction" for diagnostic in report.diagnostics)


def test_analysis_is_not_needed_for_a_schema():
    """A schema follows from the records alone, so a rubric whose expressions are wrong still has one."""
    rubric = rubric_of("  row: {fields: {x: number}, derived: {y: nowhere(x)}}\n")
    assert analyse(rubric).problems
    assert "'y' is nowhere(x)" in input_schema(rubric, rubric.inputs["a"])["$defs"]["row"]["description"]
