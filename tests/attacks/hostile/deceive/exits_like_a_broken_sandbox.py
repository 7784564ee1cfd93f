"""Ends the way a worker ends that could not put its layers on, so that the grader would take the blame.

catalogue: 6
stopped_by: a worker greets before it is given any student's code; what ends later is the student's affair
"""
import os

os.write(2, b"OSError: landlock failed\n")
os._exit(70)
