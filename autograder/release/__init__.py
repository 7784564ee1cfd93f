"""Build what students get from an assignment's single source.

build      the released folder and nbgrader's source folder
notebook   the notebook, with solutions and without
bundle     a zip with the release and the kit
"""
