"""Build what students get from an assignment's single source.

build      the released folder and nbgrader's source folder
source_notebook  the notebook, with solutions and without
trial      the reference, the stub and the known mistakes, judged before students get them
bundle     a student's zip, a template repository, or Gradescope's autograder; the texts are in templates/
"""
