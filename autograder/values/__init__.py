"""Plain data: everything that may cross the trust boundary.

values    the closed list of types, and how Python's objects become them
wire      values as bytes, every length bounded
numbers   the numbers in a value
kinds     which kind of value does as well as another
as_json   values as JSON
"""
