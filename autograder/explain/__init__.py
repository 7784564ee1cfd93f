"""Explain wrong answers to students.

rules        findings, and the table of their words      raised        an exception and its place in the source
exceptions   the order of explaining an exception       messages      what is said of the operation
operation    the operation that raised                  operands      what it was given, and who made that
missing_names  names that do not exist                  feedback      the feedback for a wrong answer
class_rules  classes, and objects that a probe could not use
slips        slips that the source shows                properties    what an answer looks like
student_code  the source of a submission, read          syntax        questions about syntax trees
syntax_errors  why Python cannot read a line            whole_file    what is wrong with a file as a whole
ended        the feedback for no answer                 words_of_errors  words for exceptions
join_mistakes  joins the words of known mistakes  own_numbers  the student's own numbers
feedback_text  the feedback as blocks of text           wording       values, inputs and errors in words
words_of_source  words for slips and unsuitable objects  words_of_answers  words for wrong answers
words_of_files  words for files, and for want of an answer
signatures    first lines, compared with the release  matrices      a batch as matrices
trace        what the student's expressions computed   divergence  the first of these values that is not right
marked_trace  which of these values are right          roles         the names and the order of right numbers
variables     what variables hold, and loops            shapes       why shapes do not fit
right_numbers  whether numbers stand on the way to the right answer
traced_lines  the lines of a wrong step beside what they computed
repair        the edit that makes a step right         words_of_repairs  words for it

An exception is one row of `messages`: a pattern of its message, what the operation needs, and where to look; `operands`
adds what it was given. A rule returns `finding(key, **facts)`, and has its words under this key in a `words_of_*`.
"""
