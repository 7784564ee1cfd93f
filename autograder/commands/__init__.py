"""The commands of `cli`.

options  the arguments and options of each command
watch    checks a student's work at each save
hint     prints the next hint on a step
check    shows what the last check said
reset    puts the stub of a step back
grade    grades submissions into a folder of results
export   writes the marks in a format of another program
report   writes the pages of results again
show     shows how one step was marked, for an appeal
build    builds the students' folders from the sources
bundle   packs what students or a course platform need
mutants  counts the small edits of a reference, for authors
doctor   lists the sandbox layers of this machine
console  prints lines that may hold a student's words, finds a step by its name
progress     shows how far the grading of a class is
class_notes  says what a run found, and how the class did
"""

from enum import IntEnum


class Exit(IntEnum):
    """How a command ends."""

    DONE = 0
    NOT_ALL = 1  # something could not be graded, differs or is missing
    USAGE = 2
    TOO_FEW_POINTS = 3
    INTERRUPTED = 130
