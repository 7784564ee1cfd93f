"""The commands of `cli`.

grade    grades submissions into a folder of results
build    builds the students' folders from the sources
doctor   lists the sandbox layers of this machine
"""
