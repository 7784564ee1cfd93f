"""From submissions to results.

grader          one check after another                 criterion_result   how one criterion of a check ended
observations    what was seen of one submission         carry_forward   what an earlier step already paid for
grade           one submission, one result              batch           many of them
run_id          a run's seed and its id                 open_run        one set-up for all who grade
gc_pause        keeps the garbage collector away
"""
