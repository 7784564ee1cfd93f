"""`python -m autograder`: the command line, wherever `python -m pytest` works."""

from autograder.cli import main

main(prog_name="python -m autograder")
