"""Where untrusted code runs, and how it is spoken to.

session    one submission's workers, in a row           messages   what is asked and what is answered
fresh      workers in interpreters of their own         warm       workers forked from a warm process
forked     one of those, seen from the grader           limits     what a check may use, how a worker stopped
printed    what a worker prints, capped                 policy     when a machine is too open to grade on
inside/    what runs beside a student's code            layers/    what keeps that code in
"""
