"""What checks ask about an analysed rubric, each answer worked out when it is first wanted."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from .. import document
from ..analysis import Analysis
from ..document import Entry, Node, Scalar
from ..expressions import syntax, types
from ..expressions.parser import KEYWORDS
from ..expressions.syntax import Tree
from ..expressions.types import Type
from ..findings import Finding, Severity, suggestion
from .names import Reading, measured_names, plain_names, read_everything

Answer = bool | None
Answers = frozenset[Answer]
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Facts:
    """An analysis, its document, and what follows from them. `complete`: every part of the rubric has its shape."""

    def __init__(self, analysis: Analysis, *, complete: bool = True):
        self.analysis = analysis
        self.rubric = analysis.rubric
        self.knowledge = analysis.knowledge
        self.complete = complete
        self.answers: dict[str, Answers] = {}  # that each value under `let` can have as a condition

    # ------------------------------------------------------------ places

    def finding(
        self,
        id: str,
        message: str,
        at: Node | Tree,
        hint: str | None = None,
        *,
        offset: int = 0,
        severity: Severity = "error",
        node: str | None = None,
    ) -> Finding:
        """A finding at a part of the document, or at the expression that stands there."""
        place = self.source(at)
        return self.rubric.document.finding(
            id, message, place, offset=offset, hint=hint, severity=severity, node_path=node
        )

    def source(self, at: Node | Tree) -> Node:
        if isinstance(at, syntax.Placed):
            return at.source
        return at if isinstance(at, Node) else self.rubric.document.root

    def entries(self, *path: str) -> tuple[Entry, ...]:
        """The entries of the mapping under these keys; none where there is no mapping."""
        node: Node | None = self.rubric.document.root
        for key in path:
            node = _member(node, key)
        return node.entries if isinstance(node, document.Mapping) else ()

    def value(self, *path: str) -> Node | None:
        """The value under these keys."""
        return next((entry.value for entry in self.entries(*path[:-1]) if entry.key.text == path[-1]), None)

    def key(self, *path: str) -> Scalar | None:
        """The last of these keys, where it stands in the document."""
        return next((entry.key for entry in self.entries(*path[:-1]) if entry.key.text == path[-1]), None)

    def part(self, key: Scalar, name: str) -> Node:
        """What stands under `name` in the mapping that belongs to a key; the key where there is no such thing."""
        node = _member(self._values.get(id(key)), name)
        return key if node is None else node

    def part_key(self, key: Scalar, name: str) -> Scalar:
        """The key `name` in the mapping that belongs to a key; that key where there is no such thing."""
        inside = self._values.get(id(key))
        entries = inside.entries if isinstance(inside, document.Mapping) else ()
        return next((entry.key for entry in entries if entry.key.text == name), key)

    def key_of(self, value: Node | None) -> Node:
        """The key whose value this is; the value itself where it has none."""
        if value is None:
            return self.rubric.document.root
        return self._keys.get(id(value), value)

    @cached_property
    def _entries(self) -> tuple[Entry, ...]:
        return tuple(_entries(self.rubric.document.root))

    @cached_property
    def _keys(self) -> Mapping[int, Scalar]:
        return {id(entry.value): entry.key for entry in self._entries}

    @cached_property
    def _values(self) -> Mapping[int, Node]:
        return {id(entry.key): entry.value for entry in self._entries}

    # ------------------------------------------------------------ types and problems

    def type_of(self, tree: Tree | None) -> Type:
        """What is known of an expression."""
        return types.ANY if tree is None else self.knowledge.types.get(id(tree), types.ANY)

    def faulty(self, tree: Tree | None) -> bool:
        """Whether something in an expression is wrong already, so that nothing more should be said of it."""
        if tree is None or not self._problems:
            return False
        return any(isinstance(node, syntax.Placed) and id(node.source) in self._problems for node in syntax.walk(tree))

    @cached_property
    def _problems(self) -> frozenset[int]:
        return frozenset(id(problem.source) for problem in self.analysis.problems)

    # ------------------------------------------------------------ names

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        """What every part of the rubric reads, by its path."""
        return read_everything(self.analysis)

    @cached_property
    def plain_names(self) -> Mapping[str, tuple[str, ...]]:
        """The paths of every name that all expressions can read."""
        return plain_names(self.rubric)

    @cached_property
    def repeated(self) -> frozenset[str]:
        """Names that were given twice."""
        return frozenset(name for name, paths in measured_names(self.rubric).items() if len(paths) > 1)

    @cached_property
    def sound(self) -> bool:
        """Whether every name is known, and what it stands for: only then is it sure that something is never read."""
        rubric = self.rubric
        weighed = {weight.metric for score in rubric.score.values() for weight in score.weights}
        known = weighed <= {*rubric.metrics, *rubric.score}
        return self.complete and known and not (self.analysis.problems or self.analysis.loops or self.repeated)

    def may_be_meant(self, name: str) -> bool:
        """Whether some other fault of the file may be why a name seems unused: it is misspelt where it is read.

        Where a part of the file could not be read at all, any word that is like the name counts as a use.
        """
        if name in KEYWORDS or not _WORD.fullmatch(name):
            return True  # it cannot be read by that name
        like = [word for word in self._strange if word[:1] == name[:1] and abs(len(word) - len(name)) <= 2]
        return self._strange[name] > 1 or suggestion(name, {*like} - {name}) is not None

    @cached_property
    def _strange(self) -> Counter[str]:
        """Words that could stand for something, each with how often it occurs."""
        lines = () if self.complete else self.rubric.document.lines
        words = Counter(word for line in lines for word in _WORD.findall(line))
        return words + Counter(unknown for reading in self.readings.values() for unknown in reading.unknown)

    def reached(self, paths: Iterable[str]) -> set[str]:
        """These parts, and all that they read, directly or by way of others."""
        found, waiting = set(), [path for path in paths if path in self.readings]
        while waiting:
            path = waiting.pop()
            if path not in found:
                found.add(path)
                waiting += [part for part in self.readings[path].parts if part in self.readings]
        return found

    def parts(self, *sections: str) -> Iterator[str]:
        """The paths of all parts in these sections, in file order."""
        return (path for path in self.readings if path.partition(".")[0] in sections)

    @cached_property
    def candidates(self) -> frozenset[str]:
        """The paths of the inputs that come from a candidate."""
        inputs = self.rubric.inputs.values()
        return frozenset(f"inputs.{declared.name}" for declared in inputs if declared.origin == "candidate")


def _member(node: Node | None, key: str) -> Node | None:
    if not isinstance(node, document.Mapping):
        return None
    return next((entry.value for entry in node.entries if entry.key.text == key), None)


def _entries(root: Node) -> Iterator[Entry]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, document.Mapping):
            yield from node.entries
            waiting += [entry.value for entry in node.entries]
        elif isinstance(node, document.Sequence):
            waiting += node.items
