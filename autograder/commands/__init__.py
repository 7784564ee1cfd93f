"""The commands of `cli`.

grade    grades submissions into a folder of results
needed   names all that a command was not given, or refuses its DIR
export   writes the marks in a format of another program
verdict  exit code and formats for a CI
report   writes the pages of results again
show     shows how one step was marked, for an appeal
build    builds the students' folders from the sources
bundle   packs what students or a course platform need
doctor   lists the sandbox layers of this machine
console  prints lines that may hold a student's words
group    suggests a command for a misspelt one
summary      what `grade` prints at the end
progress     shows how far the grading of a class is
regrade      whom `--regrade` means
class_notes  says what a run found in its folder
"""
