"""The part of the kit that runs on a student's machine.

practice        checks a student's work step by step, for all others
release_folder  the release, the student's file, what is left to do
pytest_plugin   one test for each check, a table of points     debugger      repeats a call, for --pdb
notebook_check  check("step") in a notebook                    cell_history  the cells that a kernel has run
hint_levels     the hints of a step, one level at a time       memory        the last check of each step, the last hint
step_reset      the stub of a step again
saved_notebook  how the saved file differs from these
"""
