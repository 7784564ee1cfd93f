"""Stands for the package of this name, which compiles a grammar for a second whenever nbgrader starts.

jsonschema does without it if it is not installed. No notebook holds what it checks: an address with
characters of other alphabets.
"""

raise ImportError("left out, so that nbgrader starts sooner")
