"""Memory that was never written: the same mark in every run, and the mistake is named."""

from tests.truth.slips.slip import Slip

SLIPS = (
    Slip(
        "added_to_an_empty_tensor",
        instead={
            "context_vectors": """
                def context_vectors(weights, values):
                    out = torch.empty(weights.shape[0], values.shape[1])
                    for i in range(weights.shape[0]):
                        for j in range(weights.shape[1]):
                            out[i] += weights[i, j] * values[j]
                    return out
            """
        },
        lost=1,
        where="context_vectors",
        wanted=("torch.empty", "torch.zeros"),
        misleading=("softmax", "two mistakes"),
    ),
    Slip(
        "added_to_an_empty_tensor_like_another",
        instead={
            "project": """
                def project(x, W_query, W_key, W_value):
                    queries = torch.empty_like(x @ W_query)
                    queries += x @ W_query
                    return queries, x @ W_key, x @ W_value
            """
        },
        lost=1,
        where="project",
        wanted=("torch.empty", "torch.zeros"),
    ),
    Slip(
        "a_row_that_was_never_written",
        instead={
            "attention_scores": """
                def attention_scores(queries, keys):
                    scores = torch.empty(len(queries), len(keys))
                    for i in range(1, len(queries)):
                        scores[i] = keys @ queries[i]
                    return scores
            """
        },
        lost=2,
        where="attention_scores",
        wanted=("never written",),
    ),
    Slip(
        "an_empty_tensor_that_is_filled",
        instead={
            "attention_scores": """
                def attention_scores(queries, keys):
                    scores = torch.empty(len(queries), len(keys))
                    for i, query in enumerate(queries):
                        for j, key in enumerate(keys):
                            scores[i, j] = torch.dot(query, key)
                    return scores
            """
        },
        misleading=("never written",),
    ),
    Slip(
        "a_class_that_adds_to_an_empty_tensor",
        instead={
            "SelfAttention_v1": """
                class SelfAttention_v1(nn.Module):
                    def __init__(self, d_in, d_out):
                        super().__init__()
                        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
                        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
                        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

                    def forward(self, x):
                        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
                        weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)
                        output = torch.empty(x.shape[0], values.shape[1])
                        for i in range(x.shape[0]):
                            output[i] += weights[i] @ values
                        return output
            """
        },
        lost=3,
        where="SelfAttention_v1",
        wanted=("torch.empty", "torch.zeros"),
    ),
    Slip(
        "numpy_added_to_an_empty_array",
        "numpy_attention",
        instead={
            "numpy_scores": """
                def numpy_scores(queries, keys):
                    scores = np.empty((len(queries), len(keys)))
                    for i in range(len(queries)):
                        for j in range(len(keys)):
                            for k in range(queries.shape[1]):
                                scores[i, j] += queries[i, k] * keys[j, k]
                    return scores
            """
        },
        lost=1,
        where="numpy_scores",
        wanted=("np.empty", "np.zeros"),
    ),
    Slip(
        "numpy_imported_empty",
        "numpy_attention",
        instead={
            "numpy_scores": """
                from numpy import empty_like

                def numpy_scores(queries, keys):
                    scores = empty_like(queries @ keys.T)
                    scores += queries @ keys.T
                    return scores
            """
        },
        lost=1,
        where="numpy_scores",
        wanted=("`empty_like`", "`zeros_like`"),
    ),
    Slip(
        "scaled_dot_product_added_to_an_empty_tensor",
        "scaled_dot_product",
        instead={
            "attention_output": """
                def attention_output(weights, v):
                    result = weights.new_empty(weights.shape[0], v.shape[1])
                    for column in range(v.shape[0]):
                        result += weights[:, column : column + 1] * v[column]
                    return result
            """
        },
        lost=1,
        where="attention_output",
        wanted=("weights.new_empty", "weights.new_zeros"),
    ),
    Slip(
        "added_to_a_tensor_made_by_its_sizes",
        instead={
            "context_vectors": """
                def context_vectors(weights, values):
                    out = torch.Tensor(weights.shape[0], values.shape[1])
                    for j in range(values.shape[0]):
                        out += weights[:, j : j + 1] * values[j]
                    return out
            """
        },
        lost=1,
        where="context_vectors",
        wanted=("Perhaps: `torch.Tensor` with sizes", "torch.zeros"),
    ),
    Slip(
        "weights_that_were_never_drawn",
        instead={
            "init_weights": """
                def init_weights(d_in, d_out, seed):
                    torch.manual_seed(seed)
                    W_query = nn.Parameter(torch.empty(d_in, d_out), requires_grad=False)
                    W_key = nn.Parameter(torch.empty(d_in, d_out), requires_grad=False)
                    W_value = nn.Parameter(torch.empty(d_in, d_out), requires_grad=False)
                    return W_query, W_key, W_value
            """
        },
        lost=1,
        where="init_weights",
        wanted=("torch.empty", "never written"),
    ),
)
