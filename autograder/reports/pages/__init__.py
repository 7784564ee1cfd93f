"""Pages for people: a student's `feedback.html` and an instructor's `report.html`. No page computes a mark.

write            writes the pages of a results folder
feedback_page    one student's results                    report_page     the class
figures          scores, steps and tries in numbers       html            templates and escaping
"""
