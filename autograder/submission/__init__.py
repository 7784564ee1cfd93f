"""Find and read submissions. Nothing is run here.

find       find each student's hand-in                  hand_in    the record of a hand-in
which_file  the file that counts of a hand-in, and why  unpack     look through a hand-in, unpack what counts
platform_names  names in Moodle's, Canvas's, ... downloads   archive  read zip files as folders
directory  a class as a directory of people             naming     whose a hand-in is, and a name of its own
roster     the people of a roster, gradebook, worksheet  times     the times that platforms write
table      read tables of any encoding and delimiter    read       read a hand-in as pieces of source
notebook_work  the work in a notebook's cells           cells      remove magics and checks from a cell
decode     the text of a file's bytes                   step_source  each step's source, and its fingerprint
outputs    a notebook without its outputs               neighbours  work for another assignment
answers    a student's answers to the open questions
"""
