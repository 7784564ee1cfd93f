"""Formats of `autograder export` for gradebooks, course platforms and CI. None computes a mark.

format       a format, what it gets and what it writes    all          every format, by name
junit        JUnit XML                                    markdown     a comment, or GitHub's step summary
annotations  GitHub's annotations, GitLab's Code Quality  words        words and numbers of a result
scores       GitHub Classroom, Classroom 50, PrairieLearn and Autolab
canvas       the gradebook that Canvas exported           plain_csv    id, e-mail, percentage, status, late
moodle       Moodle's worksheet or grader report, and its zip of feedback files
gradebook    fills a column, and says what was done       raw_table    a table of which single cells change
marks        a student's mark, or why there is none, and the row that it belongs in
"""
