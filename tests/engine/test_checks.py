"""What is found wrong with rubrics: for each fault a file that is refused, and one almost like it that is not."""

import random
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from rubric.engine import checks
from rubric.engine.analysis import Analysis, analyse
from rubric.engine.building import build
from rubric.engine.checks import FAMILIES, check
from rubric.engine.checks.facts import Facts
from rubric.engine.document import read_file
from rubric.engine.findings import Finding, RubricError
from rubric.engine.loading import bundled_folder, inspect_rubric, load, load_text

FILES = Path(__file__).parents[1] / "rubrics"
REFUSED = sorted((FILES / "refused").glob("*.yaml"))
ACCEPTED = sorted((FILES / "accepted").glob("*.yaml"))
BUNDLED = sorted(bundled_folder().glob("*.yaml"))
EXPECTED = re.compile(r"# expect: (?:(warning) )?([a-z-]+) ([0-9]+):([0-9]+)\Z")

Place = tuple[str, str, int, int]


def named(paths: Iterable[Path]) -> list:
    return [pytest.param(path, id=path.stem) for path in paths]


def expected(path: Path) -> Iterator[Place]:
    """The findings that the first lines of a file announce: severity, id, line, column."""
    for line in path.read_text(encoding="utf-8").splitlines():
        match = EXPECTED.match(line)
        if match is None:
            return
        yield match[1] or "error", match[2], int(match[3]), int(match[4])


def places(findings: Iterable[Finding]) -> list[Place]:
    found = []
    for finding in findings:
        assert finding.position is not None, finding
        found.append((finding.severity, finding.id, finding.position.line, finding.position.column))
    return found


def analysed(path: Path) -> tuple[Analysis, bool]:
    rubric, findings = build(read_file(path))
    return analyse(rubric), not findings


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("path", named(REFUSED))
def test_a_refused_rubric_has_exactly_the_expected_findings(path: Path) -> None:
    assert places(inspect_rubric(path).findings) == list(expected(path))
    assert list(expected(path))


@pytest.mark.parametrize("path", named(ACCEPTED))
def test_an_accepted_rubric_has_no_findings_and_can_be_compiled(path: Path) -> None:
    assert inspect_rubric(path).findings == ()
    assert load(path, strict=True).plan


@pytest.mark.parametrize("path", named(BUNDLED))
def test_a_bundled_rubric_has_no_findings(path: Path) -> None:
    assert inspect_rubric(path).findings == ()


def test_every_refused_rubric_has_an_accepted_twin() -> None:
    assert [path.name for path in REFUSED] == [path.name for path in ACCEPTED]


@pytest.mark.parametrize("path", named(REFUSED))
def test_a_twin_differs_in_what_is_wrong_alone(path: Path) -> None:
    refused = {line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("# expect:")}
    accepted = set((FILES / "accepted" / path.name).read_text(encoding="utf-8").splitlines())
    assert len(accepted - refused) <= 4 or path.stem == "many-faults"


# ---------------------------------------------------------------- families


def test_every_family_is_shown_by_a_refused_rubric() -> None:
    silent = {family.__name__ for family in FAMILIES}
    for path in REFUSED:
        try:
            analysis, complete = analysed(path)
        except RubricError:
            continue
        facts = Facts(analysis, complete=complete)
        silent -= {family.__name__ for family in FAMILIES if any(True for _ in family(facts))}
    assert not silent


def test_every_family_of_the_package_is_listed() -> None:
    modules = (sys.modules[name] for name in sys.modules if name.startswith(f"{checks.__name__}."))
    written = {
        member
        for module in modules
        for name, member in vars(module).items()
        if getattr(member, "__module__", None) == module.__name__
        and not name.startswith("_")
        and getattr(member, "__annotations__", {}).get("return") == Iterator[Finding]
        and list(member.__annotations__) == ["facts", "return"]
    }
    assert written == set(FAMILIES)


def test_every_finding_says_where_and_what() -> None:
    for path in REFUSED:
        for finding in inspect_rubric(path).findings:
            assert finding.line_text is not None
            assert finding.message
            assert not finding.message.endswith(".")
            assert finding.hint != ""
            assert finding.render().count("\n") == 2 + (finding.hint is not None)


@pytest.mark.parametrize("path", named(REFUSED))
def test_nothing_is_said_twice(path: Path) -> None:
    analysis, complete = analysed(path)
    found = check(analysis, complete=complete)
    assert len(found) == len(set(found))


# ---------------------------------------------------------------- severity


def test_warnings_do_not_keep_a_rubric_from_loading_unless_that_is_asked() -> None:
    path = FILES / "refused" / "weights-zero.yaml"
    assert [finding.severity for finding in load(path).findings] == ["warning"]
    with pytest.raises(RubricError):
        load(path, strict=True)


def test_every_fault_of_a_file_is_in_the_error() -> None:
    path = FILES / "refused" / "many-faults.yaml"
    with pytest.raises(RubricError) as caught:
        load_text(path.read_text(encoding="utf-8"))
    errors = [place for place in expected(path) if place[0] == "error"]
    assert [place for place in places(caught.value.findings) if place[0] == "error"] == errors


def test_a_file_in_rubrics_is_called_like_the_rubric_in_it(tmp_path: Path) -> None:
    text = (FILES / "accepted" / "weights-zero.yaml").read_text(encoding="utf-8")
    folder = tmp_path / "rubrics"
    folder.mkdir()
    (folder / "case-1.yaml").write_text(text, encoding="utf-8")
    (folder / "other-1.yaml").write_text(text, encoding="utf-8")
    assert inspect_rubric(folder / "case-1.yaml").findings == ()
    assert places(inspect_rubric(folder / "other-1.yaml").findings) == [("warning", "bad-name", 1, 9)]


def test_a_file_that_names_a_rubric_with_a_version_holds_that_version(tmp_path: Path) -> None:
    text = (FILES / "accepted" / "weights-zero.yaml").read_text(encoding="utf-8")
    for name in ("case.yaml", "case-1.yaml", "case-study.yaml", "draft.yaml", "case-1.10-trial.yaml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        found = places(inspect_rubric(tmp_path / name).findings)
        assert found == ([("warning", "bad-name", 2, 11)] if name == "case-1.10-trial.yaml" else []), name


def test_a_schema_may_lie_beside_the_rubric(tmp_path: Path) -> None:
    text = (FILES / "refused" / "unknown-schema.yaml").read_text(encoding="utf-8")
    (tmp_path / "case.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "no-such-schema.schema.json").write_text("{}", encoding="utf-8")
    assert inspect_rubric(tmp_path / "case.yaml").findings == ()


def test_findings_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "import sys; from rubric.engine.loading import inspect_rubric\n"
        "for path in sys.argv[1:]: [print(finding.render()) for finding in inspect_rubric(path).findings]"
    )
    paths = [str(path) for path in REFUSED if path.stem.startswith(("many", "unused", "blame", "by-table", "cycle"))]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code, *paths], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


# ---------------------------------------------------------------- whatever the bytes


def mutated(text: str, chance: random.Random, words: list[str]) -> str:
    """A text with a few lines, words or characters lost, swapped or replaced."""
    for _ in range(chance.choice((1, 1, 2, 5))):
        lines = text.split("\n")
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        kind = chance.randrange(8)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 2:
            lines.insert(at, " " * (2 * chance.randrange(4)) + lines[other].strip())
        elif kind == 3:
            lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)] + chr(chance.randrange(0x250)) + lines[at]
        else:
            parts = re.split(r"(\w+)", lines[at])
            parts[chance.randrange(len(parts))] = chance.choice(words)
            lines[at] = "".join(parts)
        text = "\n".join(lines)
    return text


@pytest.mark.parametrize("round_", range(8))
def test_no_change_of_a_file_makes_anything_but_findings(round_: int) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (*BUNDLED[:1], *ACCEPTED)]
    words = sorted({word for text in texts for word in re.findall(r"\w+|[^\w\s]", text)})
    chance = random.Random(round_)
    for number in range(50):
        text = mutated(texts[0] if number % 5 == 0 else chance.choice(texts), chance, words)
        with suppress(RubricError):
            assert load_text(text).plan
