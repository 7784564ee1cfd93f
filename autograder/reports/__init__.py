"""Views of results, one module for each format. No view computes a mark.

gradescope_json   one student's results                 grades_csv      the class, for a spreadsheet
terminal_table    the class, on a terminal              pytest_text     the report after pytest
blocks            feedback in text, HTML and Markdown   number_tables   numbers as a table of a page
graded_class      all results of a folder, or of several
class_record      class.jsonl: students, sources, overrides
formats/          the formats of `autograder export`
common_mistakes   the class's mistakes, counted         pages/          feedback.html and report.html
step_state        a step's sign, word, colour and severity
class_folder      the class while a run writes it
appeal_text       one check in full                     notebook_text   all steps in a notebook
"""
