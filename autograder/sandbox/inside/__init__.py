"""Everything that is loaded beside a student's code, in the untrusted process. It knows no answers.

worker       loads a submission and observes its steps       student    a student's source as a module
bindings     what a name of a step was last bound to
uninitialised  fills memory that was never written with NaN   own_code   the kit's own code as it was before
streams      of the protocol, and of what is printed         warm_up    first use of torch, before any fork
zygote       the fork server, which forks workers         survey     tests of the layers, in its children
memory       its limit                                stand_ins    calls of steps, answered by the grader
packages     what `import` finds, as it was before student code ran   existing   names in place of a missing one
settings     of Python, torch and NumPy                    few_lines   of a definition that is only tried
"""
