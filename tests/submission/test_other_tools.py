"""Files from everywhere: what other tools make of a notebook, and what students bring from them."""

from __future__ import annotations

import ast
import json
import random
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from autograder.assignment.source import load_source
from autograder.errors import Rejected
from autograder.python_source import statements
from autograder.submission.find import find_hand_ins
from autograder.submission.notebook_work import Additions, NotebookCell, like, texts_of
from autograder.submission.outputs import MOST_TOKENS, without_outputs
from autograder.submission.read import read_submission
from tests.toy import DOUBLE, SHIFT, code, notebook, write_toy
from tests.trusted_cost import measured

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.assignment.source import Assignment
    from autograder.submission.read import Submission

pytestmark = pytest.mark.unit

DATABRICKS = f"""\
# Databricks notebook source
# MAGIC %md
# MAGIC # double

# COMMAND ----------

{DOUBLE}
# COMMAND ----------

def broken(:

# COMMAND ----------

{SHIFT}"""
PYCHARM = f"#%% md\n# # double\n#%%\n{DOUBLE}\n#%% tags=['show']\nprint(double(1))\n#%%\n{SHIFT}"
PROMPTS = ">>> def double(x):\n...     return x + x\n...\n>>> double(1)\n2\n>>> def shift(x):\n...     return x\n"
IPYTHON = "In [1]: def double(x):\n   ...:     return x + x\n   ...:\n\nIn [2]: def shift(x):\n   ...:     return x\n"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Assignment:
    return load_source(write_toy(tmp_path_factory.mktemp("toy")) / "toy").assignment


def read(path: Path, toy: Assignment, data: str | bytes) -> Submission:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    [found] = find_hand_ins([path], toy.name)
    return read_submission(found, toy)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("toy.py", DATABRICKS.replace("def broken(:\n", "")),
        ("toy.py", PYCHARM),
        ("toy.py", PROMPTS.replace("\n2\n", "\n")),
        ("toy.py", IPYTHON),
        ("toy.py", f"get_ipython().run_cell_magic('writefile', 'toy.py', {DOUBLE!r})\n{SHIFT}"),
        ("toy.ipynb", notebook(code("double", PROMPTS.replace("\n2\n", "\n")))),
        ("toy.ipynb", notebook(code("a", f"%%writefile -a toy.py\n{DOUBLE}"), code("b", f"%%time\n{SHIFT}"))),
        ("toy.ipynb", notebook(code("a", f"%%time\n%%writefile toy.py\n{DOUBLE}"), code("b", SHIFT))),
        ("toy.ipynb", notebook(code("a", f"{DOUBLE}\n{SHIFT}"), code("b", "") | {"source": None})),
    ],
    ids=["databricks", "pycharm", "prompts", "ipython", "exported", "in a cell", "magics", "two", "null"],
)  # fmt: skip
def test_the_steps_are_there(tmp_path: Path, toy: Assignment, name: str, text: str) -> None:
    pieces = read(tmp_path / name, toy, text).pieces
    names: dict[str, Any] = {}
    for _, source in pieces:
        ast.parse(source)
        exec(source, names)
    assert names["double"](2) == 4
    assert callable(names["shift"])
    assert "show" not in "".join(source for _, source in pieces)


def test_a_broken_cell_costs_itself_and_other_languages_stay_out(
    tmp_path: Path, toy: Assignment
) -> None:
    [(_, source)] = read(tmp_path / "toy.py", toy, DATABRICKS).pieces
    found = [one.names for one in statements(source) if one.tree is not None]
    assert found == [("double",), ("shift",)]
    cells = [code("a", "%%bash\nls"), code("b", "%%writefile notes.txt\ndef double(x): 1")]
    pieces = read(tmp_path / "toy.ipynb", toy, notebook(*cells, code("double", DOUBLE))).pieces
    assert "".join(source for _, source in pieces[1:]).strip() == DOUBLE.strip()


def pictured(megabytes: int, source: str = DOUBLE) -> str:
    """A notebook with that many megabytes of pictures."""
    data = random.Random(1).randbytes(1000).hex() * 500
    output = {
        "output_type": "display_data",
        "metadata": {},
        "data": {"image/png": data, "text/plain": ['"]', "["]},
    }
    cell = code("double", source) | {"outputs": [output] * megabytes}
    return notebook(cell, code("shift", SHIFT + '# "outputs": [1, 2]\n'))


@pytest.mark.large
def test_outputs_do_not_count_for_the_size_in_an_archive_either(
    tmp_path: Path, toy: Assignment
) -> None:
    text = pictured(6)
    assert 6e6 < len(text) < 6.5e6
    with measured() as cost:
        pieces = read(tmp_path / "toy.ipynb", toy, text).pieces
    assert [source for _, source in pieces[1:]] == [DOUBLE, SHIFT + '# "outputs": [1, 2]\n']
    assert cost.units < 20
    book = json.loads(text)
    empty = [one | {"outputs": []} for one in book["cells"]]
    assert json.loads(without_outputs(text)) == book | {"cells": empty}

    with zipfile.ZipFile(tmp_path / "alice.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("toy.ipynb", text)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    [found] = find_hand_ins([tmp_path / "alice.zip"], toy.name, scratch)
    assert read_submission(found, toy).pieces[1][1] == DOUBLE


@pytest.mark.large
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (pictured(17), "`toy.ipynb` is larger than 16 MB."),
        (pictured(1, "#" * 5_300_000), "`toy.ipynb` without outputs is larger than 5 MB."),
        ('{"cells": [], "nbformat": 4, "x": [' + "[]," * 2_000_000 + "[]]}", "larger than 5 MB"),
        ('{"outputs": [' * 500_000, "larger than 5 MB"),
        ('{"outputs": ["' + "\\\\" * 3_000_000, "larger than 5 MB"),
    ],
    ids=["raw", "source", "lists", "open", "open string"],
)
def test_what_is_too_large_is_refused_soon(
    tmp_path: Path, toy: Assignment, text: str, words: str
) -> None:
    with measured() as cost, pytest.raises(Rejected) as refused:
        read(tmp_path / "toy.ipynb", toy, text)
    assert words in str(refused.value)
    assert cost.units < 40
    assert MOST_TOKENS < 1_000_000


GIVEN = {"given-1": "import math\n\nstart = 1.0\n"}


@pytest.mark.parametrize(
    ("source", "left", "words"),
    [
        ("import  math  # as it was\nstart=1.0", "", ()),
        ("import math\nimport json\nstart = 1.0", "pass\nimport json\npass", ("What you added",)),
        ("import math; import json; start = 1.0", "pass; import json; pass", ("What you added",)),
        ("import math\nstart = 2.0", "", ("your change of `start` does not count: it is",)),
        ("start = math = 3", "", ("your change of `math`, `start` does not count: they are",)),
        ("start[0] = 3\nstart = 1.0", "start[0] = 3\npass", ("your change of `math`", "What you added")),
        ("import math\nstart = 1.0\nprint((", "pass\npass\nprint((", ("What you added",)),
        ("@x\ndef start(): ...\nimport math", "", ("your change of `start`",)),
        ("import math\nstart=1.0\nx = 1" + "+1" * 900, "pass\npass\nx = 1" + "+1" * 900, ("What you added",)),
    ],
)  # fmt: skip
def test_what_a_given_cell_got_counts(source: str, left: str, words: tuple[str, ...]) -> None:
    additions = Additions(GIVEN)
    assert additions.only(NotebookCell(3, "code", "given-1", source, (), run=7), source) == left
    said = additions.words()
    assert len(said) == len(words)
    assert all(part in sentence for part, sentence in zip(words, said, strict=True))
    assert all("given cell [7] " in sentence for sentence in said)


# What is released, and cells without an id: which released cell each is. Students import in cells of their own, too.
RELEASED = {
    "given-1": "import math\nfrom math import pi\nstart = 1.0",
    "given-2": "import json",
    "show-1": "x = start\nprint(x)",
}


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import math\nfrom math import pi\nstart = 2.0", "given-1"),
        ("from math import pi\nstart = 1.0\nimport json", "given-1"),
        ("import math\nfrom math import pi", ""),
        ("import math\nfrom math import pi\ny = 3", ""),
        ("import json", ""),
        ("x = start\nprint(x)", "show-1"),
        ("print(x)", ""),
        ("start = 2.0", ""),
    ],
)
def test_a_cell_without_an_id_is_given_by_its_content(source: str, name: str) -> None:
    known = {key: texts_of(text) for key, text in RELEASED.items()}
    assert like(source, known) == name


def test_of_a_cell_that_is_like_a_given_one_is_only_said_what_it_changes() -> None:
    additions = Additions(GIVEN)
    cell = NotebookCell(1, "code", "given-1", "", (), alike=True)
    for source in ("start = 1.0", "start = 1.0\nimport json\nimport re"):
        additions.only(cell, source)
    assert additions.words() == ()
    additions.only(cell, "start = 2.0")
    [said] = additions.words()
    assert said == "In the given cell 1 your change of `start` does not count: it is as released."


@pytest.mark.large
def test_given_cells_without_end_are_read_soon() -> None:
    additions = Additions(GIVEN)
    with measured() as cost:
        for text in ("x = 1\n" * 200_000, "((" * 250_000, "import math\n" * 100_000):
            additions.only(NotebookCell(3, "code", "given-1", text, ()), text)
    assert cost.units < 40
