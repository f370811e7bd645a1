"""Who is to blame for what: no byte of a candidate's file may stop a case."""

from collections.abc import Iterator

from ..dependencies import nested_records
from ..findings import Finding
from ..rubric import Input, Record, Rubric
from .facts import Facts


def preconditions(facts: Facts) -> Iterator[Finding]:
    """Preconditions that could read a candidate's value. One that fails stops the case."""
    for precondition in facts.rubric.preconditions.values():
        path = f"preconditions.{precondition.name}"
        read = sorted(facts.candidates & facts.reached([path]))
        if read:
            name = read[0].partition(".")[2]
            message = f"the precondition '{precondition.name}' reads '{name}', which comes from a candidate"
            hint = "preconditions are about reference and operator material; make it a gate"
            yield facts.finding("blame", message, precondition.key, hint, node=path)


def trusted_records(facts: Facts) -> Iterator[Finding]:
    """Records of reference and operator inputs whose rules read a candidate's value: what breaks them stops a case."""
    for declared in facts.rubric.inputs.values():
        if declared.origin == "candidate":
            continue
        for record in _records(facts.rubric, declared):
            path = f"records.{record.name}"
            rules = [part for part in facts.readings[path].parts if not part.startswith("records.")]
            read = sorted(facts.candidates & facts.reached(rules))
            if read:
                name = read[0].partition(".")[2]
                message = f"the rules of '{record.name}', a record of '{declared.name}', read the candidate's '{name}'"
                hint = f"give '{declared.name}' a record of its own: what breaks its rules stops the case"
                yield facts.finding("blame", message, record.key, hint, node=path)


def _records(rubric: Rubric, declared: Input) -> list[Record]:
    """The records that an input is made of."""
    found, waiting = {}, [declared.record or ""]
    while waiting:
        name = waiting.pop(0)
        if name in rubric.records and name not in found:
            found[name] = rubric.records[name]
            waiting += nested_records(found[name])
    return list(found.values())


def inputs(facts: Facts) -> Iterator[Finding]:
    """What an input says about its faults and its absence, against whom it comes from."""
    for declared in facts.rubric.inputs.values():
        if declared.origin == "candidate":
            continue
        path = f"inputs.{declared.name}"
        if declared.when_invalid == "zero":
            message = f"'when_invalid' has no effect: a fault in '{declared.name}' stops the case, it is never scored"
            at = facts.part_key(declared.key, "when_invalid")
            yield facts.finding("blame", message, at, f"it comes from: {declared.origin}", node=path)
        if declared.origin == "reference" and declared.has_default:
            message = f"a case without the reference '{declared.name}' would be scored against its default"
            at = facts.part_key(declared.key, "default")
            yield facts.finding("blame", message, at, "leave 'default' out", severity="warning", node=path)
        yield from _unfit_default(facts, declared)


def _unfit_default(facts: Facts, declared: Input) -> Iterator[Finding]:
    """A default that breaks its record stops every case in which it is used."""
    record = facts.rubric.records.get(declared.record or "")
    if record is None or not declared.has_default or declared.format == "jsonl" or declared.many:
        return
    at, path = facts.part(declared.key, "default"), f"inputs.{declared.name}"
    if not isinstance(declared.default, dict):
        message = f"the default of '{declared.name}' is no mapping, so it breaks the record '{record.name}'"
        yield facts.finding("blame", message, at, node=path)
        return
    for rule in record.fields:
        if rule.type.optional in (None, "null") and not set(rule.names) & declared.default.keys():
            message = f"the default of '{declared.name}' lacks '{' or '.join(rule.names)}', so it breaks its record"
            yield facts.finding("blame", message, at, f"it is a '{record.name}'", node=path)


def unread_candidate(facts: Facts) -> Iterator[Finding]:
    """A score that no candidate's input can change."""
    rubric = facts.rubric
    if rubric.score and facts.sound and not facts.candidates & facts.reached(facts.parts("score")):
        last = list(rubric.score.values())[-1]
        message = f"the score '{last.name}' reads no input that comes from a candidate, so nothing handed in changes it"
        yield facts.finding("blame", message, last.key, severity="warning", node=f"score.{last.name}")
