"""From submissions to results.

grader          grades the checks of one submission     criterion_result   the result of one criterion
observations    the probes' answers, each kept          carry_forward      error carried forward
grade           one submission to one result            batch              many submissions in parallel
run_seed        a run's seed and id                     open_run           the set-up that graders share
gc_pause        pauses the garbage collector    unused             inputs on which an answer does not depend
evidence        more answers of a wrong step            repetition         what is right after a repeated mistake
documents_picture  numbers for the documents' own tokens
task            one submission, in any process         processes          grading processes, replaced if they die
budget          what judging one submission may cost    cluster            grading on a Dask cluster
chunks          several calls in one task of a cluster
points          what one check earns            overrides          marks that a person changes
only_run        one run at a time in a folder           asked              what one probe was asked
again           a step asked again, with right answers to its calls
explaining      the boundary around all that only explains
appeal          one check judged again, with all that it rests on
surplus         the part that was meant of an answer with too many
cores           how many cores grade, one for each process
container       the cores and the memory that a container may use
"""
