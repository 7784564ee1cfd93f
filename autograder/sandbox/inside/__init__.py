"""What is loaded beside a student's code, in the untrusted process. It knows no answers.

worker    loads a submission and observes its steps     student   a student's source as a module
zygote    the warm process, which forks workers         warm_up   what it does to become warm
"""
