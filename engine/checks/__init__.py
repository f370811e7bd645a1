"""What is wrong with a rubric: each family of findings a pure function from what is known of it."""

from collections.abc import Callable, Iterable

from ..analysis import Analysis
from ..findings import Finding
from . import (
    assertions,
    attainable,
    blame,
    columns,
    cycles,
    examples,
    limits,
    links,
    malformed,
    naming,
    numbers,
    problems,
    records,
    sentences,
    shadowing,
    size,
    tables,
    thresholds,
    unused,
    weights,
)
from .facts import Facts

Family = Callable[[Facts], Iterable[Finding]]

FAMILIES: tuple[Family, ...] = (
    problems.problems,
    naming.names,
    records.unknown_records,
    records.unknown_types,
    records.unknown_schemas,
    records.becoming,
    links.links,
    cycles.cycles,
    size.expanded,
    size.chains,
    shadowing.hidden_names,
    shadowing.repeated_names,
    shadowing.functions_like_builtins,
    unused.unused_names,
    unused.unused_derived_values,
    unused.unread_steps,
    unused.unread_parameters,
    malformed.uncounted_entries,
    malformed.useless_counts,
    tables.tables,
    weights.weights,
    weights.weighed_metrics,
    weights.metrics_without_influence,
    numbers.numbers,
    numbers.lists,
    columns.whole_columns,
    limits.bounds,
    limits.replacements,
    limits.credits,
    limits.replaced_nulls,
    attainable.gates,
    attainable.caps,
    thresholds.unreachable_thresholds,
    assertions.empty_rubric,
    assertions.empty_requirements,
    assertions.empty_examples,
    blame.preconditions,
    blame.trusted_records,
    blame.inputs,
    blame.unread_candidate,
    examples.examples,
    examples.controls,
    sentences.blanks,
)


def check(analysis: Analysis, *, complete: bool) -> list[Finding]:
    """Every finding about a rubric, errors and warnings, each once.

    Where its shape is wrong (`complete` is false), nothing is reported that the missing parts could explain.
    """
    facts = Facts(analysis, complete=complete)
    return list(dict.fromkeys(finding for family in FAMILIES for finding in family(facts)))
