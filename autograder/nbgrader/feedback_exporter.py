"""nbgrader's feedback page: the summary first, the steps by name, and nothing that is loaded from elsewhere."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from html import escape, unescape
from pathlib import Path
from typing import Any

import nbgrader
from jinja2 import pass_context
from latex2mathml.converter import convert_to_element
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets.config import Config

from autograder.nbgrader.preprocessors import SUMMARY

_TEMPLATE = "kit_feedback"
_TEMPLATES = Path(__file__).parent / "templates"
_NBGRADERS = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
# Of a formula: the characters of its source, and the elements and attributes of MathML.
_MAX_LENGTH = 2_000
_ELEMENTS = frozenset([
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "ms", "msub", "msup", "msubsup", "mfrac",
    "msqrt", "mroot", "mover", "munder", "munderover", "mtable", "mtr", "mtd", "mpadded", "mstyle",
    "mphantom", "menclose"
])  # fmt: skip
_ATTRIBUTES = frozenset([
    "xmlns", "display", "mathvariant", "stretchy", "fence", "form", "width", "height", "depth",
    "lspace", "rspace", "minsize", "maxsize", "largeop", "movablelimits", "accent", "linethickness",
    "columnalign", "columnspacing", "rowspacing", "displaystyle", "scriptlevel", "separator"
])  # fmt: skip


class FeedbackExporter(HTMLExporter):
    """Write the feedback page of one student."""

    export_from_notebook = None  # no entry in JupyterLab's menu

    def __init__(self, config: Config | None = None, **options: Any) -> None:
        """Choose this kit's template, whatever template nbgrader's commands and formgrader ask for."""
        own = Config(config or {})
        own.FeedbackExporter.template_name = _TEMPLATE
        own.FeedbackExporter.template_file = "page.html.j2"
        own.FeedbackExporter.extra_template_basedirs = [str(_TEMPLATES), str(_NBGRADERS)]
        own.FeedbackExporter.exclude_input_prompt = True
        own.FeedbackExporter.exclude_output_prompt = True
        super().__init__(config=own, **options)

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """Return Markdown as HTML, with formulas that need no script."""
        attachments = context.get("cell", {}).get("attachments", {})
        renderer = _Renderer(
            escape=False,
            allow_harmful_protocols=False,
            attachments=attachments,
            anchor_link_text=self.anchor_link_text,
            exclude_anchor_links=True,
        )
        return str(MarkdownWithMath(renderer=renderer).render(source))


class _Renderer(IPythonRenderer):
    """Write formulas as MathML instead of leaving them to MathJax."""

    def inline_math(self, body: str) -> str:
        return formula_html(body)

    def block_math(self, body: str) -> str:
        return formula_html(body, block=True)

    def latex_environment(self, name: str, body: str) -> str:
        return formula_html(f"\\begin{{{name}}}{body}\\end{{{name}}}", block=True)


class ShowSummary(NbGraderPreprocessor):
    """Move the summary to the head of the page, and leave out the cell that imports `check`."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Give the template the summary as HTML; empty if the notebook has none."""
        outputs = (one for cell in nb.cells if cell.get("id") == SUMMARY for one in cell.outputs)
        resources["nbgrader"]["summary"] = "".join(one.data["text/html"] for one in outputs)
        nb.cells = [cell for cell in nb.cells if cell.get("id") not in (SUMMARY, "setup")]
        return nb, resources


def formula_html(tex: str, *, block: bool = False) -> str:
    """Return a formula as MathML, or its source as code if it cannot be converted.

    A student may have written the formula. So no other element is kept, and no attribute that could
    lead away or run something.
    """
    tex = tex.strip()
    if len(tex) > _MAX_LENGTH:
        return _source(tex)
    try:
        root = convert_to_element(tex, display="block" if block else "inline")
        return ET.tostring(_harmless(root), encoding="unicode")
    except Exception:  # noqa: BLE001 - the library raises many types, and the source is readable
        return _source(tex)


def _source(tex: str) -> str:
    return f"<code>{escape(tex)}</code>"


def _harmless(root: ET.Element) -> ET.Element:
    for element in root.iter():
        # The library writes entities into its texts, and leaves commands that it does not know.
        element.text = unescape(element.text or "")
        if element.tag not in _ELEMENTS or element.text.startswith(("\\", "&")):
            raise ValueError(f"{element.tag} {element.text}")
        for name in element.attrib.keys() - _ATTRIBUTES:
            del element.attrib[name]
    return root
