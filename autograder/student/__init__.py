"""The part of the kit that runs on a student's machine.

pytest_plugin   one test for each check, a table of points     pytest_run     an assignment's checks in one run
notebook        check("step") in a notebook                    cell_history   the cells that a kernel has run
step_checker    checks steps one by one, for both              debug_session  a step in pytest's process, for --pdb
release_folder  the files beside a notebook, what is left to do
own_file        the file that the student worked in
"""
