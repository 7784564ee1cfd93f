"""The layers between a student's code and this machine: one file a layer, how it is put on and its proof.

base       what every layer is                          all          the layers, in their order
process    nothing inherited                            rlimits      what the kernel counts
user       no powers of root                            prctl        no new privileges
landlock   which files may be read                      seccomp      which system calls there are
bubblewrap  a world of its own                         paths        what of this machine may be read
"""
