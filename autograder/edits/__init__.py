"""Small edits of a definition: of the reference, which prove an exam, and of a student's own, which prove a fault.

kinds      what may stand in a node's place      places  where the edits of a definition stand
own_kinds  what may belong in a student's line
"""
