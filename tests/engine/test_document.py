"""Reading YAML: what is accepted with which value and place, and what is refused, where, and in which words."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rubric.engine.document import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_FINDINGS,
    Document,
    Mapping,
    Node,
    Scalar,
    Sequence,
    plain,
    read_document,
    read_file,
)
from rubric.engine.document import reading as reader
from rubric.engine.document.loader import PureLoader
from rubric.engine.document.places import places
from rubric.engine.document.scalars import UnreadableNumber, read_plain
from rubric.engine.findings import Finding, Position, RubricError

FILES = Path(__file__).parents[1] / "documents"
LOADERS = [getattr(yaml, "CSafeLoader", PureLoader), PureLoader]


@contextmanager
def parsing_with(loader: type) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "LOADER", loader)
        yield


@pytest.fixture(params=LOADERS, ids=["libyaml", "pure"])
def loader(request: pytest.FixtureRequest) -> Iterator[type]:
    with parsing_with(request.param):
        yield request.param


def findings_of(source: bytes | str, name: str = "x.yaml") -> tuple[Finding, ...]:
    with pytest.raises(RubricError) as caught:
        read_document(source, name)
    return caught.value.findings


def only_finding(source: bytes | str) -> Finding:
    (finding,) = findings_of(source)
    return finding


def scalar_at(text: str, key: str = "x") -> tuple[Document, Scalar]:
    document = read_document(text, "x.yaml")
    node = document.root.get(key)
    assert isinstance(node, Scalar)
    return document, node


def place_of(text: str, character: str) -> tuple[int, int]:
    """Where `character`, which the value of `x` holds once, stands according to the document."""
    document, node = scalar_at(text)
    position = document.position(node, node.text.index(character))
    return position.line, position.column


def scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item)
    else:
        for entry in node.entries:
            yield entry.key
            yield from scalars(entry.value)


# Refused files: each finding as id, line, column. The places were counted by hand.

REFUSED: dict[str, list[tuple[str, int, int]]] = {
    "alias": [("anchor", 1, 9), ("alias", 2, 9)],
    "anchor": [("anchor", 1, 9), ("anchor", 4, 5)],
    "block_scalar_header": [("yaml-syntax", 3, 15), ("yaml-syntax", 4, 14)],
    "bracket_never_closed": [("yaml-syntax", 2, 10)],
    "bracket_then_text": [("yaml-syntax", 1, 8), ("yaml-syntax", 2, 8), ("yaml-syntax", 3, 7)],
    "colon_in_value": [("yaml-syntax", 1, 14), ("yaml-syntax", 2, 9), ("yaml-syntax", 3, 9)],
    "comma_trap": [("comma-trap", 2, 19), ("comma-trap", 4, 31)],
    "comma_trap_in_list": [("comma-trap", 2, 6)],
    "comma_trap_in_text": [("comma-trap", 2, 19), ("comma-trap", 3, 18)],
    "comma_trap_nested": [("comma-trap", 2, 16), ("comma-trap", 3, 14), ("comma-trap", 4, 14)],
    "comma_trap_with_duplicates": [("comma-trap", 1, 15)],
    "cut_at_bracket": [("comma-trap", 2, 20), ("comma-trap", 4, 22), ("comma-trap", 5, 17)],
    "directive": [("directive", 1, 1)],
    "document_twice": [("several-documents", 2, 1)],
    "duplicate_key": [("duplicate-key", 4, 3), ("duplicate-key", 5, 1), ("duplicate-key", 5, 17)],
    "duplicate_key_equal_values": [("duplicate-key", 3, 3), ("duplicate-key", 4, 3)],
    "empty": [("empty-file", 1, 1)],
    "empty_comments": [("empty-file", 1, 1)],
    "empty_document": [("empty-file", 1, 1)],
    "flow_entry_missing_comma": [("yaml-syntax", 2, 7)],
    "indentation": [("yaml-syntax", 3, 3)],
    "infinity": [
        ("not-finite", 1, 4),
        ("not-finite", 2, 4),
        ("not-finite", 3, 4),
        ("not-finite", 4, 5),
        ("not-finite", 4, 12),
        ("not-finite", 4, 18),
        ("not-finite", 4, 24),
        ("not-finite", 5, 1),
    ],
    "key_not_normalized": [("key-not-normalized", 2, 3)],
    "key_not_scalar": [("key-not-scalar", 1, 3), ("key-not-scalar", 3, 1), ("key-not-scalar", 4, 1)],
    "line_without_colon": [("yaml-syntax", 2, 1)],
    "list_beside_key": [("yaml-syntax", 1, 9)],
    "many_at_once": [
        ("tag", 1, 9),
        ("anchor", 2, 10),
        ("duplicate-key", 3, 1),
        ("not-finite", 5, 6),
        ("comma-trap", 6, 14),
        ("comma-trap", 7, 16),
        ("duplicate-key", 8, 3),
        ("alias", 8, 6),
    ],
    "merge_key": [("merge-key", 4, 3)],
    "no_break_space": [("odd-space", 3, 1)],
    "no_break_space_after_colon": [("odd-space", 2, 10), ("yaml-syntax", 3, 12)],
    "no_break_space_alone": [("odd-space", 3, 4)],
    "number_too_long": [("number-too-long", 1, 7), ("not-finite", 2, 8), ("number-too-long", 3, 8)],
    "quote_never_closed": [("yaml-syntax", 1, 8)],
    "quote_with_apostrophe": [("yaml-syntax", 1, 8)],
    "reserved_character": [("yaml-syntax", line, 4) for line in range(1, 6)],
    "root_list": [("top-level", 1, 1)],
    "root_text": [("top-level", 1, 1)],
    "tab": [("tab", 2, 1)],
    "tab_after_key": [("tab", 2, 10), ("tab", 3, 15)],
    "tab_in_flow": [("tab", 2, 1), ("tab", 3, 1)],
    "tag": [("tag", 1, 4), ("tag", 2, 4), ("tag", 4, 5)],
    "too_deep": [("too-deep", 1, 67)],
    "undefined_tag_handle": [("tag", 1, 4)],
    "unknown_escape": [("yaml-syntax", 1, 11), ("yaml-syntax", 3, 8)],
    "value_missing": [("yaml-syntax", 1, 4)],
}

STRINGS = "no No on yes y off 12:30 2026-01-01 1_000 0b1 0o8 0xg .mp4 1.2.3 1e + - . ... tRue nULL .inf. 1 null"
ACCEPTED = {
    "byte_order_mark": {"rubric": "x", "version": "1"},
    "core_schema": {
        "nulls": [None, None, None, None],
        "empty": None,
        "booleans": [True, True, True, False, False, False],
        "integers": [0, -7, 7, 12, 15, 31, 123456789012345678901234567890],
        "floats": [1.5, -0.5, 5.0, 0.001, 1000.0, 100.0, 0.1, -0.0],
        "strings": STRINGS.split(),
    },
    "flow": {
        "credit": {"full": 3, "zero": 12},
        "nested": {"a": {"b": [1, [2, 3]]}, "quoted": "x, y", "c": None, "d": "f(x) or (y)"},
        "smile": {"say": "well done :)", "other": "a) first"},
        "split": {"a": 1, "b": 2, "c": None},
        "words": ["a)", "b)", "c)"],
        "set": {"a": None, "b": None},
        "pairs": [{"a": 1}, {"b": 2}],
    },
    "keys": {
        1: "one",
        0.5: "half",
        False: "no",
        None: "nothing",
        "2": "text",
        "a b": "c",
        "long": "way",
        "<<": "text",
    },
    "question_marks": {"value": {"value": "a ?? 0", "other": "b?c"}, "list": ["x ?? y"]},
    "scalars": {
        "plain": "over two lines\nand a paragraph",
        "single": "it's folded",
        "double": "tab\there joined é",
        "literal": "one\n  two\n\nthree\n",
        "folded": "one two\nthree",
        "kept": "end\n\n",
    },
    "sequence_at_key_indentation": {"list": ["a", ["b", "c"], {"d": "e"}]},
    "start_and_end_markers": {"rubric": "x"},
    "white_space_in_texts": {"title": "a\u00a0b\tc\td", "literal": "x\ty\n\u00a0z\n", "mixed": "10\u00a0000 items"},
}


def test_every_example_file_is_expected() -> None:
    assert {path.stem for path in (FILES / "refused").glob("*.yaml")} == set(REFUSED)
    assert {path.stem for path in (FILES / "accepted").glob("*.yaml")} == {*ACCEPTED, "depth"}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_files(name: str, loader: type) -> None:
    with pytest.raises(RubricError) as caught:
        read_file(FILES / "refused" / f"{name}.yaml")
    found = [(item.id, item.position.line, item.position.column) for item in caught.value.findings if item.position]
    # PyYAML without libyaml stops at the first tab
    assert found == (REFUSED[name][:1] if name.startswith("tab") and loader is PureLoader else REFUSED[name])


@pytest.mark.parametrize("name", REFUSED)
def test_every_refusal_shows_its_line_and_gives_a_hint(name: str) -> None:
    with pytest.raises(RubricError) as caught:
        read_file(FILES / "refused" / f"{name}.yaml")
    lines = (FILES / "refused" / f"{name}.yaml").read_text("utf-8").split("\n")
    for finding in caught.value.findings:
        assert finding.position is not None
        assert finding.line_text == lines[finding.position.line - 1]
        assert finding.hint
        assert "None" not in finding.render()


@pytest.mark.parametrize("name", ACCEPTED)
@pytest.mark.usefixtures("loader")
def test_accepted_files(name: str) -> None:
    value = plain(read_file(FILES / "accepted" / f"{name}.yaml").root)
    assert repr(value) == repr(ACCEPTED[name])  # repr tells 1 from 1.0 and True


@pytest.mark.usefixtures("loader")
def test_the_deepest_nesting_that_is_read() -> None:
    value = plain(read_file(FILES / "accepted" / "depth.yaml").root)["a"]
    depth = 1
    while value:
        value, depth = value[0], depth + 1
    assert depth + 1 == MAX_DEPTH


def test_both_parsers_build_the_same_trees() -> None:
    for path in sorted((FILES / "accepted").glob("*.yaml")):
        trees = []
        for loader in LOADERS:
            with parsing_with(loader):
                trees.append(read_file(path).root)
        assert trees[0] == trees[1]


# What the messages say


def test_a_finding_as_a_person_reads_it() -> None:
    assert only_finding("gates:\n  floor: {require: quality >= limit[tier]}\n").render() == (
        "x.yaml:2:20: error: this expression was cut at `[` by {...} [comma-trap]\n"
        "      floor: {require: quality >= limit[tier]}\n"
        "                       ^\n"
        "    hint: put the whole expression in quotes, or write it on a line of its own"
    )


def test_the_comma_trap_is_told_instead_of_what_follows_from_it() -> None:
    assert only_finding("a: {value: f(x, y, y, [z], y)}").message == "this expression was cut at a comma by {...}"
    assert only_finding("a: [f(x, y), z]").message == "this expression was cut at a comma by [...]"


@pytest.mark.parametrize(
    "text",
    [
        "a: {value: 'f(a, 1, 8)'}",
        'a: {value: "f(a, 1, 8)", b: 1}',
        "a: {value: f(a), say: (b)}",
        "a: {x: 1, b}",
        "a: ['f(a', 'b)']",
        "a: {value: it is (so, b: 1}",  # for whoever reads the expression: nothing closes that bracket
        "a: {value: x == ')', b: 1}",
    ],
)
def test_no_comma_trap(text: str) -> None:
    assert read_document(text, "x.yaml").root.get("a")


def test_duplicates_name_the_first_line() -> None:
    assert only_finding("a: 1\nb: 2\na: 3").message == "the key `a` was already given on line 1"
    assert only_finding("1: x\n1.0: y").message == "the key `1.0` is the same as `1` on line 1"


def test_tabs_are_counted() -> None:
    assert only_finding("a:\n\tb: 1\n\tc: 2").hint == "use spaces; 2 lines begin with a tab"


def test_apostrophes_are_explained() -> None:
    assert "an apostrophe is written twice" in (only_finding("a: 'it's'").hint or "")


def test_text_from_the_file_is_shown_safely_and_shortly() -> None:
    message = findings_of('"\\e[31m": 1\n"\\e[31m": 2')[0].message
    assert "\x1b" not in message
    assert "`\\x1b[31m`" in message
    assert len(findings_of(f"{'k' * 900}: 1\n{'k' * 900}: 2")[0].message) < 200


def test_very_long_lines_are_not_printed() -> None:
    finding = only_finding("a: .nan" + " " * 2000)
    assert finding.line_text is None
    assert finding.position == Position("x.yaml", 1, 4)


def test_reading_stops_at_the_hundredth_finding() -> None:
    found = findings_of("a: [" + ", ".join(["*b"] * 5000) + "]")
    assert len(found) == MAX_FINDINGS


# Bytes and characters


def test_bytes_that_are_not_utf_8() -> None:
    finding = only_finding(b"title: caf" + b"\xe9 noir\nx: 1\n")
    assert (finding.id, finding.position) == ("encoding", Position("x.yaml", 1, 11))
    assert finding.message == "the byte 0xE9 is not UTF-8, which is `é` in Latin-1"
    assert finding.line_text == "title: caf\ufffd noir"


def test_the_column_of_a_bad_byte_counts_characters_and_lines_of_every_kind() -> None:
    source = "\ufeffé: 1\r\ná: 2\rü: ".encode() + b"\x80"
    assert only_finding(source).position == Position("x.yaml", 3, 4)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_other_encodings(encoding: str) -> None:
    finding = only_finding("rubric: x\nversion: 1\n".encode(encoding))
    assert (finding.id, finding.hint) == ("encoding", "save it as UTF-8")


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\u202e", "\ufeff", "\uffff"])
@pytest.mark.parametrize("text", ["rubric: x\n  # {}\n", "rubric: x\nv: '{}'\n", "rubric: x\n{}: 1\n"])
def test_characters_that_cannot_stand_anywhere(text: str, character: str) -> None:
    line = text.split("\n")[1]
    finding = only_finding(text.replace("{}", character))
    assert (finding.id, finding.position) == ("control-character", Position("x.yaml", 2, line.index("{}") + 1))
    assert character not in finding.render()


def test_one_finding_for_each_kind_of_character() -> None:
    messages = [finding.message for finding in findings_of("a: \x00\x00\x00\nb: \x01\n")]
    assert messages == [
        "the character U+0000 cannot stand in a rubric (it stands in 3 places)",
        "the character U+0001 cannot stand in a rubric",
    ]


def test_surrogates_in_a_string() -> None:
    assert only_finding("a: \ud800").id == "control-character"


@pytest.mark.parametrize("escape", ["\\uD800", "\\UFFFFFFFF", "\\xZZ", "\\u12"])
@pytest.mark.usefixtures("loader")
def test_escapes_that_are_no_character(escape: str) -> None:
    finding = only_finding(f'a: "x{escape}"')
    assert finding.id == "yaml-syntax"
    assert finding.position == Position("x.yaml", 1, 6)


@pytest.mark.parametrize("space", "\u00a0\u2000\u2003\u200a\u200b\u202f\u205f\u3000")
@pytest.mark.usefixtures("loader")
def test_odd_spaces(space: str) -> None:
    for text in (f"a: 1\n{space}b: 2", f"a: 1\nb:{space}2\n", f"- {space}a"):
        assert "odd-space" in [finding.id for finding in findings_of(text)]
    assert only_finding(f"a: x\n  {space}y").position == Position("x.yaml", 2, 3)
    assert plain(read_document(f"a: x{space}y\nb: '{space}'\nc: |\n  {space}\n", "x").root) == {
        "a": f"x{space}y",
        "b": space,
        "c": f"{space}\n",
    }


def test_line_breaks_of_every_kind() -> None:
    texts = [read_document(f"a: 1{end}b: |{end}  x{end}  y{end}", "x") for end in ("\n", "\r\n", "\r")]
    assert texts[0] == texts[1] == texts[2]
    assert texts[0].lines == ("a: 1", "b: |", "  x", "  y", "")


def test_strings_and_bytes_read_alike() -> None:
    assert read_document("a: é", "x") == read_document("a: é".encode(), "x")


# Bounds


@pytest.mark.parametrize("text", ["[" * 100_000, "a: " + "{b: " * 100_000, "- " * 100_000, "{" * 500, "? " * 100_000])
@pytest.mark.usefixtures("loader")
def test_depth_is_bounded(text: str) -> None:
    assert only_finding(text).id == "too-deep"


def test_depth_in_indentation_is_bounded() -> None:
    text = "".join(f"{' ' * depth}k:\n" for depth in range(100))
    assert only_finding(text).position == Position("x.yaml", 65, 65)


def test_numbers_are_bounded() -> None:
    assert plain(read_document(f"a: {'9' * 308}", "x").root) == {"a": int("9" * 308)}
    assert only_finding(f"a: {'9' * 309}").id == "not-finite"
    assert only_finding(f"a: {'9' * 5000}").id == "number-too-long"
    assert only_finding(f"a: 0x{'F' * 300}").id == "not-finite"


def test_files_are_bounded(tmp_path: Path) -> None:
    largest = b"a: 1\n" + b"#" * (MAX_BYTES - 5)
    assert plain(read_document(largest, "x").root) == {"a": 1}
    (tmp_path / "large.yaml").write_bytes(largest + b"#")
    with pytest.raises(RubricError) as caught:
        read_file(tmp_path / "large.yaml")
    assert [finding.id for finding in caught.value.findings] == ["file-too-large"]
    assert "4 MiB" in caught.value.findings[0].message


# Files


def test_a_file_goes_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n")
    assert read_file(path) == read_file(str(path)) == read_document("a: 1\n", str(path))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "rules-1.yaml").write_text("a: 1\n")
    expected = {
        "rules-2.yaml": ("there is no such file", "did you mean 'rules-1.yaml'?"),
        "no/where/x.yaml": ("there is no such file", None),
        ".": ("this is a folder, not a file", "name a file inside it"),
        "rules-1.yaml/x": ("the file cannot be read: Not a directory", None),
        "a\0b": ("this is no name of a file", None),
    }
    for name, (message, hint) in expected.items():
        with pytest.raises(RubricError) as caught:
            read_file(tmp_path / name)
        (finding,) = caught.value.findings
        assert (finding.id, finding.message, finding.hint) == ("unreadable-file", message, hint)


def test_a_device_is_not_read() -> None:
    with pytest.raises(RubricError, match="not a regular file"):
        read_file("/dev/null")


# Trees


def test_every_key_and_value_knows_its_place() -> None:
    root = read_document("a: 0.10\nb:\n  - x\n  - {c: [1], d: }\ne:\n", "x").root
    assert root == Mapping(entries=root.entries, line=1, column=1, flow=False)
    a, b, e = root.entries
    assert a.value == Scalar(0.1, "0.10", 1, 4, "plain")
    assert (e.key.line, e.value) == (5, Scalar(None, "", 5, 1, "plain"))
    assert isinstance(b.value, Sequence)
    x, flow = b.value.items
    assert (b.value.line, b.value.column, b.value.flow, x) == (3, 3, False, Scalar("x", "x", 3, 5, "plain"))
    assert isinstance(flow, Mapping)
    assert (flow.line, flow.column, flow.flow) == (4, 5, True)
    assert flow.get("c") == Sequence((Scalar(1, "1", 4, 10, "plain"),), 4, 9, True)
    assert flow.get("d") == Scalar(None, "", 4, 14, "plain")


def test_looking_up_keys() -> None:
    root = read_document("1: a\n'1': b\nc: {true: d}\n", "x").root
    assert root.keys() == (1, "1", "c")
    assert [plain(node) for node in (root.get(1), root.get("1")) if node] == ["a", "b"]
    assert root.get(True) is None
    inner = root.get("c")
    assert isinstance(inner, Mapping)
    assert (inner.get(1), inner.get("true"), inner.get(True)) == (None, None, Scalar("d", "d", 3, 11, "plain"))


def test_trees_cannot_be_changed() -> None:
    scalar = read_document("a: 1", "x").root.entries[0].key
    with pytest.raises(AttributeError):
        scalar.line = 2  # pyright: ignore[reportAttributeAccessIssue]
    assert hash(scalar) == hash(Scalar("a", "a", 1, 1, "plain"))


def test_findings_about_a_node() -> None:
    document, node = scalar_at("a: 1\nx: one + twp\n")
    finding = document.finding(
        "unknown-name", "no `twp`", node, offset=6, hint="two", severity="warning", node_path="n"
    )
    assert finding == Finding(
        "unknown-name", "no `twp`", Position("x.yaml", 2, 10), "two", "warning", "n", "x: one + twp"
    )
    assert document.finding("a", "b", document.root).position == Position("x.yaml", 1, 1)


# Places of characters: the digit is looked for, and its line and column were counted by hand.


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x: abc7", (1, 7)),
        ("x: é漢7", (1, 6)),
        ("x:   'a7'", (1, 8)),
        ("x: 'it''s 7'", (1, 11)),
        ('x: "a\\t\\x41\\u00e9\\U0001F600\\"7"', (1, 30)),
        ("x: one\n   two 7", (2, 8)),
        ("x: one\n\n\n     7 two", (4, 6)),
        ("x: 'one\n\n  two''s\n  7'", (4, 3)),
        ('x: "one \\\n   \\  7"', (2, 7)),
        ('x: "one\\\n\n  7"', (3, 3)),
        ('x: "one \n\t7"', (2, 2)),
        ("x: '\n  7'", (2, 3)),
        ("x: |\n  one\n   7", (3, 4)),
        ("x: |2\n    7", (2, 5)),
        ("x: |+1\n\n\n   7", (4, 4)),
        ("x: |-\n\n  one\n\n    7\n\n", (5, 5)),
        ("x: >\n  one\n  two\n  7", (4, 3)),
        ("x: >\n\n  one\n\n\n  7", (6, 3)),
        ("x: >-\n  one\n    two\n    7\n", (4, 5)),
        ("x: >\n  one\n\n    two\n\n  7\n", (6, 3)),
        ("x: >1 # note\n  one\n  two7\n", (3, 6)),
    ],
)
@pytest.mark.usefixtures("loader")
def test_where_a_character_stands(text: str, place: tuple[int, int]) -> None:
    assert place_of(text, "7") == place


def test_where_a_folded_line_break_stands() -> None:
    document, node = scalar_at("x: >\n  one\n  two\n\n  three\n")
    assert node.value == "one two\nthree\n"
    assert document.position(node, 3) == Position("x.yaml", 2, 6)
    assert document.position(node, 7) == Position("x.yaml", 4, 3)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("x: abc", (1, 7)),
        ("x: 'abc'", (1, 8)),
        ("x: |\n  abc\n", (3, 3)),
        ("x: ''", (1, 4)),
        ("x:", (1, 1)),
        ("x: 12", (1, 6)),
    ],
)
def test_the_end_of_a_value_and_beyond(text: str, end: tuple[int, int]) -> None:
    document, node = scalar_at(text)
    assert document.position(node, len(node.text)) == Position("x.yaml", *end)
    assert document.position(node, 1000) == Position("x.yaml", *end)


# Laws


def stays_a_string(text: str) -> bool:
    """Whether a text means itself by YAML 1.2 too: a writer of YAML 1.1 leaves `1e5` and `0o7` without quotes."""
    try:
        return text == "" or isinstance(read_plain(text), str)
    except UnreadableNumber:
        return False


PLAIN_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**300), 10**300),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20).filter(stays_a_string),
)
KEYS = st.one_of(st.text("abcé:,# -'\"\\\n", max_size=8).filter(stays_a_string), st.integers(2, 99))
DATA = st.dictionaries(
    KEYS,
    st.recursive(PLAIN_VALUES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4)),
    min_size=1,
    max_size=4,
)


class Writer(yaml.SafeDumper):
    """PyYAML's writer without anchors for values that occur twice."""

    def ignore_aliases(self, data: object) -> bool:
        return True


@settings(max_examples=150, deadline=None)
@given(DATA, st.integers(10, 90), st.integers(2, 6), st.booleans())
def test_what_was_written_is_read(data: dict, width: int, indent: int, pure: bool) -> None:
    text = yaml.dump(data, Dumper=Writer, width=width, indent=indent, sort_keys=False)
    assume(yaml.safe_load(text) == data)  # PyYAML folds some long texts so that nothing reads them back
    with parsing_with(LOADERS[pure]):
        assert repr(plain(read_document(text, "x.yaml").root)) == repr(data)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.dictionaries(st.text("abc", min_size=1), st.text("abc ,:[{}]\"'#", max_size=9)), max_size=4))
def test_what_was_written_in_flow_style_is_read(data: list) -> None:
    text = yaml.dump({"k": data}, Dumper=Writer, default_flow_style=True)
    assert plain(read_document(text, "x.yaml").root) == {"k": data}


@settings(max_examples=150, deadline=None)
@given(
    st.text("ab c\n'\"\\é\t:#-", max_size=40),
    st.sampled_from(["", "'", '"', "|", ">"]),
    st.integers(5, 40),
    st.integers(2, 5),
)
def test_every_character_is_found_where_it_stands(value: str, style: str, width: int, indent: int) -> None:
    text = yaml.dump({"k": [value]}, Dumper=Writer, default_style=style, width=width, indent=indent, allow_unicode=True)
    document = read_document(text, "x.yaml")
    (node,) = document.root.entries[0].value.items  # pyright: ignore[reportAttributeAccessIssue]
    found = list(places(document.lines, node))
    assert len(found) == len(node.value) + 1
    assert found == sorted(found)
    for character, (line, column) in zip(node.value, found, strict=False):
        source = document.lines[line - 1][column - 1 : column]
        assert source in (character, "\\") or (character in " \n" and source.strip() == "")


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60), st.booleans())
def test_no_bytes_are_too_strange(source: bytes, pure: bool) -> None:
    read_or_refuse(source, pure)


PIECES = (
    "a|b: |x|- |? |: |:|{|}|[|]|, |,|\n|\n  |\n    | |'|\"||\n|> \n|2\n|# c|&x |*x|!t |%|@|`|\\|\t|\u00a0|é|1.5|~|f(|)"
    "|---\n|...\n|\\u12|\\x41|<<: |null|\u3000|+\n|>-\n|\r\n|漢|\ud800|\x00|\u2028|%YAML 1.1\n|\ufeff|.inf|1e999"
)
YAML_PIECES = st.sampled_from(["|", "|\n", *PIECES.split("|")])


@settings(max_examples=400, deadline=None)
@given(st.lists(YAML_PIECES, max_size=20).map("".join), st.booleans())
def test_no_text_is_too_strange(text: str, pure: bool) -> None:
    document = read_or_refuse("k: " + text, pure)
    if document:
        for scalar in scalars(document.root):
            assert len(list(places(document.lines, scalar))) == len(scalar.text) + 1


def read_or_refuse(source: bytes | str, pure: bool) -> Document | None:
    with parsing_with(LOADERS[pure]), suppress(RubricError):
        return read_document(source, "x.yaml")
    return None
