"""Views of results, one module for each format. No view computes a mark.

gradescope_json   one student's results                 grades_csv      the class, for a spreadsheet
terminal_table    the class, on a terminal              pytest_text     the report after pytest
html              the report in a notebook              number_tables   wrong numbers beside the right ones
feedback_json     feedback as JSON                      results_folder  a run's folder of results
"""
