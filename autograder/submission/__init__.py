"""What a student handed in: found and read, and never run here.

find       whose files they are                         read       a submission as pieces of source
notebook   the cells of a notebook                      cells      what is dropped from a cell before it runs
"""
