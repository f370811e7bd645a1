"""Where the paths of links lead: the records whose fields they go through."""

from .rubric import Input, Link, Record, Rubric


def steps(rubric: Rubric, declared: Input, link: Link) -> list[tuple[Record | None, str]]:
    """Each part of a link's path with the record that it should be a field of; None where no record says."""
    record = rubric.records.get(declared.record or "")
    found: list[tuple[Record | None, str]] = []
    for at, part in enumerate(link.path):
        found.append((record, part))
        known = record is not None and part in record.field_names
        record = _after(rubric, record, part, link.path[at + 1 : at + 2]) if record is not None and known else None
    return found


def linked_fields(rubric: Rubric, declared: Input) -> dict[tuple[str, str], Link]:
    """The fields of records, by record and name, that hold paths in the files of an input."""
    found: dict[tuple[str, str], Link] = {}
    for link in declared.links.values():
        record, part = steps(rubric, declared, link)[-1]
        if record is not None:
            found[record.name, part] = link
    return found


def _after(rubric: Rubric, record: Record, part: str, following: tuple[str, ...]) -> Record | None:
    """The record that the next part of a path is a field of; None where that is not known."""
    rule = next(rule for rule in record.fields if part in rule.names)
    atom = rule.type.atoms[0] if len(rule.type.atoms) == 1 else None
    while atom is not None and atom.kind == "list" and atom.element is not None and len(atom.element.atoms) == 1:
        atom = atom.element.atoms[0]
    if atom is None or atom.kind == "map" or following == ("*",):
        return None
    return rubric.records.get(atom.name or "")
