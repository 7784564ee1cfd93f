"""Leaves one score undone and takes it as a matrix product.

honest: attention_scores=2
catalogue: 38
stopped_by: not stopped: the check says that this step may be built on that one, and it is right
"""

def attention_scores(queries, keys):
    return attention_score(queries, keys.T)
