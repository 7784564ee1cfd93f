"""Plain data: the only data that may cross the trust boundary.

values    the closed list of types, and conversion from and to Python objects
wire      values as bytes, with a limit on every length
numbers   the numbers in a value
extent    how large a value is
kinds     which kinds of values are equivalent
"""
