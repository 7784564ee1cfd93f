"""Formats of course platforms. Each is a view of results; none computes a mark.

all                every format                      base            what a format is, and what they share
junit              JUnit XML                         markdown        a comment, or GitHub's step summary
github             GitHub's annotations              gitlab          GitLab's Code Quality report
github_classroom   the Classroom runner's JSON       classroom50     Classroom 50's result.json
prairielearn       PrairieLearn's results.json       autolab         Autolab's last line of output
"""
