"""Why an answer is wrong, in words that help.

recognise    the known mistakes that an answer shows    properties        what its numbers say
exceptions   what an exception means                    exception_table   the exceptions that have words
obstacles    what a probe could not go on with          wording           values, inputs and errors in words
feedback     all of it, for a wrong answer              ended             the same where there is no answer
markdown     the record as paragraphs for the student
"""
