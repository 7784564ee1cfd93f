"""Returns its inputs, changed in place, as views of each other, or as things that change later.

catalogue: 29 30
stopped_by: inputs are sent anew for each question; an answer is copied at once
"""
import threading
import time


def project(x, W_query, W_key, W_value):
    x.zero_(), W_query.zero_(), W_key.zero_(), W_value.zero_()
    return W_query, W_key, W_value


def attention_scores(queries, keys):
    result = torch.zeros(len(queries), len(keys))
    threading.Thread(target=lambda: (time.sleep(0.001), result.copy_(queries @ keys.T * 0 + 1)), daemon=True).start()
    return result


def scale_scores(scores, d_k):
    scores.requires_grad_().register_hook(lambda gradient: 1 / 0)
    return scores


def attention_weights(scaled_scores):
    scaled_scores.data = torch.zeros(0)
    return scaled_scores


def context_vectors(weights, values):
    weights.resize_(0)
    values.data = values.data[:0]
    return values
