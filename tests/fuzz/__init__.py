"""Bytes that nobody meant to send: frames from a hostile worker, and files that somebody handed in.

The suite runs a fixed, small part of it. `python -m tests.fuzz --help` says how to run more.
"""
