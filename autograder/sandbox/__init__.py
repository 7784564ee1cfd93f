"""Where untrusted code runs, and how it is spoken to.

protocol     frames of plain data, every length bounded        messages   what is asked and what is answered
worker       the untrusted process: loads and observes         student    a student's source as a module
process      fresh interpreters, seen from the grader          session    one submission's workers, in a row
zygote       the warm process, which forks workers             rehearsal  what it does to become warm
warm         the warm process, seen from the grader            forked     a worker that it forked, seen likewise
layers       what a forked worker wears                        seccomp    one of them: the list of system calls
bubblewrap   a world of its own around the warm process        places     what of this machine may be read there
"""
