"""What is asked in one run, with every right answer and every known wrong one made beforehand.

questions      the records                              draw           makes them from a seed
reference      what a probe sees of our own modules     public         the released questions, in `expected.json`
substitution   the reference with parts exchanged       replay         one run of it, made again in a tenth of the time
rounding       how far rounding may carry an answer
"""
