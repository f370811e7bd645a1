"""Every change of meaning is found, named, placed and can be made; what only changes text says nothing.

The expected changes of every edit were written by hand, in `tests/comparison/edits.yaml`.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric.engine.analysis import analyse
from rubric.engine.building import build
from rubric.engine.comparison import Change, Comparison, as_json, as_markdown, as_text, diff, impact
from rubric.engine.comparison.acceptance import accepts
from rubric.engine.comparison.changes import change as named
from rubric.engine.comparison.command import compare, compared
from rubric.engine.comparison.differences import differences, merged
from rubric.engine.comparison.families import FAMILIES
from rubric.engine.comparison.git import git_arguments
from rubric.engine.comparison.hybrids import Hybrids
from rubric.engine.comparison.impact import Flip, Movement
from rubric.engine.comparison.messages import MESSAGES, SUBJECTS
from rubric.engine.comparison.outline import outline
from rubric.engine.comparison.parts import Part
from rubric.engine.comparison.result import listed, side
from rubric.engine.document import read_document
from rubric.engine.faults import CallFault
from rubric.engine.findings import RubricError
from rubric.engine.json_text import encode
from rubric.engine.loading import LoadedRubric, bundled_names, load
from rubric.engine.meaning import canonical
from rubric.engine.rubric import (
    Artifact,
    Cap,
    Constant,
    Control,
    Definition,
    FieldRule,
    FieldType,
    FunctionDefinition,
    Gate,
    Input,
    Metric,
    Precondition,
    Record,
    Rubric,
    Score,
    Stage,
    Warning,
    Weight,
)

HERE = Path(__file__).parent.parent / "comparison"
BASE = (HERE / "panel-1.yaml").read_text(encoding="utf-8")
EDITS: dict[str, dict[str, Any]] = yaml.safe_load((HERE / "edits.yaml").read_text(encoding="utf-8"))
MIRRORED = {"added": "removed", "tightened": "loosened", "required": "optional", "changed": "changed"}
MIRRORED |= {after: before for before, after in MIRRORED.items()}
WAIVED: dict[str, str] = {}
"""Topics that know of one event without its opposite, each with the reason."""


def edited(text: str, edit: Mapping[str, str]) -> str:
    for before, after in edit.items():
        assert text.count(before) == 1, f"{before!r} stands {text.count(before)} times in the base"
        text = text.replace(before, after)
    return text


@cache
def built(text: str, name: str = "rubric.yaml") -> Rubric:
    """A rubric of the right shape; whether it is one that may be used is no matter here."""
    rubric, findings = build(read_document(text, name))
    assert not findings, findings[0].render()
    return rubric


@cache
def loaded(text: str, name: str = "rubric.yaml") -> LoadedRubric:
    rubric = built(text, name)
    return LoadedRubric(rubric, analyse(rubric), Path(name), ())


@cache
def outlined(text: str, name: str) -> Part:
    return outline(built(text, name))


def outlines(name: str) -> tuple[Part, Part]:
    """The parts of the base and of what an edit makes of it."""
    base = edited(BASE, EDITS[name].get("base", {}))
    return outlined(base, "old.yaml"), outlined(edited(BASE, EDITS[name]["edit"]), "new.yaml")


def changes_of(old: Part, new: Part) -> list[Change]:
    """What `diff` finds."""
    return [named(difference) for difference in differences(old, new)]


def mirrored(id: str) -> str:
    stem, _, event = id.rpartition("-")
    return f"{stem}-{MIRRORED[event]}"


@pytest.mark.parametrize("name", ["panel-1.yaml", "sums-1.yaml"])
def test_the_rubrics_of_these_tests_are_sound(name: str) -> None:
    load(HERE / name, strict=True)


# ---------------------------------------------------------------- what is found


@pytest.mark.parametrize("name", EDITS)
def test_edits_give_their_changes(name: str) -> None:
    old, new = outlines(name)
    found = [f"{change.id} {change.path}" for change in changes_of(old, new)]
    assert found == EDITS[name]["gives"]
    assert (old.meaning == new.meaning) == (not found)


@pytest.mark.parametrize("name", EDITS)
def test_the_other_way_round_every_change_is_its_opposite(name: str) -> None:
    old, new = outlines(name)
    there, back = changes_of(old, new), changes_of(new, old)
    assert sorted(mirrored(change.id) for change in there) == sorted(change.id for change in back)
    turned = {(change.new, change.old, change.new_position, change.old_position) for change in there}
    assert turned == {(change.old, change.new, change.old_position, change.new_position) for change in back}
    opposite = {None: None, "tightened": "loosened", "loosened": "tightened"}
    assert sorted(str(opposite[change.effect]) for change in there) == sorted(str(change.effect) for change in back)


@pytest.mark.parametrize("name", EDITS)
def test_all_changes_made_to_the_old_give_the_new(name: str) -> None:
    old, new = outlines(name)
    rubric = merged(old, new, frozenset(change.route for change in changes_of(old, new)))
    assert encode(canonical(rubric)) == new.meaning
    assert merged(old, new, frozenset()) is old.value


@pytest.mark.parametrize("name", [name for name, entry in EDITS.items() if not entry.get("coupled")])
def test_a_change_made_alone_is_the_only_difference(name: str) -> None:
    old, new = outlines(name)
    for change in changes_of(old, new):
        hybrid = outline(merged(old, new, frozenset({change.route})))
        assert [found.route for found in differences(old, hybrid)] == [change.route]


def fitting(names: list[str]) -> str:
    """The base with as many of the edits as can be made one after another."""
    text = BASE
    for name in names:
        edit = EDITS[name]["edit"]
        if all(text.count(before) == 1 for before in edit) and "base" not in EDITS[name]:
            try:
                text = edited(text, edit)
            except AssertionError:
                continue
    return text


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(sorted(EDITS)), min_size=2, max_size=9, unique=True), st.data())
def test_any_edits_at_once(names: list[str], data: st.DataObject) -> None:
    text = fitting(names)
    before, after = outlined(BASE, "old.yaml"), outlined(text, "new.yaml")
    there, back = changes_of(before, after), changes_of(after, before)
    assert (before.meaning == after.meaning) == (not there)
    assert sorted(mirrored(change.id) for change in there) == sorted(change.id for change in back)
    everything = merged(before, after, frozenset(change.route for change in there))
    assert encode(canonical(everything)) == after.meaning
    some = tuple(data.draw(st.lists(st.sampled_from(there), unique=True))) if there else ()
    hybrid = Hybrids(loaded(BASE), loaded(text), there).with_changes(some)
    if hybrid is not None:
        assert hybrid.plan.rubric is hybrid.rubric


def test_an_order_that_leaves_a_name_undefined_makes_no_hybrid() -> None:
    text = edited(BASE, EDITS["derived_order"]["edit"])
    there = changes_of(outlined(BASE, "old.yaml"), outlined(text, "new.yaml"))
    value, order = there
    hybrids = Hybrids(loaded(BASE), loaded(text), there)
    assert hybrids.with_changes((order,)) is None
    assert [hybrids.group(change).changes for change in there] == [(value,), (value, order)]


KNOWN = {
    Input: "name key origin format record schema when_invalid default has_default many may_be_empty folder links",
    Constant: "name key value node by",
    Record: "name key fields becomes derived require keys when_invalid",
    FieldRule: "names type key",
    FieldType: "atoms optional text",
    FunctionDefinition: "key function",
    Precondition: "name key requirements each",
    Definition: "name key tree",
    Metric: "name key value where full zero if_null",
    Score: "name key weights value caps",
    Weight: "metric value text key node",
    Cap: "name key when at_most because",
    Gate: "name key each value word limit requirements none otherwise decide_on because",
    Stage: "name gates",
    Warning: "name key say when each",
    Artifact: "name key content when_passed format",
    Control: "name key inputs at_most about known_violation",
}


@pytest.mark.parametrize("kind", KNOWN, ids=lambda kind: kind.__name__)
def test_no_attribute_of_a_rubric_escapes_comparison(kind: type) -> None:
    """What is new in a rubric is to be a part of its outline, and to stand here then."""
    assert [part.name for part in fields(kind)] == KNOWN[kind].split()


@pytest.mark.parametrize("name", bundled_names())
def test_bundled_rubrics_are_taken_apart_without_loss(name: str) -> None:
    whole = outline(load(name).rubric)
    for part in parts(whole):
        assert (
            part.make is None
            or encode(part.form(part.make({k: p.value for k, p in part.parts.items()}))) == part.meaning
        )


# ---------------------------------------------------------------- the families


def test_every_change_that_is_known_occurs_in_an_edit() -> None:
    given = {line.split(" ")[0] for entry in EDITS.values() for line in entry["gives"]}
    assert {*given, *map(mirrored, given)} == set(MESSAGES)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.topic)
def test_what_can_be_added_can_be_removed(family) -> None:
    for event, opposite in (("added", "removed"), ("tightened", "loosened")):
        alone = (event in family.events) != (opposite in family.events)
        assert not alone or WAIVED.get(family.topic), f"'{family.topic}' handles only one of {event} and {opposite}"


def test_waivers_are_needed_and_say_why() -> None:
    assert all(reason.strip() for reason in WAIVED.values())
    assert set(WAIVED) <= {family.topic for family in FAMILIES}


def test_families_are_told_apart() -> None:
    topics = [family.topic for family in FAMILIES]
    assert len(set(topics)) == len(topics)
    assert set(SUBJECTS) == set(topics)


def parts(part: Part) -> Iterator[Part]:
    yield part
    for inner in part.parts.values():
        yield from parts(inner)


def test_every_part_belongs_to_a_family_and_has_a_place() -> None:
    topics = {family.topic for family in FAMILIES}
    for part in parts(outlined(BASE, "old.yaml")):
        if part.topic not in ("section", "rubric"):
            assert part.topic in topics
            assert part.position is not None, part.path
        assert not part.order or part.order in topics


def test_parts_put_together_again_are_what_they_were() -> None:
    for part in parts(outlined(BASE, "old.yaml")):
        if part.make is not None:
            again = part.make({key: inner.value for key, inner in part.parts.items()})
            assert encode(part.form(again)) == part.meaning, part.path


# ---------------------------------------------------------------- places, texts, directions


def the_change(edit: Mapping[str, str]) -> Change:
    changes = diff(loaded(BASE, "old.yaml"), loaded(edited(BASE, edit), "new.yaml"))
    assert len(changes) == 1
    return changes[0]


def line_of(text: str) -> int:
    return BASE[: BASE.index(text)].count("\n") + 1


def test_a_change_shows_both_sides_as_written_with_their_places() -> None:
    change = the_change({"1: 0.50, 2: 0.25": "1: 0.50,\n                2: 0.3"})
    assert (change.old, change.new) == ("0.25", "0.3")
    line = line_of("tolerance:  {")
    assert str(change.old_position) == f"old.yaml:{line}:39"
    assert str(change.new_position) == f"new.yaml:{line + 1}:20"


def test_what_was_added_has_only_the_new_side() -> None:
    change = the_change({"at_least: 2}": "at_least: 2, otherwise: 0}"})
    assert (change.old, change.new, change.old_position) == (None, "0", None)
    assert str(change.new_position) == f"new.yaml:{line_of('group_best:')}:71"
    assert change.effect == "tightened"


def test_a_change_inside_a_block_shows_only_its_line() -> None:
    change = the_change({"within: tolerance * window": "within: tolerance * (window + 1)"})
    assert (change.path, change.old, change.new) == (
        "let.pairs.within",
        "tolerance * window",
        "tolerance * (window + 1)",
    )


def test_a_limit_with_another_word_shows_the_word() -> None:
    change = the_change({"at_least: 2": "above: 1"})
    assert (change.id, change.old, change.new) == ("gate-limit-loosened", "at_least: 2", "above: 1")


def test_a_value_that_changes_only_with_a_constant_is_not_itself_reported() -> None:
    assert the_change({"window:     2": "window:     3"}).path == "constants.window"


def field(text: str) -> FieldType:
    source = f"""
rubric: r
version: "1"
language: 1
inputs: {{x: {{from: reference, record: it}}}}
records:
  other: {{fields: {{a: text}}}}
  it:
    fields:
      f: {text}
"""
    rubric, findings = build(read_document(source, "r.yaml"))
    assert not findings
    return rubric.records["it"].fields[0].type


@pytest.mark.parametrize(
    ("wide", "narrow", "covers", "covered"),
    [
        ("any", "number", True, False),
        ("string", "text", True, False),
        ("string", "a | b", True, False),
        ("text", "a | b", True, False),
        ("text matching [ab]+", "a | b", True, False),
        ("text matching [ab]+", "a | c", False, False),
        ("text matching [ab]+", "text", False, False),
        ("text | number", "text", True, False),
        ("number", "integer", True, False),
        ("number", "number >= 0", True, False),
        ("number >= 0", "number > 0", True, False),
        ("number > 0", "number >= 0", False, True),
        ("number >= 0", "number from 0 to 1", True, False),
        ("number <= 1", "number from 0 to 1", True, False),
        ("number < 1", "number from 0 to 1", False, False),
        ("number from 0 to 2", "0 | 1 | 2", True, False),
        ("integer", "1 | 2", True, False),
        ("integer", "1.5 | 2", False, False),
        ("1 | 2 | 3", "1 | 2", True, False),
        ("a | b", "1 | 2", False, False),
        ("list of text", "list of a | b", True, False),
        ("list of number", "map of number", False, False),
        ("map of number", "map of integer", True, False),
        ("list of other", "list of other", True, True),
        ("other", "any", False, True),
        ("boolean", "boolean", True, True),
        ("boolean", "text", False, False),
    ],
)
def test_which_types_accept_all_that_others_accept(wide: str, narrow: str, covers: bool, covered: bool) -> None:
    assert accepts(field(wide), field(narrow)) is covers
    assert accepts(field(narrow), field(wide)) is covered


# ---------------------------------------------------------------- what changes do to scores

SUMS = (HERE / "sums-1.yaml").read_text(encoding="utf-8")
CASES = [
    {"id": "left", "inputs": {"entry": {"a": 1, "b": 0}}},
    {"id": "right", "inputs": {"entry": {"a": 0, "b": 1}}},
    {"id": "both", "inputs": {"entry": {"a": 1, "b": 1}}},
]


def sums(edit: Mapping[str, str]) -> tuple[LoadedRubric, LoadedRubric]:
    return loaded(SUMS, "old.yaml"), loaded(edited(SUMS, edit), "new.yaml")


def test_scores_gates_and_ranks_that_moved() -> None:
    old, new = sums({"a: 0.5, b: 0.5": "a: 0.75, b: 0.25", "at_least: 0.5": "at_least: 0.6"})
    found = impact(old, new, CASES)
    assert (found.cases, found.errors) == (3, 0)
    assert found.movement == Movement(2, 0.5, 0.25, "left")
    left, right = found.moved
    assert (left.case, left.before, left.after, left.move) == ("left", 0.5, 0.75, 0.25)
    assert (left.rank_before, left.rank_after, left.flips) == (2, 2, ())
    assert (right.case, right.before, right.after, right.move) == ("right", 0.5, 0.25, -0.25)
    assert (right.rank_before, right.rank_after) == (2, 3)
    assert right.flips == (Flip("floor", "held", "failed"),)
    assert (right.outcome_before, right.outcome_after) == ("pass", "fail")
    assert found.rank_changes == 1


def test_each_change_alone_and_weights_only_together() -> None:
    old, new = sums({"a: 0.5, b: 0.5": "a: 0.75, b: 0.25", "at_least: 0.5": "at_least: 0.6"})
    found = impact(old, new, CASES)
    weight_a, weight_b, limit = found.alone
    assert weight_a.change.path == "score.total.weighted.a"
    assert weight_a.needs == (weight_b.change,)
    assert weight_b.needs == (weight_a.change,)
    assert weight_a.movement == weight_b.movement == Movement(2, 0.5, 0.25, "left")
    assert limit.needs == ()
    assert limit.movement == Movement(2, 0.0, 0.0, None)  # two gates flip, no score moves


def test_a_change_takes_what_it_refers_to_with_it() -> None:
    old, new = sums(
        {
            "  half: 0.5\n": "  half: 0.5\n  twice: 2\n",
            "double(x): 2 * x": "times(x, n): n * x",
            "whole: double(half)": "whole: times(half, twice)",
            "at_least: 0.5": "at_least: 0.4",
        }
    )
    changes = {change.path: change for change in diff(old, new)}
    hybrids = Hybrids(old, new, tuple(changes.values()))
    groups = {path: [other.path for other in hybrids.group(change).changes] for path, change in changes.items()}
    renamed = ["functions.times", "functions.double", "let.whole"]
    assert groups["constants.twice"] == ["constants.twice"]
    assert groups["functions.times"] == ["functions.times"]
    assert set(groups["functions.double"]) == {"constants.twice", *renamed}
    assert set(groups["let.whole"]) == {"constants.twice", "functions.times", "let.whole"}
    assert groups["gates.floor.at_least"] == ["gates.floor.at_least"]


def test_a_record_that_goes_takes_its_readers_with_it() -> None:
    old, new = sums({"record: entry}": "record: it}", "  entry: {fields": "  it: {fields"})
    changes = diff(old, new)
    hybrids = Hybrids(old, new, changes)
    by_id = {change.id: [other.id for other in hybrids.group(change).changes] for change in changes}
    assert by_id["record-added"] == ["record-added"]
    assert set(by_id["input-record-changed"]) == {"input-record-changed", "record-added"}
    assert set(by_id["record-removed"]) == {"input-record-changed", "record-added", "record-removed"}


def test_an_input_that_only_one_version_has_is_not_given_to_the_other() -> None:
    old, new = sums(
        {
            "constants:": "  spent: {from: operator, record: usage}\nconstants:",
            "records:": "records:\n  usage: {fields: {cost: number}}",
            "b: entry.b": "b: entry.b - spent.cost",
        }
    )
    cases = [{"id": "one", "inputs": {"entry": {"a": 1, "b": 1}, "spent": {"cost": 0.5}}}, *CASES]
    found = impact(old, new, cases)
    assert found.errors == 3  # the other cases have no usage, which the new version needs
    assert found.moved[0].before == 1
    assert found.moved[0].after == 0.75


@pytest.mark.parametrize("case", [{"id": "x"}, {"id": "x", "inputs": {"entree": {}}}, {"inputs": 3}, [], "text", None])
def test_a_broken_case_stops_nothing_and_is_counted(case: Any) -> None:
    old, new = sums({"a: 0.5, b: 0.5": "a: 0.75, b: 0.25"})
    found = impact(old, new, [case, *CASES])
    assert (found.cases, found.errors, found.movement.cases) == (4, 1, 2)


def test_a_score_that_is_lost_has_moved_without_a_distance() -> None:
    old, new = sums({"b: entry.b": "b: entry.b / 0"})
    found = impact(old, new, CASES)
    assert found.movement == Movement(3, 0.0, 0.0, None)
    assert [(case.after, case.move, case.rank_after) for case in found.moved] == [(None, None, None)] * 3


def test_no_change_moves_nothing() -> None:
    old, _ = sums({})
    found = impact(old, old, CASES)
    assert (found.movement, found.moved, found.alone, found.rank_changes) == (Movement(0, 0.0, 0.0, None), (), (), 0)


def test_rounding_is_no_movement() -> None:
    old, new = sums({"b: entry.b": "b: entry.b + 0.0000000001"})
    assert impact(old, new, CASES).movement.cases == 0


# ---------------------------------------------------------------- how it is shown


def compare_texts(edit: Mapping[str, str], cases: list[dict[str, Any]] | None = None) -> Comparison:
    old, new = sums(edit)
    changes = diff(old, new)
    return Comparison(side(old), side(new), changes, None if cases is None else impact(old, new, cases, changes))


def test_text() -> None:
    edit = {
        'version: "1"': 'version: "2"',
        "at_least: 0.5": "at_least: 0.60",
        "score:": "  c: entry.a\nscore:",
        "a: 0.5, b: 0.5": "a: 0.75, b: 0.25",
    }
    assert as_text(compare_texts(edit, CASES)) == (HERE / "changes.txt").read_text(encoding="utf-8")


def test_markdown() -> None:
    edit = {"a: number,": "a | a_: number,", "at_least: 0.5": 'at_least: 0.6, because: "`|` <b>"'}
    assert as_markdown(compare_texts(edit, CASES)) == (HERE / "changes.md").read_text(encoding="utf-8")


def test_json() -> None:
    edit = {"a: 0.5, b: 0.5": "a: 0.75, b: 0.25", "at_least: 0.5": "at_least: 0.6"}
    found = json.loads(as_json(compare_texts(edit, CASES)))
    assert (found["diff"], found["same"], found["old"]["version"]) == (1, False, "1")
    assert found["changes"][2] == {
        "id": "gate-limit-tightened",
        "kind": "tightened",
        "effect": "tightened",
        "path": "gates.floor.at_least",
        "message": "a gate's limit is harder to reach",
        "old": "0.5",
        "new": "0.6",
        "old_at": {"file": "old.yaml", "line": 21, "column": 35},
        "new_at": {"file": "new.yaml", "line": 21, "column": 35},
    }
    assert found["impact"]["movement"] == {"cases": 2, "total": 0.5, "largest": 0.25, "largest_case": "left"}
    assert found["impact"]["alone"][1] == {
        "change": 1,
        "path": "score.total.weighted.b",
        "needs": [0],
        "cases": 2,
        "total": 0.5,
        "largest": 0.25,
        "largest_case": "left",
        "share": 1.0,
    }
    assert found["impact"]["moved"][1]["gates"] == [{"id": "floor", "before": "held", "after": "failed"}]


def test_what_is_the_same_says_so() -> None:
    same = compare_texts({"at_least: 0.5": "at_least: 0.50"})
    assert as_text(same) == "sums 1 and sums 1 mean the same: old.yaml, new.yaml\n"
    assert as_markdown(same) == "# sums 1 and sums 1 mean the same: old.yaml, new.yaml\n"
    assert json.loads(as_json(same))["changes"] == []


def test_no_text_of_a_rubric_reaches_a_terminal_raw() -> None:
    shown = as_text(compare_texts({"at_least: 0.5": 'at_least: 0.5, because: "\\e[2J\\u202e"'}))
    assert "\x1b" not in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize(
    ("numbers", "text"), [((), ""), ((1,), "1"), ((1, 2), "1, 2"), ((1, 2, 3), "1-3"), ((1, 3, 4, 5, 9), "1, 3-5, 9")]
)
def test_numbers_are_listed_shortly(numbers: tuple[int, ...], text: str) -> None:
    assert listed(numbers) == text


# ---------------------------------------------------------------- the command


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(SUMS, encoding="utf-8")
    new.write_text(edited(SUMS, {"at_least: 0.5": "at_least: 0.6"}), encoding="utf-8")
    return old, new


def test_the_command_exits_with_1_where_something_differs(files: tuple[Path, Path]) -> None:
    line = [sys.executable, "-m", "rubric.engine.cli", "diff", *map(str, files)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == compare([str(path) for path in files])[0]


def test_what_cannot_be_compared_is_refused(files: tuple[Path, Path]) -> None:
    old, new = map(str, files)
    with pytest.raises(CallFault, match="two rubrics, OLD and NEW, not 1"):
        compare([old])
    with pytest.raises(RubricError, match="there is no such file"):
        compare([old, f"{new}.yaml"])
    with pytest.raises(CallFault, match=r"none\.jsonl does not exist"):
        compare([old, new], Path("none.jsonl"))


def test_cases_of_a_file_are_read_beside_it(files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "entry.json").write_text('{"a": 1, "b": 0}', encoding="utf-8")
    lines = ['{"id": "one", "inputs": {"entry": "entry.json"}}', "no json", json.dumps(CASES[2])]
    (tmp_path / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    text, different = compare([str(path) for path in files], tmp_path / "cases.jsonl", "json")
    found = json.loads(text)["impact"]
    assert different
    assert (found["cases"], found["errors"], [case["case"] for case in found["moved"]]) == (3, 1, ["one"])
    assert found["failed"] == ["line 2"]


def test_cases_of_a_folder(files: tuple[Path, Path], tmp_path: Path) -> None:
    for name, a in (("first", 1), ("second", 2)):
        (tmp_path / "cases" / name).mkdir(parents=True)
        (tmp_path / "cases" / name / "entry.json").write_text(json.dumps({"a": a, "b": 0}), encoding="utf-8")
    found = json.loads(compare([str(path) for path in files], tmp_path / "cases", "json")[0])["impact"]
    assert (found["cases"], [case["case"] for case in found["moved"]]) == (2, ["first"])


def test_errors_of_both_rubrics_come_in_one_run(files: tuple[Path, Path]) -> None:
    for path in files:
        path.write_text(path.read_text(encoding="utf-8").replace("entry.b", "entry.c"), encoding="utf-8")
    with pytest.raises(RubricError) as caught:
        compare([str(path) for path in files])
    places = {finding.position.file for finding in caught.value.findings if finding.position}
    assert places == {str(path) for path in files}


def test_the_same_comparison_has_the_same_bytes() -> None:
    old, new = (loaded(text, "r.yaml") for text in (BASE, edited(BASE, {"window:     2": "window:     3"})))
    assert as_json(compared(old, new)) == as_json(compared(old, new))


# ---------------------------------------------------------------- git


def test_arguments_of_git() -> None:
    found = git_arguments(["r.yaml", "/tmp/x_r.yaml", "1f", "100644", "r.yaml", "2e", "100644"])
    assert found.old is not None
    assert found.new is not None
    assert (found.path, found.old.name, found.new.name) == ("r.yaml", "a/r.yaml", "b/r.yaml")
    assert (str(found.old.file), str(found.new.file)) == ("/tmp/x_r.yaml", "r.yaml")
    added = git_arguments(["r.yaml", "/dev/null", ".", ".", "r.yaml", "2e", "100644"])
    assert added.old is None
    renamed = git_arguments(["r.yaml", "/tmp/x", "1f", "100644", "/tmp/y", "2e", "100644", "s.yaml", "similarity"])
    assert renamed.new is not None
    assert renamed.new.name == "b/s.yaml"
    unmerged = git_arguments(["r.yaml"])
    assert (unmerged.old, unmerged.new) == (None, None)
    with pytest.raises(CallFault, match="7 arguments, not 2"):
        git_arguments(["old.yaml", "new.yaml"])


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.fail("git is needed to test the diff driver")
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitattributes").write_text("*.yaml diff=rubric\n", encoding="utf-8")
    git(tmp_path, "config", "diff.rubric.command", f'"{sys.executable}" -m rubric.engine.cli diff --git')
    for name in ("r.yaml", "t.yaml"):
        (tmp_path / name).write_text(SUMS, encoding="utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first")
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_git_shows_changes_of_meaning_alone(repository: Path) -> None:
    (repository / "r.yaml").write_text(edited(SUMS, {"at_least: 0.5": "at_least: 0.6"}), encoding="utf-8")
    (repository / "t.yaml").write_text(f"# a comment\n{SUMS}", encoding="utf-8")
    shown = git(repository, "diff")
    assert "gates.floor.at_least: 0.5 -> 0.6" in shown
    assert "a/r.yaml:21:35 -> b/r.yaml:21:35" in shown
    assert shown.endswith("\nsums 1 and sums 1 mean the same: a/t.yaml, b/t.yaml\n")


def test_git_goes_on_past_what_cannot_be_compared(repository: Path) -> None:
    (repository / "r.yaml").write_text("rubric: [", encoding="utf-8")
    (repository / "s.yaml").write_text(SUMS, encoding="utf-8")
    git(repository, "add", "s.yaml")
    shown = git(repository, "diff", "HEAD")
    assert "r.yaml: no comparison, as these must be mended first\nb/r.yaml:" in shown
    assert shown.endswith("s.yaml: the rubric was added\n")


def test_git_removes_and_renames(repository: Path) -> None:
    git(repository, "mv", "r.yaml", "u.yaml")
    assert git(repository, "diff", "--find-renames", "HEAD", "--", "r.yaml", "u.yaml") == (
        "sums 1 and sums 1 mean the same: a/r.yaml, b/u.yaml\n"
    )
    (repository / "t.yaml").unlink()
    assert git(repository, "diff") == "t.yaml: the rubric was removed\n"
