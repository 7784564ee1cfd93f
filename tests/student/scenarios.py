"""What students do in a notebook: cells that are run, edited, added, deleted and moved, and the points in the end.

Each scenario begins with the released notebook in a new kernel. `points` is what `check` shows, and `graded` what the
saved file earns if that is something else: then the words of `check` say why.
"""

from __future__ import annotations

from dataclasses import dataclass

STEP = "attention_scores"
RIGHT = "def attention_scores(queries, keys):\n    return queries @ keys.T\n"
WRONG = "def attention_scores(queries, keys):\n    return keys @ queries.T\n"
BROKEN = "def attention_scores(queries, keys):\n    return (queries @ keys.T\n"
PROJECT = (
    "def project(x, W_query, W_key, W_value):\n    return x @ W_query, x @ W_key, x @ W_value\n"
)
SCALED = "def attention_scores(queries, keys):\n    return queries @ keys.T * {}\n"
AWAITS = "import asyncio\nasync def f():\n    await asyncio.sleep(0.01)\n    return 1\n"
GIVEN = "import torch\nfrom torch import nn\n"
SHOW = """\
words = ["Your", "journey", "starts", "with", "one", "step"]
for word, embedding in zip(words, inputs, strict=True):
    print(f"{word:8} {embedding}")
print("inputs:", tuple(inputs.shape))
"""
V1 = """\
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
    def forward(self, x):
        queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
        return torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1) @ values
"""
SENTENCE = """\
inputs = torch.tensor(
    [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64],
     [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]]
)
"""
INPUTS = "inputs = torch.tensor([[0.43, 0.15, 0.89]])\n"


@dataclass(frozen=True)
class Run:
    """Run a cell, with this text if one is given. A cell that is not there is added at the end, or after another."""

    cell: str
    text: str | None = None
    after: str = ""


@dataclass(frozen=True)
class Edit:
    """Edit a cell, or add one, and do not run it; None deletes it."""

    cell: str
    text: str | None
    after: str = ""


@dataclass(frozen=True)
class Restart:
    """Restart the kernel."""


@dataclass(frozen=True)
class Scenario:
    """What is done, and what follows.

    Attributes:
        says: what stands in the words of `check`.
        only_file: what is seen only where the kernel finds the saved file and the front end sends the cells' ids.
    """

    name: str
    does: tuple[Run | Edit | Restart, ...]
    points: float
    says: str = ""
    graded: float | None = None
    step: str = STEP
    only_file: bool = False


def _(
    name: str, points: float, *does: Run | Edit | Restart, says: str = "", step: str = STEP
) -> Scenario:
    return Scenario(name, does, points, says, step=step)


def differs(
    name: str, points: float, graded: float, says: str, *does: Run | Edit | Restart
) -> Scenario:
    return Scenario(name, does, points, says, graded, only_file=True)


def step(text: str) -> Run:
    return Run(STEP, text)


SCENARIOS = (
    _("right", 2, Run("given-1"), step(RIGHT), says="Checked: In ["),
    _("wrong", 0, step(WRONG), says="Checked: In ["),
    _("not started", 0, Run(STEP), says="If you have written code, run its cell first."),
    _("never run", 0, says="has not run a cell that defines"),
    _("one line more", 2, step(RIGHT + "x = 1"), says="Next:"),
    # Which code was checked.
    _("broken after green", 0, step(RIGHT), step(BROKEN), says="cannot be read: In ["),
    _("broken above the function", 2, step("print((\n" + RIGHT)),
    _("wrong after green", 0, step(RIGHT), step(WRONG)),
    _("later cell that was run last", 0, step(RIGHT), Run("mine", WRONG, STEP)),
    _("another name", 0, step(RIGHT.replace(STEP, "attention_score_s")), says="attention_score_s"),
    differs("edited and not run", 2, 0, "was edited after In [", step(RIGHT), Edit(STEP, WRONG)),
    differs("later cell that was not run", 2, 0, "A later cell", step(RIGHT),
        Edit("mine", WRONG, STEP)),
    differs("deleted after the run", 2, 0, "no cell any more", step(RIGHT), Edit(STEP, None)),
    differs("helper deleted after the run", 2, 0, "no cell any more that defines `one`",
        Run("mine", "def one():\n    return 1"), step(SCALED.format("one()")), Edit("mine", None)),
    differs("helper edited and not run", 2, 0, "The cell that defines `one` was edited after In [",
        Run("mine", "one = 1", "given-1"), step(SCALED.format("one")), Edit("mine", "one = 7")),
    differs("helper not run after a restart", 0, 2,
        "The cell of your notebook that defines `one` was not run",
        Run("mine", "one = 1", "given-1"), Restart(), step(SCALED.format("one"))),
    differs("nothing run after a restart", 0, 2, "has not run a cell", step(RIGHT), Restart()),
    Scenario("helper removed from its cell",
        (Run(STEP, "one = 1\n" + SCALED.format("one")), Run(STEP, SCALED.format("one"))), 0,
        "There is no `one`", only_file=True),
    _("helper defined after the step", 2, step(SCALED.format("one()")), Run("mine", "def one():\n    return 1")),
    Scenario("counter that was run twice",
        (Run("mine", "n = 0"), Run("more", "n += 1"), Run("more"), step(SCALED.format("n"))), 2,
        only_file=True),
    Scenario("table of an older number",
        (Run("a", "n = 2"), Run("b", "table = [1] * n"), Run("a", "n = 1"), step(SCALED.format("len(table)"))),
        2, only_file=True),
    _("replaced by its result", 2, Run("given-1"), step(RIGHT + f"{STEP} = {STEP}(inputs, inputs)")),
    _("it ends the process", 0, step("import os\ndef attention_scores(queries, keys):\n    os._exit(3)")),
    _("from the future", 2, Run("mine", "from __future__ import annotations"), step(RIGHT)),
    _("class with a step that is not written", 1, Run("given-1"), Run("project"),
        Run("SelfAttention_v1", V1), step="SelfAttention_v1", says="project"),
    # Given cells.
    _("added to a given cell", 2, Run("given-1", "import math\n" + GIVEN + SENTENCE),
        step(SCALED.format("math.cos(0)")),
        says="What you added to the given cell ["),
    _("given value changed", 2, Run("given-1", GIVEN + INPUTS),
        step(SCALED.format("len(inputs) / 6")),
        says="your change of `inputs` does not count: it is as released"),
    _("given statements in a cell of one's own", 2, Run("given-1"),
        Run("mine", "import math\n" + GIVEN), step(SCALED.format("math.cos(0)"))),
    _("given cell not run", 2, step(SCALED.format("torch.ones(1)"))),
    _("given cell with a broken line", 2, Run("given-1", GIVEN + "import maths\nprint(("), step(RIGHT)),
    Scenario("given cell deleted", (Edit("given-1", None), step(SCALED.format("torch.ones(1)"))), 2),
    # Show cells, check cells.
    _("variable of a show cell", 0, Run("show-2"), step(SCALED.format("W_query[0, 0]")),
        says="`W_query` is made in a cell that only shows something"),
    _("variable of a show cell that was not run", 0, step(SCALED.format("W_query[0, 0]")),
        says="`W_query` is made in a cell that only shows something"),
    _("variable of a show cell for an argument", 0, step(RIGHT.replace("queries @", "words @")),
        says="No line of `attention_scores` makes `words`, only a cell that shows something"),
    _("imports in a cell of one's own", 2, Run("mine", "import torch\nfrom torch import nn"), step(RIGHT)),
    _("lines in a string", 2, step(SCALED.format("(len(\"\"\"%a\n!ls\n\"\"\") // 7)"))),
    _("variable added to a show cell", 0, Run("show-1", SHOW + "one = 1\n"),
        step(SCALED.format("one"))),
    Scenario("step in a check cell", (Run("check_project", PROJECT),), 0, "not graded", step="project", only_file=True),
    _("check in the step's cell", 2, step(f'{RIGHT}check("{STEP}")')),
    _("check in an added cell", 2, step(RIGHT), Run("mine", f'x = 1\ncheck(\n    "{STEP}"\n); y = 2')),
    # What only a notebook understands.
    _("display at the top", 2, Run("given-1"), step(RIGHT + f"display({STEP}(inputs, inputs))")),
    _("await at the top", 2, Run("mine", AWAITS), Run("more", "one = await f()"),
        step(SCALED.format("one"))),
    _("written into a file", 2, step("%%writefile scores.py\n" + RIGHT)),
    _("with magics and shell commands", 2, step("%matplotlib inline\n!true\n" + RIGHT + "attention_scores?")),
    _("it asks for input", 2, step("n = input()\n" + RIGHT)),
)  # fmt: skip
