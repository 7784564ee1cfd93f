"""Find and read submissions. Nothing is run here.

find       find each student's files                    read       read a submission as pieces of source
notebook   the cells of a notebook                      cells      remove magics and checks from a cell
"""
