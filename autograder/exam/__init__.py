"""The exam: all questions of one run, with all right answers and known wrong answers precomputed.

questions      the records                              draw           make the questions from a seed
reference      run probes on our own modules            expected_json  the released questions, in `expected.json`
substitution   the reference with some steps replaced   stand_ins      answers for a worker's stand-ins
mutants        the reference with an edit, its answers  mutant_search  which mutants an exam does not find
rounding       how far a known answer may be moved      recognise      known mistakes in an answer
authors_values  what an author's functions may return  right_values  what the reference computes on its way
"""
