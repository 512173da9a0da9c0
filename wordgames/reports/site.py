"""stand-in"""

from dataclasses import dataclass


@dataclass(frozen=True)
class About:
    name: str
    parameters: dict
    declared: dict


def alt_text(output, kind):
    return (
        output.get("metadata", {}).get(kind, {}).get("alt")
        or output.get("metadata", {}).get("alt")
        or ""
    )


def page_html(notebook, about, failure=""):
    from nbconvert import HTMLExporter

    return HTMLExporter().from_notebook_node(notebook)[0]


def build_index(output_dir):
    pass
