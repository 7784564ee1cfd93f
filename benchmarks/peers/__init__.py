"""The cost of other graders: a bare interpreter, pytest, nbgrader and Otter-Grader.

All grade the same answers. Each is set up as its manual says, in its own folder. Nothing here is
part of the kit.
"""
