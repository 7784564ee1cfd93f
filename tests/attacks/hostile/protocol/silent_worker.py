"""Changes the function that sends its answers, so that none arrives.

catalogue: 39
slow: yes
stopped_by: the grader's clock
"""
import sys
worker = sys.modules["autograder.sandbox.inside.worker"]

worker.reply = worker.write_frame = lambda *arguments: None
