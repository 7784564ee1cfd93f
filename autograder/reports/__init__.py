"""Views of results, one file a format. None of them computes a mark.

gradescope_json   one student's results                 grades_csv      the class, for a spreadsheet
terminal_table    the class, on a terminal              pytest_text     what a student reads after pytest
html              what a student reads in a notebook    number_tables   wrong numbers beside the right ones
feedback_json     the record of a wrong answer          results_folder  a run's folder of results
"""
