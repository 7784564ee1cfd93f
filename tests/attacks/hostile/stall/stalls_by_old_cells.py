"""Hands in a notebook of an old format with 60,000 cells.

catalogue: 36
handed_in: old_notebook
stopped_by: cells are counted before they are converted
"""
