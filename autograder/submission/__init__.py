"""Find and read submissions. Nothing is run here.

find       find each student's files                    read       read a submission as pieces of source
found      the record of a found submission             choose     the file that counts of all handed in
platform_names  names in Moodle's, Canvas's, ... downloads   archive  read zip files as folders
roster     the instructor's list of the class           person     who handed in a submission
table      read tables of any encoding and delimiter    step_source  each step's source, and its fingerprint
notebook   the cells of a notebook                      cells      remove magics and checks from a cell
names      how a student's name is written              unique_names  a name of its own for each submission
copies     recognise copies of a file by name       which_file  say which file counts, or what is there instead
decode     the text of a file's bytes
"""
