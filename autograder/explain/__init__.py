"""Explain wrong answers to students.

rules        the registry of rules, the table of words  slips       slips that the source shows
words_of_errors  words for exceptions               words_of_source   words for slips and unsuitable objects
exceptions   explains exceptions: the order of rules    raised        what rules about exceptions read
name_rules   names that do not exist                call_rules        calls that do not fit
value_rules  values that do not fit                 message_rules     messages of Python, torch and NumPy
recognise    recognises known mistakes              properties        describes an answer's numbers
student_code  the source of a submission, read      code_patterns     patterns of Python in it
place        where an exception was raised          class_slips       slips in a class
surplus      more parts than were asked for         number_properties  wrong numbers of the right shape
syntax       questions about syntax trees           skipped           statements that did not end
obstacles    explains unsuitable objects            wording           values, inputs and errors in words
causes       chooses what to say of a wrong answer  join_mistakes     orders and joins the words of known mistakes
feedback     the feedback for a wrong answer        ended             the feedback for no answer
feedback_text  the feedback as blocks of text       own_numbers       the student's own numbers
whole_file   what is wrong with a file as a whole   syntax_errors     why Python cannot read a line
definitions  under another name, twice, or inside   words_of_answers  words for wrong answers
"""
