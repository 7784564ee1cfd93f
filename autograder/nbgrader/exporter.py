"""Read submitted notebooks for nbgrader, and set up and end the whole command.

nbgrader makes one exporter for each `nbgrader autograde`, from the command line or from formgrader.
Only the exporter, of all classes in nbgrader's settings, has access to the whole command.
"""

from __future__ import annotations

import json
from contextlib import ExitStack, contextmanager
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
from autograder.grading.open_run import Setting
from autograder.nbgrader.autograde import Grading
from autograder.nbgrader.collected import careful_copies, guard_hand_ins
from autograder.nbgrader.gradebook import (
    cells_to_show,
    enter_assignment,
    opened_once,
    read_released,
)
from autograder.nbgrader.rebuild import rebuild
from autograder.nbgrader.submitted_cells import Release, submitted_cells
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
    memory = Int(DEFAULT_MEMORY, help="MB that a submission may take beside Python and torch.").tag(
        config=True
    )
    trust_timestamps = Bool(
        False, help="Take each timestamp.txt for the hand-in time, also where no exchange wrote it."
    ).tag(config=True)
    export_from_notebook = None  # no entry in JupyterLab's menu

    def __init__(self, parent: Autograde, **options: Any) -> None:
        """Attach to the converter `parent`."""
        super().__init__(parent=parent, **options)
        guard_hand_ins()
        self.optimistic_validation = True  # the cells are the release's: validate once, at the end
        self.grading: Any = None
        self.book: Any = None
        self.remarks: list[str] = []
        self._release = Release("", (), {}, "", ())
        self._notebook: Any = None
        convert, begin = parent.convert_notebooks, parent.init_destination

        def convert_notebooks() -> None:
            # Quiet: SQLAlchemy warns about each submission that nbgrader adds.
            with self._opened(), quiet():
                self._clear_unfinished()
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
                self.grading = stack.enter_context(self._open_grading())
                # Not under formgrader: the process is then all of JupyterLab.
                if isinstance(self.parent.parent, AutogradeApp):
                    set_undumpable()
                self.book = stack.enter_context(Gradebook(course.db_url, course.course_id))
                stack.enter_context(opened_once(self.book))
                stack.enter_context(careful_copies(course))
                self._read_release()
            except KitError as error:
                self.log.error(str(error))  # noqa: TRY400 - the message is enough
                raise NbGraderException(str(error)) from error
            yield

    def _open_grading(self) -> Grading:
        course = self.parent.coursedir
        root, name = Path(course.root), course.assignment_id
        solutions, autograded = root / self.solutions, root / course.autograded_directory
        setting = Setting(
            assignment=name,
            place=solutions,
            home=autograded.parent / ".autograder" / name,
            limits=Limits(cpu=self.timeout, memory=self.memory),
            private=(solutions / name, root / course.submitted_directory, autograded),
            allow_degraded=self.allow_degraded,
            switch="c.GradingExporter.allow_degraded = True",
        )
        return Grading(setting, len(self.parent.assignments))

    def _read_release(self) -> None:
        course, assignment = self.parent.coursedir, self.grading.assignment
        release = self._path(course.release_directory) / f"{assignment.name}.ipynb"
        enter_assignment(self.book, course.db_url, assignment, release)
        cells, metadata = cells_to_show(self.book, assignment.name, release)
        stub = read_released(release.with_suffix(".py"))
        steps = [*assignment.by_step]
        self._release = Release(assignment.name, cells, metadata, stub, steps)
        # nbgrader would put the stub in the place of the student's file.
        self.parent.exclude_overwriting = {assignment.name: [f"{assignment.name}.py"]}
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
            submission = self.grading.started(student, path.parent)
            cells, self.remarks = submitted_cells(path.parent, submission, self._release)
            shown = rebuild(self._release.cells, cells)
            self._notebook = NotebookNode(
                cells=shown, metadata=self._release.metadata, nbformat=4, nbformat_minor=5
            )
            return json.dumps(self._notebook), self._init_resources(resources)
        return self.from_notebook_node(self._notebook, resources, **options)  # type: ignore[no-any-return]
