"""The parameters of a notebook: what its parameters cell declares, and values checked against it.

A parameters cell is plain assignments of one literal a line, each with a comment that a person
and this module both read::

    # The parameters of this report
    word_list = "wordle-2021"  # a name, or the path of a file of answers
    top = 10  # 1 to 100: rows of each table
    order = "size"  # one of size, name: how the table is sorted

A comment that starts with ``LOW to HIGH:`` or ``one of A, B, C:`` limits the values. The cell is
read with `ast`, never run, by the strict runner; in a running notebook, `check_parameters` finds
it in the history of the kernel, so that the limits are written once.
"""

import ast
import math
import re
from dataclasses import dataclass

from wordgames._hints import did_you_mean

MARKER = "# The parameters of this report"

_RANGE = re.compile(r"(-?[\d.]+) to (-?[\d.]+):\s*")
_CHOICE = re.compile(r"one of ([^:]+):\s*")
_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


class ParameterError(ValueError):
    """A parameter that does not exist, or a value that it cannot take."""


@dataclass(frozen=True)
class Parameter:
    """One line of a parameters cell."""

    name: str
    default: bool | int | float | str
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def takes(self) -> str:
        """What values it takes, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        kind = _KINDS[type(self.default)]
        return kind if self.low is None else f"{kind} from {self.low:g} to {self.high:g}"

    def check(self, value):
        """The value in the parameter's own type; ParameterError when it cannot be that."""
        kind = type(self.default)
        whole = isinstance(value, int) and not isinstance(value, bool)
        if kind is float and whole:
            value = float(value)
        if type(value) is not kind or (kind is float and not math.isfinite(value)):
            raise self._error(value)
        if self.choices and value not in self.choices:
            raise self._error(value, did_you_mean(str(value), self.choices, most=1))
        if self.low is not None and not self.low <= value <= self.high:
            raise self._error(value)
        return value

    def parse(self, text: str):
        """The value that some text of a command line means; checked."""
        kind = type(self.default)
        value = text
        try:
            if kind is bool:
                value = {"true": True, "false": False}[text.strip().lower()]
            elif kind is not str:
                value = kind(text)
        except (KeyError, ValueError):
            raise self._error(text) from None
        return self.check(value)

    def _error(self, value, hint: str = "") -> ParameterError:
        return ParameterError(f"parameter {self.name} = {value!r}: it takes {self.takes}{hint}")


def read_parameters(source: str) -> dict[str, Parameter]:
    """The parameters that the source of a parameters cell declares.

    ValueError when the cell is not plain assignments of literals with comments.
    """
    lines = source.splitlines()
    parameters = {}
    for node in ast.parse(source).body:
        line = lines[node.lineno - 1]
        if not (
            isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and node.lineno == node.end_lineno
        ):
            raise ValueError(f"parameters cell: {line!r} is not one assignment of a literal")
        try:
            default = ast.literal_eval(node.value)
        except ValueError:
            default = None
        if not isinstance(default, bool | int | float | str):
            raise ValueError(
                f"parameters cell: {line!r}: a default is a literal number, text, True or False"
            )
        name = node.targets[0].id
        # ast counts bytes, not characters.
        comment = line.encode()[node.end_col_offset :].decode().strip().removeprefix("#").strip()
        if not comment:
            raise ValueError(f"parameters cell: {name} needs a comment that says what it is")
        low = high = None
        choices = ()
        if found := _RANGE.match(comment):
            low, high = map(float, found.groups())
        elif found := _CHOICE.match(comment):
            choices = tuple(choice.strip() for choice in found[1].split(","))
        help_text = comment[found.end() :] if found else comment
        parameters[name] = Parameter(name, default, help_text, low, high, choices)
    return parameters


def parameters_cells(notebook) -> list:
    """The cells of a notebook that are tagged ``parameters``; a sound one has one."""
    return [
        cell
        for cell in notebook.cells
        if cell.cell_type == "code" and "parameters" in cell.metadata.get("tags", [])
    ]


def check_names(given, parameters: dict[str, Parameter]) -> None:
    """ParameterError for the first given name that no parameter has."""
    for name in given:
        if name not in parameters:
            names = ", ".join(parameters) or "none"
            hint = did_you_mean(name, parameters, most=1)
            raise ParameterError(f"no parameter {name!r}: the parameters are {names}{hint}")


def check_parameters() -> None:
    """In a notebook's setup cell: check the values of the parameters as they now stand.

    Reads what may stand there from the parameters cell, in the kernel's own history, and puts
    each value back in its declared type. A cell that papermill has put behind it may set no other
    names; plain papermill only warns about them. Outside a notebook it does nothing.
    """
    try:
        from IPython import get_ipython
    except ImportError:
        return
    shell = get_ipython()
    if shell is None:
        return
    cells = [cell for cell in shell.user_ns.get("In", []) if cell.lstrip().startswith(MARKER)]
    if not cells:
        raise RuntimeError("run the parameters cell before the setup cell")
    declared = read_parameters(cells[-1])
    check_names(_injected_names(shell.user_ns["In"]), declared)
    for name, parameter in declared.items():
        shell.user_ns[name] = parameter.check(shell.user_ns[name])


def _injected_names(history: list[str]) -> list[str]:
    """What the last cell that papermill put into a notebook sets."""
    cells = [cell for cell in history if cell.startswith("# Parameters\n")]
    return [
        target.id
        for node in (ast.parse(cells[-1]).body if cells else ())
        for target in getattr(node, "targets", ())
        if isinstance(target, ast.Name)
    ]
