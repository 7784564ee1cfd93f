# Ways to write `causal_weights`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% base
def causal_weights(queries, keys, mask):
    scores = queries @ keys.transpose(-2, -1)
    scores = scores.masked_fill(mask, -torch.inf)
    return torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)

# %% wrong weights_without_a_mask: not_masked, loses 3
#-    scores = scores.masked_fill(mask, -torch.inf)

# %% wrong weights_mask_not_kept: not_masked, loses 3
#: scores = scores.masked_fill => scores.masked_fill

# %% wrong weights_masked_afterwards: masked_after_the_softmax, loses 3
def causal_weights(queries, keys, mask):
    scores = queries @ keys.transpose(-2, -1)
    weights = torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)
    return weights.masked_fill(mask, 0)

# %% wrong weights_times_tril: masked_after_the_softmax, loses 3
def causal_weights(queries, keys, mask):
    scores = queries @ keys.transpose(-2, -1)
    weights = torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)
    return weights * torch.tril(torch.ones_like(weights))

# %% wrong weights_filled_with_zero: zero_before_the_softmax, loses 3
#: -torch.inf => 0

# %% wrong weights_tril_of_the_scores: zero_before_the_softmax, loses 3
#: scores.masked_fill(mask, -torch.inf) => torch.tril(scores)

# %% wrong weights_scores_times_not_mask: zero_before_the_softmax, loses 3
#: scores.masked_fill(mask, -torch.inf) => scores * ~mask

# %% wrong weights_filled_with_minus_one: minus_one_before_the_softmax, loses 3
#: scores.masked_fill(mask, -torch.inf) => scores
#: scores / keys.shape[-1] ** 0.5 => (scores / keys.shape[-1] ** 0.5).masked_fill(mask, -1)

# %% wrong weights_zero_twice: zero_before_and_after, loses 3
#: -torch.inf => 0
#: dim=-1) => dim=-1).masked_fill(mask, 0)

# %% wrong weights_infinity_afterwards: infinity_after_the_softmax, loses 3
#-    scores = scores.masked_fill(mask, -torch.inf)
#: dim=-1) => dim=-1).masked_fill(mask, -torch.inf)

# %% wrong weights_mask_equals_zero: mask_turned_round, loses 3
#: masked_fill(mask => masked_fill(mask == 0

# %% wrong weights_not_mask: mask_turned_round, loses 3
#: masked_fill(mask => masked_fill(~mask

# %% wrong weights_not_mask_with_a_number: mask_turned_round_with_a_number, loses 3
#: (mask, -torch.inf) => (~mask, -1e9)

# %% wrong weights_mask_transposed: past_hidden_by_the_mask, loses 3
#: masked_fill(mask => masked_fill(mask.T

# %% wrong weights_filled_with_infinity: plus_infinity, loses 3
#: -torch.inf => 1e9

# %% wrong weights_mask_added: mask_added, loses 3
#: scores.masked_fill(mask, -torch.inf) => scores
#: scores / keys.shape[-1] ** 0.5 => scores / keys.shape[-1] ** 0.5 + mask

# %% wrong weights_mask_added_to_the_scores: mask_added_before_the_division, loses 3
#: scores.masked_fill(mask, -torch.inf) => scores + mask.float()

# %% wrong weights_times_mask: multiplied_by_the_mask, loses 3
#: scores.masked_fill(mask, -torch.inf) => scores * mask

# %% wrong weights_own_mask_with_diagonal: diagonal_masked, loses 3
#: masked_fill(mask => masked_fill(torch.ones_like(mask).triu()

# %% wrong weights_keys_with_queries: scores_transposed, loses 3
#: queries @ keys.transpose(-2, -1) => keys @ queries.transpose(-2, -1)

# %% wrong weights_queries_twice: queries_with_queries, loses 3
#: queries @ keys.transpose => queries @ queries.transpose

# %% wrong weights_keys_twice: keys_with_keys, loses 3
#: queries @ keys.transpose => keys @ keys.transpose

# %% wrong weights_keys_viewed: keys_reshaped, loses 3
#: keys.transpose(-2, -1) => keys.reshape(keys.shape[0], keys.shape[2], keys.shape[1])

# %% wrong weights_negated: scores_negated, loses 3
#: queries @ keys.transpose => -queries @ keys.transpose

# %% wrong weights_unscaled: not_scaled, loses 3
#: scores / keys.shape[-1] ** 0.5 => scores

# %% wrong weights_by_d_k: divided_by_d_k, loses 3
#: keys.shape[-1] ** 0.5 => keys.shape[-1]

# %% wrong weights_times_one_half: divided_by_half_of_d_k, loses 3
#: keys.shape[-1] ** 0.5 => (keys.shape[-1] * 0.5)

# %% wrong weights_precedence: divided_by_twice_d_k, loses 3
#: keys.shape[-1] ** 0.5 => keys.shape[-1] ** 1 / 2

# %% wrong weights_by_root_two: divided_by_the_root_of_2, loses 3
#: keys.shape[-1] ** 0.5 => 2 ** 0.5

# %% wrong weights_by_the_square: divided_by_the_square, loses 3
#: ** 0.5 => ** 2

# %% wrong weights_multiplied: multiplied, loses 3
#: scores / keys => scores * keys

# %% wrong weights_by_the_tokens: divided_by_the_root_of_the_keys_number, loses 3
#: keys.shape[-1] => keys.shape[1]

# %% wrong weights_over_queries: softmax_over_the_queries, loses 3
#: dim=-1 => dim=1

# %% wrong weights_over_sequences: softmax_over_the_sequences, loses 3
#: dim=-1 => dim=0

# %% wrong weights_over_everything: softmax_over_everything, loses 3
#: torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1) => torch.softmax((scores / keys.shape[-1] ** 0.5).flatten(), 0).view(scores.shape)

# %% wrong weights_no_softmax: no_softmax, loses 3
#: torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1) => scores / keys.shape[-1] ** 0.5

# %% wrong weights_only_exp: only_exp, loses 3
#: torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1) => torch.exp(scores / keys.shape[-1] ** 0.5)

# %% wrong weights_softmax_twice: softmax_twice, loses 3
#: torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1) => torch.softmax(torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1), dim=-1)

# %% wrong weights_softmax_around_the_mask: softmax_before_and_after_the_mask, loses 3
def causal_weights(queries, keys, mask):
    weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    return torch.softmax(weights.masked_fill(mask, -torch.inf), dim=-1)

# %% wrong weights_scaled_afterwards: scaled_after_the_softmax, loses 3
#: torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1) => torch.softmax(scores, dim=-1) / keys.shape[-1] ** 0.5

# %% wrong weights_scaled_up_by_d_k: multiplied_by_d_k, loses 3
#: scores / keys.shape[-1] ** 0.5 => scores * keys.shape[-1]

# %% wrong weights_by_the_fourth_root: divided_by_the_fourth_root, loses 3
#: keys.shape[-1] ** 0.5 => keys.shape[-1] ** 0.25

# %% wrong weights_upside_down: fraction_upside_down, loses 3
def causal_weights(queries, keys, mask):
    scores = keys.shape[-1] ** 0.5 / (queries @ keys.mT)
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)

# %% wrong weights_rounded_down: divided_without_remainder, loses 3
def causal_weights(queries, keys, mask):
    scores = queries @ keys.mT // keys.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)

# %% wrong weights_scaled_before_and_after: scaled_before_and_after, loses 3
#: dim=-1) => dim=-1) / keys.shape[-1] ** 0.5

# %% wrong weights_sigmoid: sigmoid, loses 3
#: torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1) => torch.sigmoid(scores / keys.shape[-1] ** 0.5)

# %% wrong weights_equal: equal_shares, loses 3
def causal_weights(queries, keys, mask):
    visible = (~mask).float()
    weights = visible / visible.sum(dim=-1, keepdim=True)
    return weights.expand(len(queries), -1, -1)

# %% wrong weights_all_axes_turned: unnamed
#: keys.transpose(-2, -1) => keys.T

# %% wrong weights_of_one_sequence: unnamed, loses 3
#: dim=-1) => dim=-1)[0]

# %% wrong weights_summed_over_columns: unnamed, loses 3
def causal_weights(queries, keys, mask):
    scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    powers = torch.exp(scores.masked_fill(mask, -torch.inf))
    return powers / powers.sum(dim=1, keepdim=True)

# %% wrong weights_not_a_number: unnamed, loses 3
#: scores.masked_fill(mask, -torch.inf) => scores + mask * -torch.inf

# %% wrong weights_of_three_axes: unnamed, loses 3
#: keys.transpose(-2, -1) => keys.transpose(1, 2)

# %% wrong weights_einsum_of_three_axes: unnamed, loses 3
#: queries @ keys.transpose(-2, -1) => torch.einsum("bqd,bkd->bqk", queries, keys)

# %% wrong weights_over_the_third_axis: unnamed, loses 3
#: dim=-1 => dim=2

# %% wrong weights_own_mask: unnamed, loses 3
#: masked_fill(mask => masked_fill(torch.ones_like(scores).triu(diagonal=1).bool()

# %% accepted weights_large_negative: other_hidden_scores
#: -torch.inf => -1e9

# %% accepted weights_float_inf: other_hidden_scores
#: -torch.inf => float("-inf")

# %% accepted weights_least_number: other_hidden_scores
#: -torch.inf => torch.finfo(scores.dtype).min

# %% accepted weights_masked_in_place: other_hidden_scores
#-    scores = scores.masked_fill(mask, -torch.inf)
#+    scores.masked_fill_(mask, -torch.inf)

# %% accepted weights_by_index: other_hidden_scores
#-    scores = scores.masked_fill(mask, -torch.inf)
#+    scores[..., mask] = -torch.inf

# %% accepted weights_where: other_hidden_scores
#: scores.masked_fill(mask, -torch.inf) => torch.where(mask, -torch.inf, scores)

# %% accepted weights_added_infinity: other_hidden_scores
#: scores.masked_fill(mask, -torch.inf) => scores + torch.zeros(mask.shape).masked_fill(mask, -torch.inf)

# %% accepted weights_divided_again: renormalised
def causal_weights(queries, keys, mask):
    weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    visible = weights * ~mask
    return visible / visible.sum(dim=-1, keepdim=True)

# %% accepted weights_written_out: plain_softmax_by_hand
def causal_weights(queries, keys, mask):
    powers = torch.exp(queries @ keys.mT / keys.shape[-1] ** 0.5) * ~mask
    return powers / powers.sum(dim=-1, keepdim=True)

# %% accepted weights_stable_by_hand: stable_softmax_by_hand
def causal_weights(queries, keys, mask):
    scores = (queries @ keys.mT / math.sqrt(keys.shape[-1])).masked_fill(mask, -torch.inf)
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return powers / powers.sum(dim=-1, keepdim=True)

# %% accepted weights_bmm: mm_or_bmm
def causal_weights(queries, keys, mask):
    scores = torch.bmm(queries.flatten(0, -3), keys.flatten(0, -3).permute(0, 2, 1))
    scores = scores.view(*queries.shape[:-1], -1).masked_fill(mask, -torch.inf)
    return torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)

# %% accepted weights_einsum: einsum
#: queries @ keys.transpose(-2, -1) => torch.einsum("...qd,...kd->...qk", queries, keys)

# %% accepted weights_by_sequence: row_by_row
def causal_weights(queries, keys, mask):
    rows = []
    for query, key in zip(queries.flatten(0, -3), keys.flatten(0, -3)):
        scores = (query @ key.T) / key.shape[1] ** 0.5
        rows.append(torch.softmax(scores.masked_fill(mask, -torch.inf), dim=1))
    return torch.stack(rows).view(*queries.shape[:-1], -1)

# %% accepted weights_queries_scaled: queries_scaled_first
#: queries @ => queries / keys.shape[-1] ** 0.5 @
#: scores / keys.shape[-1] ** 0.5, => scores,

# %% accepted weights_dim_two: axis_counted_otherwise
#: dim=-1 => dim=scores.ndim - 1
