"""Never finishes loading: no step is called.

goal: exhaust
honest: none
catalogue: 36
slow: yes
stopped_by: limits; the grader measures computing time
"""
while True:
    pass
