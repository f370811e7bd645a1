"""A variant of a film rubric is a file of its own: the same rules over a smaller film."""

from pathlib import Path

from rubric.engine.loading import load

ROOT = Path(__file__).parent.parent
FULL, SMALL = ROOT / "rubrics" / "kerry-1.yaml", ROOT / "tests" / "rubrics" / "kerry-small.yaml"
OWN_NUMBERS = ("- {file: ", "size: ", "frames: ", "opening: ", "overlay_in: ", "overlay_hold: ", "square: ", "window: ")


def rules(path: Path) -> list[str]:
    """The lines after the header, without the numbers that a film has of its own."""
    lines = path.read_text(encoding="utf-8").partition("# ---")[2].splitlines()
    own = (*OWN_NUMBERS, "spots: ", "composite_poster_same: ")
    return [line for line in lines if not line.strip().startswith(own)]


def test_both_can_be_loaded():
    assert load(str(FULL)).plan.rubric.name == "kerry"
    assert load(str(SMALL)).plan.rubric.name == "kerry-small"


def test_the_small_variant_has_the_rules_of_the_full_one():
    assert rules(SMALL) == rules(FULL)
    assert len(rules(FULL)) > 300


def test_an_empty_reference_is_an_infrastructure_error(tmp_path):
    for name in ("candidate", "originals", "reference"):
        (tmp_path / name).mkdir()
    inputs = {name: str(tmp_path / name) for name in ("candidate", "originals", "reference")}
    report = load(str(SMALL)).run(**inputs)
    assert (report.outcome, report.score) == ("error", None)
    assert report.error is not None
    assert report.error.kind == "reference"
