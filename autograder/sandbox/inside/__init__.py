"""Everything that is loaded beside a student's code, in the untrusted process. It knows no answers.

worker    loads a submission and observes its steps     student   a student's source as a module
zygote    the fork server, which forks workers          warm_up   first use of torch, before any fork
"""
