"""How the kit is installed: from its wheel or from its own folder. No package index has it."""

from __future__ import annotations

from autograder import __version__

WHEEL = f"self_attention_kit-{__version__}-py3-none-any.whl"
# For students, in the folder of the zip file that they were given.
INSTALL = f"python -m pip install ./{WHEEL}"
# For instructors, in the kit's own folder.
INSTALL_INSTRUCTOR = 'python -m pip install -e ".[instructor]"'
INSTALL_CLUSTER = 'python -m pip install -e ".[instructor,cluster]"'


def zip_folder(assignment: str) -> str:
    """Return the name of the folder in the zip file that students get."""
    return f"{assignment}-{__version__}"
