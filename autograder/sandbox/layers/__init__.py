"""The layers between a student's code and this machine, each with its test.

base       the interface of a layer                     all          the layers, in their order
status     whether a layer is active                    paths        what of this machine may be read
process    nothing inherited, resource limits, no privileges of root, no new privileges
mounts     read-only mounts of each worker's own, and threads counted apart
prctl      system calls that Python does not offer      landlock     which files may be read
seccomp    which system calls are allowed               bubblewrap   namespaces: files, processes, networks
filter_compiler  the kernel's program for a list of system calls
"""
