"""A YAML file read with the place of every value, so that each fault can name line and column.

Nodes are read as they stand and never turned into Python objects by the YAML library: no tags, no merge keys, no
duplicate keys, and YAML 1.2's idea of what is a number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from io import StringIO
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from engine.errors import BadInput

LARGEST = 1_000_000
"""Characters. A policy or a roster is far smaller; more is a mistake or an attack."""

_TAG = "tag:yaml.org,2002:"
_WORDS = frozenset({f"{_TAG}str", f"{_TAG}int", f"{_TAG}float", f"{_TAG}timestamp"})


@dataclass(frozen=True, slots=True)
class Value:
    """One node of the file, and how to read it as what it ought to be. Every reading raises `BadInput` with its place."""

    node: Node
    file: str

    @property
    def where(self) -> str:
        """`policy.yaml:12:5`, counted from 1."""
        mark = self.node.start_mark
        return f"{self.file}:{mark.line + 1}:{mark.column + 1}"

    def fault(self, what: str, fix: str = "", kind: type[BadInput] = BadInput) -> BadInput:
        """An error at this place, to be raised."""
        return kind(what, where=self.where, fix=fix)

    def text(self) -> str:
        """A word or sentence as typed (`2024` and `12:18` included), outer blanks removed; never empty."""
        if (
            not isinstance(self.node, ScalarNode)
            or str(self.node.tag) not in _WORDS
            or not str(self.node.value).strip()
        ):
            raise self.fault("a text is wanted here", "write it in quotes")
        return str(self.node.value).strip()

    def words(self) -> str:
        """A text exactly as it stands, outer blanks included; possibly empty if it is in quotes."""
        if isinstance(self.node, ScalarNode) and str(self.node.tag) == f"{_TAG}str":
            return str(self.node.value)
        return self.text()

    def number(self, low: float, high: float) -> float:
        """A number from `low` to `high`."""
        fix = f"a number from {low:g} to {high:g}"
        try:
            found = float(self.text())
        except ValueError:
            raise self.fault("this is no number", fix) from None
        if not low <= found <= high:
            raise self.fault(f"{self.text()} is out of range", fix)
        return found

    def integer(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        found = self.number(low, high)
        if not found.is_integer():
            raise self.fault(f"{self.text()} is no whole number", f"a whole number from {low} to {high}")
        return int(found)

    def moment(self) -> datetime:
        """A time with its zone, in UTC."""
        fix = "write it like 2026-11-30T18:00:00+01:00"
        try:
            found = datetime.fromisoformat(self.text())
        except ValueError:
            raise self.fault("this is no date and time", fix) from None
        if found.tzinfo is None:
            raise self.fault("this time has no zone", fix)
        return found.astimezone(UTC)

    def choice(self, names: Collection[str], what: str) -> str:
        """One of these names."""
        found = self.text()
        if found not in names:
            raise self.fault(f"no {what} {found!r}", _nearest(found, names))
        return found

    def items(self) -> list[Value]:
        """The parts of a list."""
        if not isinstance(self.node, SequenceNode):
            raise self.fault("a list is wanted here", "write it like [a, b]")
        return [Value(child, self.file) for child in self.node.value]

    def one_or_more(self) -> list[Value]:
        """The parts of a list; a single word is a list of one."""
        return [self] if isinstance(self.node, ScalarNode) else self.items()

    def is_mapping(self) -> bool:
        """Whether this has keys."""
        return isinstance(self.node, MappingNode)

    def entries(self) -> Iterator[tuple[Value, Value]]:
        """Keys and values in order; an empty value is no mapping, and a key that is there twice is refused."""
        if not isinstance(self.node, MappingNode):
            raise self.fault("keys and values are wanted here", "write it like {key: value}")
        first: dict[str, Value] = {}
        for key_node, value_node in self.node.value:
            key = Value(key_node, self.file)
            name = key.text()
            if name in first:
                raise key.fault(
                    f"{name!r} is there twice", f"the first is at line {first[name].node.start_mark.line + 1}"
                )
            first[name] = key
            yield key, Value(value_node, self.file)

    def fields(self, known: Collection[str]) -> dict[str, Value]:
        """The values of a mapping that has these keys, or some of them, and no others."""
        found: dict[str, Value] = {}
        for key, value in self.entries():
            name = key.text()
            if name not in known:
                raise key.fault(f"there is no key {name!r} here", _nearest(name, known))
            found[name] = value
        return found


def _nearest(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name.casefold(), known, n=1)
    return f"{near[0]}?" if near else f"one of {', '.join(known)}"


def parse(text: str, file: str) -> Value:
    """The root of a YAML document.

    Args:
        text: the file's content.
        file: how the file is named in errors.

    Raises:
        BadInput: for what is not one YAML document, with line and column; for an empty or huge file.
    """
    if len(text) > LARGEST:
        raise BadInput(
            f"this file is longer than {LARGEST} characters", where=file, fix="is it the right one?"
        )
    try:
        node = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{file}:{mark.line + 1}:{mark.column + 1}" if mark else file
        raise BadInput(
            f"this is not YAML ({error.problem or error.context})", where=place, fix="mend that line"
        ) from None
    except (YAMLError, RecursionError, ValueError):
        raise BadInput(
            "this is not YAML that can be read", where=file, fix="save it as plain UTF-8 text"
        ) from None
    if node is None:
        raise BadInput("the file is empty", where=file, fix="start from an export")
    return Value(node, file)


def read(path: Path) -> Value:
    """The root of a YAML file, named in errors by its own name.

    Raises:
        BadInput: if it cannot be read, or is not one YAML document.
    """
    try:
        return parse(path.read_text(encoding="utf-8"), path.name)
    except UnicodeDecodeError:
        raise BadInput("this is not UTF-8", where=str(path), fix="save it as UTF-8") from None
    except OSError as error:
        raise BadInput(
            f"it cannot be read ({error.strerror})", where=str(path), fix="check name and rights"
        ) from None


def written(root: CommentedMap, width: int = 110) -> str:
    """A document as YAML text, in lines of about this width."""
    yaml = YAML()
    yaml.width = width
    yaml.indent(mapping=2, sequence=4, offset=2)
    out = StringIO()
    yaml.dump(root, out)
    return out.getvalue()
