"""Where untrusted code runs, and how it is spoken to.

protocol     frames of plain data, every length bounded        messages   what is asked and what is answered
worker       the untrusted process: loads and observes         student    a student's source as a module
process      one worker process, seen from the grader          session    one submission's workers, in a row
"""
