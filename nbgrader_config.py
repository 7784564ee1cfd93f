"""nbgrader's settings for this project: `nbgrader generate_assignment self_attention --force` and the rest work here.

`autograder build` writes `course/source/`; what students hand in, the marks and the feedback are below `course/` too.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent

c = get_config()  # noqa: F821 - traitlets puts it here

c.CourseDirectory.course_id = "self-attention"
c.CourseDirectory.root = str(ROOT)
c.CourseDirectory.source_directory = "course/source"
c.CourseDirectory.release_directory = "assignments"
c.CourseDirectory.submitted_directory = "course/submitted"
c.CourseDirectory.autograded_directory = "course/autograded"
c.CourseDirectory.feedback_directory = "course/feedback"
c.CourseDirectory.solution_directory = "course/solution"
c.CourseDirectory.source_with_tests_directory = "course/source_with_tests"
c.CourseDirectory.db_url = f"sqlite:///{(ROOT / 'course' / 'gradebook.db').as_posix()}"

# A question's marking scheme stands in the locked cell above the answer: nbgrader takes it out of the release and
# shows it to markers. Without this it insists on a task cell, which would leave an empty answer to be marked by hand.
c.ClearMarkScheme.enforce_metadata = False

try:
    from autograder.nbgrader.config import configure
except ModuleNotFoundError as error:
    if not (error.name or "").startswith("autograder"):
        raise
else:
    configure(c)

# The instructor's own settings, such as c.Exchange.root. Git ignores the folder, and the file may be missing.
load_subconfig("course/settings.py", str(ROOT))  # noqa: F821 - traitlets puts it here
