"""From submissions to results.

grader          grades the checks of one submission     criterion_result   the result of one criterion
observations    the probes' answers, each kept          carry_forward      error carried forward
grade           one submission to one result            batch              many submissions in parallel
run_id          a run's seed and id                     open_run           the set-up that graders share
gc_pause        pauses the garbage collector
"""
