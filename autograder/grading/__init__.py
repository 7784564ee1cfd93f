"""From submissions to results.

grader          one check: observed, compared, judged   consequences    what a wrong step means for later ones
observations    the probes' answers, each kept          points          what a criterion and a check earn
tutor           why a step is not right                 evidence        further answers of a wrong step
surplus         the part that was meant of an answer with too many
explaining      the boundary around all that only explains
grade           one submission to one result            task            the same in any process
budget          what judging one submission may cost    batch           many submissions in parallel
processes       grading processes, replaced if they die cluster         grading on a Dask cluster
chunks          several calls in one task of a cluster  cores           how many cores grade
container       the cores and the memory that a container may use
open_run        the set-up that graders share           run_seed        a run's seed and id
only_run        one run at a time in a folder           gc_pause        pauses the garbage collector
appeal          one check judged again, with all that it rests on
overrides       marks that a person changes
"""
