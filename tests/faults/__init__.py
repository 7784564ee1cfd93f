"""Small faults in `autograder/`, one at a time, and which tests find each: `python -m tests.faults`."""
