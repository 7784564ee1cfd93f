"""Read submitted notebooks for nbgrader, and set up and end the whole command.

nbgrader makes one exporter for each `nbgrader autograde`, from the command line or from formgrader.
Only the exporter, of all classes in nbgrader's settings, has access to the whole command.
"""

from __future__ import annotations

import glob
import json
import os
import re
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.apps.autogradeapp import AutogradeApp
from nbgrader.converters.base import NbGraderException
from nbgrader.utils import rmtree
from traitlets import Bool, Float, Int, Unicode

from autograder.errors import KitError
from autograder.nbgrader.gradebook import enter_assignment, opened_once, released_cells
from autograder.nbgrader.rebuild import handed_in, rebuild
from autograder.nbgrader.session import Grading, Place
from autograder.no_warnings import quiet
from autograder.sandbox.layers.prctl import set_undumpable
from autograder.sandbox.limits import DEFAULT_MEMORY, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbgrader.converters import Autograde


class GradingExporter(NotebookExporter):
    """Give nbgrader the released notebook with the student's answers in it.

    One exam and one sandbox serve the whole command.
    """

    solutions = Unicode(
        "solutions", help="Where the assignments' sources are; relative to the course's root."
    ).tag(config=True)
    allow_degraded = Bool(False, help="Grade even where sandbox layers are missing.").tag(
        config=True
    )
    timeout = Float(10.0, help="CPU seconds for a check.").tag(config=True)
    memory = Int(DEFAULT_MEMORY, help="Address space of a worker, in MB.").tag(config=True)
    export_from_notebook = None  # no entry in JupyterLab's menu

    def __init__(self, parent: Autograde, **options: Any) -> None:
        """Attach to the converter `parent`."""
        super().__init__(parent=parent, **options)
        self.optimistic_validation = True  # the cells are the release's: validate once, at the end
        self.grading: Any = None
        self.book: Any = None
        self.remarks: list[str] = []
        self._cells: list[Any] = []
        self._metadata: Any = {}
        self._notebook: Any = None
        convert, begin = parent.convert_notebooks, parent.init_destination

        def convert_notebooks() -> None:
            # Quiet: SQLAlchemy warns about each submission that nbgrader adds.
            with self._opened(), quiet():
                self._clear_unfinished()
                self._add_modules()
                try:
                    convert()
                finally:  # nbgrader has removed failed and interrupted work
                    self.grading.end()

        def init_destination(assignment: str, student: str) -> bool:
            self.grading.begin(student)
            return bool(begin(assignment, student))

        # nbgrader has no hook for the whole command: its hooks run once for each submission.
        parent.convert_notebooks = convert_notebooks
        parent.init_destination = init_destination

    def submitted(self, student: str) -> Path:
        """Return the folder of a student's submitted files."""
        course = self.parent.coursedir
        return self._path(course.submitted_directory, student)

    def _path(self, step: str, student: str = ".") -> Path:
        course = self.parent.coursedir
        return Path(course.format_path(step, student, course.assignment_id))

    @contextmanager
    def _opened(self) -> Iterator[None]:
        """Open what the whole command shares.

        Raises NbGraderException, which ends the command, if something is missing.
        """
        course = self.parent.coursedir
        with ExitStack() as stack:
            try:
                limits = Limits(cpu=self.timeout, memory=self.memory)
                self.grading = stack.enter_context(Grading(self._place(), limits))
                # Not under formgrader: the process is then all of JupyterLab.
                if isinstance(self.parent.parent, AutogradeApp):
                    set_undumpable()
                self.book = stack.enter_context(Gradebook(course.db_url, course.course_id))
                stack.enter_context(opened_once(self.book))
                self._read_release()
            except KitError as error:
                self.log.error(str(error))  # noqa: TRY400 - the message is enough
                raise NbGraderException(str(error)) from error
            yield

    def _place(self) -> Place:
        course = self.parent.coursedir
        root = Path(course.root)
        autograded = root / course.autograded_directory
        return Place(
            assignment=course.assignment_id,
            solutions=root / self.solutions,
            home=autograded.parent / ".autograder" / course.assignment_id,
            private=(root / course.submitted_directory, autograded),
            allow_degraded=self.allow_degraded,
        )

    def _read_release(self) -> None:
        course, assignment = self.parent.coursedir, self.grading.assignment
        release = self._path(course.release_directory) / f"{assignment.name}.ipynb"
        enter_assignment(self.book, course.db_url, assignment, release)
        self._cells, self._metadata = released_cells(self.book, assignment.name, release)
        self.book.db.commit()  # release the database for other writers

    def _clear_unfinished(self) -> None:
        """Remove the unfinished submission of a killed command.

        nbgrader would take the leftover folder for a graded submission.
        """
        student = self.grading.unfinished
        left = self._path(self.parent.coursedir.autograded_directory, student)
        if student and left.is_dir():
            self.log.warning("%s was being graded when the last command ended; once more.", student)
            rmtree(str(left))

    def begin_next(self, student: str) -> None:
        """Start the next submission in the sandbox, unless nbgrader will skip that submission."""
        course = self.parent.coursedir
        pairs = pairwise(sorted(self.parent.assignments))  # in nbgrader's order
        here = self.submitted(student)
        following = next((after for folder, after in pairs if Path(folder) == here), "")
        form = course.format_path(
            course.submitted_directory, "(.*)", course.assignment_id, escape=True
        )
        if matched := re.fullmatch(form, following):
            graded = self._path(course.autograded_directory, matched[1])
            if self.parent.force or not graded.exists():
                self.grading.begin_next(matched[1], Path(following))

    def _add_modules(self) -> None:
        """Make nbgrader also process submissions with a `.py` file and no notebook."""
        course = self.parent.coursedir
        if course.notebook_id != "*":
            return
        name = course.assignment_id
        for folder in glob.glob(str(self._path(course.submitted_directory, course.student_id))):  # noqa: PTH207
            if Path(folder, f"{name}.py").is_file():
                notebooks = self.parent.assignments.setdefault(folder, [])
                if (notebook := str(Path(folder, f"{name}.ipynb"))) not in notebooks:
                    notebooks.append(notebook)

    def _drop_links(self, student: str) -> None:
        """Remove nbgrader's copies of files that symbolic links point to.

        nbgrader would return these copies to the student with the feedback.
        """
        theirs = self.submitted(student)
        copies = self._path(self.parent.coursedir.autograded_directory, student)
        for folder, _, files in os.walk(theirs):
            for place in (Path(folder, file) for file in files):
                if place.is_symlink():
                    (copies / place.relative_to(theirs)).unlink(missing_ok=True)

    def from_filename(
        self, filename: str, resources: Any = None, **options: Any
    ) -> tuple[Any, Any]:
        """Return the released notebook with the student's answers in place of the submitted file.

        nbgrader calls this twice: for the sanitized notebook, then for the one with marks.
        """
        path = Path(filename)
        resources["metadata"] = ResourcesDict(name=path.stem, path=str(path.parent))
        student = resources["nbgrader"]["student"]
        if path.parent == self.submitted(student):
            self._drop_links(student)
            cells, self.remarks = rebuild(self._cells, handed_in(path))
            self._notebook = NotebookNode(
                cells=cells, metadata=self._metadata, nbformat=4, nbformat_minor=5
            )
            return json.dumps(self._notebook), self._init_resources(resources)
        return self.from_notebook_node(self._notebook, resources, **options)  # type: ignore[no-any-return]
