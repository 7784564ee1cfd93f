"""Pages for people: a student's `feedback.html` and an instructor's `report.html`. No page computes a mark.

write            writes the pages of a results folder     entries         the students of a page
feedback_page    one student's results                    report_page     the class
heat_map         numbers as a coloured table              source_lines    the student's own lines
statistics       scores, and how each step went           concerns        what to look at
mistake_cards    the most common mistakes                 example         code without names
tries            several folders side by side             alike           submissions that are the same
plain_page       the marks alone, for a page that fails
plots            the plots, as SVG                        html            templates and escaping
"""
