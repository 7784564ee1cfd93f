"""What other ways of grading cost: a bare interpreter, pytest, nbgrader and Otter-Grader, on the very same answers.

Each is set up as its own manual says, in a folder of its own. Nothing here is part of the kit.
"""
