"""What the commands of `cli` do.

grade    from paths on the command line to a folder of results
doctor   which layers of the sandbox this machine offers
"""
