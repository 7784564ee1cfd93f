"""What runs on a student's machine.

pytest_plugin   one test for each check, a table of points     step_checker   judges the steps that pytest runs
notebook        check("step") in a notebook                    cell_history   which cells a kernel has run
debug_session   a step in pytest's own process, for --pdb
"""
