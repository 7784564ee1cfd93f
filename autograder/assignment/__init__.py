"""One assignment as its author writes it, and everything that it declares.

checks      how a step is graded: probes and points     probes/     helper functions for probes
cases       the inputs of a probe                       mistakes    known mistakes and their feedback
script      the cells of the percent script             libraries   the libraries as they were at first
assignment  a loaded assignment                         source      find an assignment and load it
hints       what `hint` tells of a step                 recorder    what the expressions of functions compute
authored    run an author's code, list its problems     verify      whether the files fit together
"""
