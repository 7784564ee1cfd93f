"""Why an answer is wrong, in words that help.

recognise    the known mistakes that an answer shows    properties        what its numbers say
exceptions   what an exception means                    exception_table   the exceptions that have words
feedback     all of it, put together for one aspect     wording           values, inputs and errors in words
"""
