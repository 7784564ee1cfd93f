"""Views of results. None of them computes a mark.

results_json    one student's results, in Gradescope's format       grades_csv    the class as a table for a spreadsheet
marks           the class as a table on a terminal                  transcript    what a student reads after pytest
"""
