"""Ends its process before any step is called, as if all had gone well.

catalogue: 6
stopped_by: a mark needs an answer; an exit code is none
"""
import os

os._exit(0)
