"""nbgrader's feedback page: the summary first, the steps by name, and nothing that is loaded from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbgrader
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets.config import Config

from autograder.nbgrader.preprocessors import SUMMARY

_TEMPLATE = "kit_feedback"
_TEMPLATES = Path(__file__).parent / "templates"
_NBGRADERS = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"


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
        """Return Markdown as HTML, in which no link leads to a script. Formulas stay TeX."""
        attachments = context.get("cell", {}).get("attachments", {})
        renderer = IPythonRenderer(
            escape=False,
            allow_harmful_protocols=False,
            attachments=attachments,
            anchor_link_text=self.anchor_link_text,
            exclude_anchor_links=True,
        )
        return str(MarkdownWithMath(renderer=renderer).render(source))


class ShowSummary(NbGraderPreprocessor):
    """Move the summary to the head of the page, and leave out the cell that imports `check`."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Give the template the summary as HTML; empty if the notebook has none."""
        outputs = (one for cell in nb.cells if cell.get("id") == SUMMARY for one in cell.outputs)
        resources["nbgrader"]["summary"] = "".join(one.data["text/html"] for one in outputs)
        nb.cells = [cell for cell in nb.cells if cell.get("id") not in (SUMMARY, "setup")]
        return nb, resources
