# Ways to write `numpy_softmax`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong numpy_softmax_over_everything: numpy_softmax_over_everything, loses 2
def numpy_softmax(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()

# %% wrong numpy_softmax_down_the_columns: numpy_softmax_down_the_columns, loses 2
def numpy_softmax(scores):
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=0)

# %% wrong numpy_softmax_forgotten: numpy_no_softmax, loses 2
def numpy_softmax(scores):
    return scores

# %% wrong numpy_softmax_plain_shares: numpy_divided_by_the_sum, loses 2
def numpy_softmax(scores):
    return scores / scores.sum(axis=-1, keepdims=True)

# %% wrong numpy_softmax_without_keepdims: unlisted, loses 2
def numpy_softmax(scores):
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1)

# %% wrong numpy_softmax_maximum_of_each_column: maximum_of_each_column, loses 2
def numpy_softmax(scores):
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=-1, keepdims=True)

# %% wrong numpy_softmax_not_shifted: softmax_not_shifted, loses 1
def numpy_softmax(scores):
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)

# %% wrong numpy_softmax_one_maximum_for_all_rows: one_maximum_for_all_rows, loses 1
def numpy_softmax(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(axis=-1, keepdims=True)

# %% wrong numpy_softmax_shifted_by_the_minimum: shifted_by_the_minimum, loses 1
def numpy_softmax(scores):
    powers = np.exp(scores - scores.min(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)

# %% wrong numpy_softmax_clipped: scores_cut_off_at_700, loses 1
def numpy_softmax(scores):
    powers = np.exp(np.clip(scores, -700, 700))
    return powers / powers.sum(axis=-1, keepdims=True)

# %% wrong numpy_softmax_exp_only: numpy_only_exp
def numpy_softmax(scores):
    return np.e**scores

# %% wrong numpy_softmax_two_times: numpy_softmax_twice
def numpy_softmax(scores):
    for _ in range(2):
        exps = np.exp(scores - np.max(scores, axis=1)[:, None])
        scores = exps / exps.sum(axis=1)[:, None]
    return scores

# %% wrong numpy_softmax_of_minus_the_scores: numpy_softmax_of_minus_the_scores
def numpy_softmax(scores):
    scores = -scores
    exps = np.exp(scores - np.max(scores, axis=1)[:, None])
    return exps / exps.sum(1)[:, None]

# %% wrong numpy_softmax_logarithm: numpy_logarithms_of_the_weights
def numpy_softmax(scores):
    exps = np.exp(scores - np.max(scores, axis=1)[:, None])
    return np.log(exps / exps.sum(1)[:, None])

# %% wrong numpy_softmax_shifted_exp_only: numpy_only_exp_after_the_shift
def numpy_softmax(scores):
    exps = np.exp(scores - np.max(scores, axis=1)[:, None])
    return exps

# %% wrong numpy_softmax_maximum_above_only: numpy_maximum_above_only
def numpy_softmax(scores):
    largest = scores.max(axis=1, keepdims=True)
    return np.exp(scores - largest) / np.exp(scores).sum(axis=1, keepdims=True)

# %% wrong numpy_softmax_maximum_below_only: numpy_maximum_below_only
def numpy_softmax(scores):
    largest = scores.max(axis=1, keepdims=True)
    return np.exp(scores) / np.exp(scores - largest).sum(axis=1, keepdims=True)

# %% accepted numpy_softmax_logarithms_first: softmax_by_logarithms
def numpy_softmax(scores):
    return np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))

# %% accepted numpy_softmax_by_hand: stable_softmax_by_hand
def numpy_softmax(scores):
    rows = []
    for row in scores:
        powers = [math.exp(score - max(row)) for score in row]
        rows.append([power / sum(powers) for power in powers])
    return np.array(rows)

# %% accepted numpy_softmax_columns_turned: column_layout
def numpy_softmax(scores):
    scores = scores.T
    powers = np.exp(scores - scores.max(axis=0))
    return (powers / powers.sum(axis=0)).T

# %% accepted numpy_softmax_in_torch
def numpy_softmax(scores):
    return torch.softmax(torch.from_numpy(scores), dim=-1).numpy()

# %% accepted numpy_softmax_in_place: changes_its_input
def numpy_softmax(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores
