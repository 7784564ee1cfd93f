"""Grade with this kit inside nbgrader; all other steps stay nbgrader's own.

config           settings, called by `nbgrader_config.py`
exporter         reads submitted notebooks; sets up and ends each `nbgrader autograde`
autograde        the exam, sandbox or processes, and lock of one command
collected        what nbgrader may take from a student's folder: files and the hand-in time
submitted_cells  a submitted `.py`, notebook and answer file as cells of the notebook
rebuild          puts a student's answers into the released notebook
student_text     a student's Markdown, without tags and dangerous links
preprocessors    writes marks and feedback to the notebook and the gradebook
feedback_exporter  the student's page, which loads nothing
gradebook        writes marks to the gradebook; used by `autograder grade --gradebook` too

Release, formgrader, gradebook, feedback and export stay nbgrader's own.
"""
