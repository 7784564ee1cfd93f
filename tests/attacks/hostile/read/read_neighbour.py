"""Copies the file of another student.

catalogue: 22
stopped_by: landlock; bubblewrap
stand_in: landlock bubblewrap
"""


def init_weights(d_in, d_out, seed):
    print(open("@NEIGHBOUR@").read())


def attention_score(query, key):
    import importlib.util

    spec = importlib.util.spec_from_file_location("neighbour", "@NEIGHBOUR@")
    neighbour = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(neighbour)
    return neighbour.attention_score(query, key)
