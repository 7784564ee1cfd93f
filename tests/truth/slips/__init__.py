"""Submissions with slips around the steps: what each keeps, which words it needs, which mislead.

`slip` says what a row is and how it is written; the rows stand in `rows/`, by what went wrong.
"""
