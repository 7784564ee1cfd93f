"""The formats of `autograder export FORMAT`: one module for each format.

format      a format, what it gets and what it returns
all         every format, by name
marks       the mark of a student in a gradebook, and why there is none
matching    which row of a gradebook belongs to which student
raw_table   a table of which single cells change
fill        fills a column, and says what was done
canvas      the gradebook that Canvas exported
moodle      Moodle's worksheet or grader report, and its zip of feedback files
plain_csv   id, e-mail, percentage, status, late, note
platforms   the formats of course platforms
"""
