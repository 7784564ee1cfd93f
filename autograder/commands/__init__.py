"""What the commands of `cli` do.

grade    from paths on the command line to a folder of results
build    from sources to the folders that students get
doctor   which layers of the sandbox this machine offers
"""
