"""Never finishes loading: no step is called.

catalogue: 36
slow: yes
stopped_by: limits; the grader measures computing time
"""
while True:
    pass
