"""nbgrader with this kit's grader in it: release, formgrader, gradebook, feedback and export stay nbgrader's.

config           what `nbgrader_config.py` calls
exporter         how a submitted notebook gets into nbgrader, and what one `nbgrader autograde` shares
session          one command's exam, sandbox and lock
rebuild          the released notebook with a student's answers in it
preprocessors    marks and feedback into the notebook and the gradebook
gradebook        marks in the gradebook; `autograder grade --gradebook` writes the same
"""
