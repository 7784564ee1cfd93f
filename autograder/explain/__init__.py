"""Explain wrong answers to students.

recognise    recognises known mistakes              properties        describes an answer's numbers
exceptions   explains exceptions                    exception_table   the exceptions with explanations
python_errors  exceptions about objects             known_error       the record of the tables
exception_patterns  texts of Python and torch       line_evidence     what a failing line shows
name_errors  names that do not exist                call_errors       calls that do not fit
near_names   finds the name that was meant          library           names of Python, torch and NumPy
student_code  the source of a submission, read      code_patterns     patterns of Python in it
place        where an exception was raised          explanation       the record of one explanation
slips        slips that the source shows            class_slips       slips in a class
flow_slips   a return in a loop, stray commas   name_slips        names that hide or repeat others
other_kind   answers of another kind            number_properties  wrong numbers of the right shape
syntax       questions about syntax trees           uninitialised     memory that was never written
obstacles    explains unsuitable objects            wording           values, inputs and errors in words
causes       chooses what to say of a wrong answer  join_mistakes     orders and joins the words of known mistakes
feedback     the feedback for a wrong answer        ended             the feedback for no answer
feedback_text  the feedback as blocks of text       own_numbers       the student's own numbers
whole_file   what is wrong with a file as a whole   syntax_errors     why Python cannot read a line
index_errors  an index that is too large            surplus           more parts than were asked for
other_name   a missing step under another name     skipped        statements that did not end
"""
