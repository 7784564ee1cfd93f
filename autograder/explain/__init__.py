"""Explain wrong answers to students.

recognise    recognises known mistakes              properties        describes an answer's numbers
exceptions   explains exceptions                    exception_table   the exceptions with explanations
obstacles    explains unsuitable objects            wording           values, inputs and errors in words
feedback     the feedback for a wrong answer        ended             the feedback for no answer
markdown     the feedback as Markdown paragraphs
"""
