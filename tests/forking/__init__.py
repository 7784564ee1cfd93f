"""Start the program once for all tests: commands are forked from a process in which all is imported.

`client` starts commands, `server` is that process, and `kept` has the sandboxes and exams that commands share.
"""
