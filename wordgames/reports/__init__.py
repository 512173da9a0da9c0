"""Run notebooks strictly, record their results, compare with published figures, render the site.

What notebooks call is light to import; the runner and the site, which import papermill and
nbconvert, are loaded when they are first asked for.
"""

from wordgames.reports.parameters import check_parameters
from wordgames.reports.recording import (
    begin_report,
    check_published,
    record,
    say,
    show_answer,
    show_results,
    show_table,
    show_try,
)

__all__ = [
    "begin_report",
    "check_parameters",
    "check_published",
    "record",
    "run_report",
    "say",
    "show_answer",
    "show_results",
    "show_table",
    "show_try",
]


def __getattr__(name: str):
    if name == "run_report":
        from wordgames.reports.runner import run_report

        return run_report
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
