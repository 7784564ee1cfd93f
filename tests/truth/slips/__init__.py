"""Submissions with slips around the steps: what each keeps, which words it needs, which mislead.

slip       one row, and its file in each form        reading    what Python cannot read or run
bindings   names of steps bound to something else         names      names that are nearly right
libraries  functions of libraries that a file replaces    unwritten   memory that was never written
unfinished   the release's `raise` beside finished code   wrong_things   a wrong variable, size or function
"""
