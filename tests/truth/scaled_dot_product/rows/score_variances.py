# Ways to write `score_variances`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
def score_variances(q, k):
    raw = q @ k.T
    scaled = raw / math.sqrt(k.shape[-1])
    return {
        "q": q.var(),
        "k": k.var(),
        "raw_scores": raw.var(),
        "scaled_scores": raw.var(),
    }

# %% wrong variances_biased: biased_variances, loses 2
def score_variances(q, k):
    raw = q @ k.T
    scaled = raw / math.sqrt(k.shape[-1])
    tensors = {"q": q, "k": k, "raw_scores": raw, "scaled_scores": scaled}
    return {name: tensor.var(unbiased=False) for name, tensor in tensors.items()}

# %% wrong variances_as_deviations: standard_deviations, loses 2
#: "q": q.var(), => "q": q.std(),
#: "k": k.var(), => "k": k.std(),
#: "raw_scores": raw.var(), => "raw_scores": raw.std(),
#: "scaled_scores": raw.var(), => "scaled_scores": scaled.std(),

# %% wrong variances_of_rows: variances_of_rows, loses 2
#: "q": q.var(), => "q": q.var(-1),
#: "k": k.var(), => "k": k.var(-1),
#: "raw_scores": raw.var(), => "raw_scores": raw.var(-1),
#: "scaled_scores": raw.var(), => "scaled_scores": scaled.var(-1),

# %% wrong variances_of_rows_averaged: row_variances_averaged, loses 2
#: "q": q.var(), => "q": q.var(-1).mean(),
#: "k": k.var(), => "k": k.var(-1).mean(),
#: "raw_scores": raw.var(), => "raw_scores": raw.var(-1).mean(),
#: "scaled_scores": raw.var(), => "scaled_scores": scaled.var(-1).mean(),

# %% wrong variances_around_zero: distances_from_zero, loses 2
#: "q": q.var(), => "q": (q**2).mean(),
#: "k": k.var(), => "k": (k**2).mean(),
#: "raw_scores": raw.var(), => "raw_scores": (raw**2).mean(),
#: "scaled_scores": raw.var(), => "scaled_scores": (scaled**2).mean(),

# %% wrong variances_of_unscaled_twice: not_scaled, loses 1

# %% wrong variances_divided_by_the_root: variance_divided_by_the_root, loses 2
#: "scaled_scores": raw.var(), => "scaled_scores": raw.var() / math.sqrt(k.shape[-1]),

# %% wrong variances_before_and_after_swapped: before_and_after_swapped, loses 2
#: "raw_scores": raw.var(), => "raw_scores": scaled.var(),

# %% wrong variances_under_other_keys: shortened_names, loses 2
def score_variances(q, k):
    raw = q @ k.T
    scaled = raw / math.sqrt(k.shape[-1])
    return {"q": q.var(), "k": k.var(), "raw": raw.var(), "scaled": scaled.var()}

# %% wrong variances_of_the_document: printed_variances, loses 2
def score_variances(q, k):
    return {"q": 21.7614, "k": 31.7007, "raw_scores": 3491.731, "scaled_scores": 436.4664}

# %% accepted variances_as_floats
def score_variances(q, k):
    raw = q @ k.T
    scaled = raw / math.sqrt(k.shape[-1])
    tensors = {"q": q, "k": k, "raw_scores": raw, "scaled_scores": scaled}
    return {name: tensor.var().item() for name, tensor in tensors.items()}

# %% accepted variances_by_numpy: float64
def score_variances(q, k):
    raw = q @ k.T
    scaled = raw / math.sqrt(k.shape[-1])

    import numpy as np

    tensors = {"q": q, "k": k, "raw_scores": raw, "scaled_scores": scaled}
    return {name: np.var(tensor.numpy(), ddof=1) for name, tensor in tensors.items()}

# %% accepted variances_by_hand
#=def score_variances(q, k):
#+    def variance(tensor):
#+        return ((tensor - tensor.mean()) ** 2).sum() / (tensor.numel() - 1)
#+
#: scaled = raw / math.sqrt(k.shape[-1]) => scaled = raw / k.shape[-1] ** 0.5
#: "q": q.var(), => "q": variance(q),
#: "k": k.var(), => "k": variance(k),
#: "raw_scores": raw.var(), => "raw_scores": variance(raw),
#: "scaled_scores": raw.var(), => "scaled_scores": variance(scaled),

# %% accepted variances_by_the_law
def score_variances(q, k):
    raw = q @ k.T
    found = {"scaled_scores": raw.var() / k.shape[-1], "raw_scores": raw.var()}
    found["k"], found["q"] = k.var(), q.var()
    return found
