"""From submissions to results.

grader          all checks: settled, then explained     judge           which answers of a check are right
observations    the probes' answers, each kept          points          the rule of points
consequences    which step to fix first
tutor           why a step is not right                 repairing       tries edits of its own lines
repetition      what is right after a repeated mistake
explaining      the boundary around all that only explains
grade           one submission to one result            task            the same in any process
budget          what judging one submission may cost    batch           many submissions in parallel
engines         where they are graded: here, or in processes that are replaced if they die
cluster         grading on a Dask cluster               capacity        the cores and the memory for it
open_run        opens a run, for one process at a time  run_seed        a run's seed and id
overrides       marks that a person changes             lateness        how late a hand-in is, and what it costs
"""
