"""Plain data: everything that may cross the trust boundary.

values    the closed list of types, and how Python's objects become them
wire      values as bytes, every length bounded
as_json   values as JSON
"""
