"""The layers between a student's code and this machine: one file a layer, with its test.

base       the interface of a layer                     all          the layers, in their order
status     whether a layer is active                    paths        what of this machine may be read
process    nothing inherited                            rlimits      memory, CPU time, files, processes
user       no privileges of root                        prctl        no new privileges
landlock   which files may be read                      seccomp      which system calls are allowed
filter_compiler  the kernel's program for a list of system calls
bubblewrap  namespaces: files, processes, networks
"""
