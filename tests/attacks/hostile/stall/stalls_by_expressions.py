"""Writes functions of very many expressions, deep in one another, and computes many of them in each call.

catalogue: 36
stopped_by: the sites of a file are counted, values beyond a limit are not recorded, and quotes are made when they are shown
"""
SUM = " + ".join(["scores"] * 900)
BODY = "\n".join(f"    x{number} = {SUM}" for number in range(400))
exec(f"def scale_scores(scores, d_k):\n{BODY}\n    return x0")


def attention_weights(scaled_scores):
    x = scaled_scores
    for _ in range(300_000):
        x = x
    rows = []
    for row in x:
        rows.append([[[row, rows[-1:]], row], row])
    return rows


def attention_scores(queries, keys):
    def again(depth):
        return queries if not depth else again(depth - 1)

    return again(900) @ keys.T * 2
