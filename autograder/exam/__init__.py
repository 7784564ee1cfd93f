"""The exam: all questions of one run, with all right answers and known wrong answers precomputed.

questions      the records                              draw           make the questions from a seed
reference      run probes on our own modules            public         the released questions, in `expected.json`
substitution   the reference with some steps replaced   replay         repeat a run in a tenth of the time
rounding       tolerance for rounding errors            redraw         inputs with one of them drawn anew
pair_table     the answers of all pairs of mistakes     stand_ins      answers for a worker's stand-ins
authors_values  what an author's functions may return
"""
