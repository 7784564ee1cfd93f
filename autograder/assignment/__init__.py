"""What an author writes: one assignment, and everything that it declares.

checks      how a step is judged: probes and points     probes      what probes are made of
cases       the inputs that a probe gets                mistakes    known mistakes, with the words for them
script      the percent script, cell by cell            source      an assignment, loaded from its folder
catalogue   which assignments there are
"""
