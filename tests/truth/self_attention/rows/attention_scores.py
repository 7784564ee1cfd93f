# Ways to write `attention_scores`, right and wrong. How to read them: tests/truth/variant.py and rows.py.

# %% wrong scores_key_at_index_2: score_of_the_next_pair, loses 2
def attention_scores(queries, keys):
    query_2 = queries[1]
    attn_score_22 = query_2 @ keys[2]
    return attn_score_22

# %% wrong scores_without_transpose: inner_sizes_differ, loses 2
def attention_scores(queries, keys):
    return queries @ keys

# %% wrong scores_transposed: scores_transposed, loses 2
def attention_scores(queries, keys):
    return keys @ queries.T

# %% wrong scores_queries_with_queries: queries_with_queries, loses 2
def attention_scores(queries, keys):
    return queries @ queries.T

# %% wrong scores_keys_with_keys: keys_with_keys, loses 2
def attention_scores(queries, keys):
    return keys @ keys.T

# %% wrong scores_elementwise: product_by_numbers, loses 2
def attention_scores(queries, keys):
    return queries * keys

# %% wrong scores_each_token_with_itself: product_by_numbers, loses 2
def attention_scores(queries, keys):
    return (queries * keys).sum(-1)

# %% wrong scores_zip: walked_side_by_side, loses 2
def attention_scores(queries, keys):
    scores = [torch.dot(q, k) for q, k in zip(queries, keys)]
    return torch.stack(scores)

# %% wrong scores_dot_of_matrices: inner_sizes_differ, loses 2
def attention_scores(queries, keys):
    return torch.dot(queries, keys)

# %% wrong scores_reshape_for_transpose: keys_reshaped, loses 2
def attention_scores(queries, keys):
    keys_t = keys.reshape(keys.shape[1], keys.shape[0])
    return queries @ keys_t

# %% wrong scores_view_for_transpose: keys_reshaped, loses 2
def attention_scores(queries, keys):
    return torch.matmul(queries, keys.view(queries.size(-1), -1))

# %% wrong scores_cosine: cosines, loses 2
def attention_scores(queries, keys):
    q = nn.functional.normalize(queries, dim=-1)
    k = nn.functional.normalize(keys, dim=-1)
    return q @ k.T

# %% wrong scores_scaled_already: scores_scaled_already, loses 2
def attention_scores(queries, keys):
    d_k = keys.shape[-1]
    return queries @ keys.T / d_k**0.5

# %% wrong scores_softmax_of_the_queries: softmax_of_the_queries, loses 2
def attention_scores(queries, keys):
    return torch.softmax(queries, dim=-1) @ keys.T

# %% wrong scores_numbers_of_the_book: unnamed, loses 2
def attention_scores(queries, keys):
    # checked against the lecture
    return torch.tensor([
        [0.9231, 1.3545, 1.3241, 0.7910, 0.4032, 1.1330],
        [1.2705, 1.8524, 1.8111, 1.0795, 0.5577, 1.5440],
        [1.2544, 1.8284, 1.7877, 1.0654, 0.5508, 1.5238],
        [0.6973, 1.0167, 0.9941, 0.5925, 0.3061, 0.8475],
        [0.6114, 0.8819, 0.8626, 0.5121, 0.2707, 0.7307],
        [0.8995, 1.3165, 1.2871, 0.7682, 0.3937, 1.0996],
    ])

# %% wrong scores_against_one_key: scores_of_the_second_key
def attention_scores(queries, keys):
    key_2 = keys[1]
    return torch.mv(queries, key_2)

# %% wrong scores_of_one_pair: score_of_one_pair
def attention_scores(queries, keys):
    return torch.dot(queries[1], keys[1])

# %% wrong scores_by_d_k: scores_divided_by_d_k
def attention_scores(queries, keys):
    return (queries @ keys.T) / queries.shape[1]

# %% wrong scores_with_a_softmax: softmax_of_the_scores
def attention_scores(queries, keys):
    return (queries @ keys.T).softmax(-1)

# %% wrong scores_with_a_minus: scores_negated
def attention_scores(queries, keys):
    return queries @ (-keys.T)

# %% wrong scores_distances: distances
def attention_scores(queries, keys):
    apart = queries[:, None] - keys[None]
    return apart.pow(2).sum(-1).sqrt()

# %% accepted scores_mm: mm_or_bmm
def attention_scores(queries, keys):
    return torch.mm(queries, keys.t())

# %% accepted scores_bmm: mm_or_bmm
def attention_scores(queries, keys):
    return torch.bmm(queries[None], keys[None].transpose(1, 2)).squeeze(0)

# %% accepted scores_einsum: einsum
def attention_scores(queries, keys):
    return torch.einsum("id,jd->ij", queries, keys)

# %% accepted scores_linear: functional_linear
def attention_scores(queries, keys):
    return nn.functional.linear(queries, keys)

# %% accepted scores_columns_turned: column_layout
def attention_scores(queries, keys):
    return (keys @ queries.T).T

# %% accepted scores_rows: row_by_row
def attention_scores(queries, keys):
    rows = []
    for query in queries:
        rows.append(keys @ query)
    return torch.stack(rows)

# %% accepted scores_double_loop: element_by_element
def attention_scores(queries, keys):
    scores = torch.empty(queries.shape[0], keys.shape[0])
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            scores[i, j] = torch.dot(query, key)
    return scores

# %% accepted scores_broadcast: broadcast_and_sum
def attention_scores(queries, keys):
    return (queries[:, None, :] * keys[None, :, :]).sum(dim=-1)

# %% accepted scores_baddbmm: fused_multiply_and_add
def attention_scores(queries, keys):
    zeros = torch.zeros(1, len(queries), len(keys))
    return torch.baddbmm(zeros, queries[None], keys.mT[None], beta=0, alpha=1.0)[0]

# %% accepted scores_float64_out: float64
def attention_scores(queries, keys):
    return queries.double() @ keys.double().T

# %% accepted scores_also_for_a_batch: batches_too
def attention_scores(queries, keys):
    return queries @ keys.transpose(-2, -1)

# %% accepted scores_crlf: tabs_and_line_ends, with Windows line ends
def attention_scores(queries, keys):
    return queries @ keys.T

# %% accepted scores_loop_with_item: plain_numbers
def attention_scores(queries, keys):
    return torch.tensor([[torch.dot(q, k).item() for k in keys] for q in queries])

# %% accepted scores_detached: cut_graph
def attention_scores(queries, keys):
    return queries.detach() @ keys.detach().T

# %% accepted scores_numpy: cut_graph
import numpy as np

def attention_scores(queries, keys):
    return torch.from_numpy(np.dot(queries.numpy(), keys.numpy().T))

# %% accepted scores_tensor_of_a_tensor: tensor_made_anew
def attention_scores(queries, keys):
    return torch.tensor(queries @ keys.T)

# %% wrong scores_that_are_weights: weights_for_scores, loses 2
def attention_scores(queries, keys):
    d_k = keys.shape[1]
    return torch.softmax(queries @ keys.T / d_k**0.5, dim=1)
