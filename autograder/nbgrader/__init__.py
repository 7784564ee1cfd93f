"""Grade with this kit inside nbgrader; all other steps stay nbgrader's own.

config           settings, called by `nbgrader_config.py`
exporter         reads submitted notebooks; sets up and ends each `nbgrader autograde`
session          the exam, sandbox and lock of one command
rebuild          puts a student's answers into the released notebook
preprocessors    writes marks and feedback to the notebook and the gradebook
gradebook        writes marks to the gradebook; used by `autograder grade --gradebook` too

Release, formgrader, gradebook, feedback and export stay nbgrader's own.
"""
