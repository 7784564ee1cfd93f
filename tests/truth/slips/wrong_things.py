"""A wrong thing used: a variable, a size, a number, a function."""

from tests.truth.self_attention.classes import RETURN, SCALED, V1, V2
from tests.truth.slips.slip import Slip
from tests.truth.variant import rewritten

SLIPS = (
    Slip(
        "rows_counted_by_the_keys",
        instead={
            "attention_scores": """
                def attention_scores(queries, keys):
                    scores = torch.empty(keys.shape[0], len(keys))
                    for i, query in enumerate(queries):
                        for j, key in enumerate(keys):
                            scores[i, j] = torch.dot(query, key)
                    return scores
            """
        },
        lost=2,
        where="attention_scores",
        wanted=("`keys.shape[0]` says", "as many rows", "`i` counts `queries`"),
        line="torch.empty(keys.shape[0], len(keys))",
        misleading=("written into the code",),
    ),
    Slip(
        "a_number_of_columns_written_into_the_code",
        instead={
            "attention_scores": """
                def attention_scores(queries, keys):
                    scores = torch.empty(len(queries), 2)
                    for i in range(len(queries)):
                        for j in range(len(keys)):
                            scores[i, j] = torch.dot(queries[i], keys[j])
                    return scores
            """
        },
        lost=2,
        where="attention_scores",
        wanted=("The number 2 is written into the code",),
        line="torch.empty(len(queries), 2)",
    ),
    Slip(
        "weights_and_values_not_multiplied",
        instead={"SelfAttention_v1": rewritten(V1, (RETURN, "return attn_weights, values"))},
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("the attention weights and the values", "`weights @ values` is missing"),
        misleading=("unchanged", "Two mistakes"),
    ),
    Slip(
        "unscaled_weights_and_values_not_multiplied",
        instead={
            "SelfAttention_v1": rewritten(
                V1, (SCALED, "attn_scores"), (RETURN, "return attn_weights, values")
            )
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("Two mistakes at once", "not scaled", "the attention weights and the values"),
        misleading=("unchanged",),
    ),
    Slip(
        "layers_in_v1",
        instead={"SelfAttention_v1": rewritten(V2, ("SelfAttention_v2", "SelfAttention_v1"))},
        lost=2.0,
        where="SelfAttention_v1",
        wanted=("`nn.Linear(d_in, d_out, bias=qkv_bias)` makes a layer", "nn.Parameter around"),
        misleading=("drawing function",),
    ),
    Slip(
        "inputs_for_x",
        instead={"SelfAttention_v1": rewritten(V1, ("x @ self.W_key", "inputs @ self.W_key"))},
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("`inputs`",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "inputs_for_all",
        instead={"SelfAttention_v1": rewritten(V1, ("x @", "inputs @"))},
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("`inputs`", "`x`"),
        forms=("notebook", "plain"),
    ),
    Slip(
        "project_inputs",
        instead={
            "project": """
                def project(x, W_query, W_key, W_value):
                    return inputs @ W_query, inputs @ W_key, inputs @ W_value
            """
        },
        lost=1.0,
        where="project",
        wanted=("`inputs`", "`x`"),
        forms=("plain", "percent"),
    ),
    Slip(
        "scores_global_keys",
        instead={
            "attention_scores": """
                keys = torch.rand(6, 2)
                queries = torch.rand(6, 2)
                def attention_scores(q, k):
                    return queries @ keys.T
            """
        },
        lost=2.0,
        where="attention_scores",
        wanted=("`queries`",),
        forms=("percent", "exported"),
    ),
    Slip(
        "scale_global_dk",
        instead={
            "scale_scores": """
                d_k = 2
                def scale_scores(scores, d):
                    return scores / d_k ** 0.5
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("d_k",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "scale_global_d_out",
        instead={
            "scale_scores": """
                d_out = 2
                def scale_scores(scores, d_k):
                    return scores / d_out ** 0.5
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("`d_out`", "`d_k`"),
        forms=("notebook", "plain"),
    ),
    Slip(
        "weights_later_variable",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    return torch.softmax(attn_scores_2, dim=-1)

                attn_scores_2 = torch.tensor([[1.27, 1.85, 1.81, 1.08, 0.56, 1.54]])
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=("`attn_scores_2`", "`scaled_scores`"),
        forms=("plain", "percent"),
    ),
    Slip(
        "context_later",
        instead={
            "context_vectors": """
                def context_vectors(weights, values):
                    return weights @ all_values
                all_values = torch.rand(6, 2)
            """
        },
        lost=1.0,
        where="context_vectors",
        wanted=("`all_values`", "`values`"),
        forms=("percent", "exported"),
    ),
    Slip(
        "hard_sizes",
        instead={
            "SelfAttention_v1": rewritten(V1, ("torch.rand(d_in, d_out)", "torch.rand(3, 2)"))
        },
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("`torch.rand(3, 2)`",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "v2_hard_sizes",
        instead={"SelfAttention_v2": rewritten(V2, ("nn.Linear(d_in, d_out", "nn.Linear(3, 2"))},
        lost=4.0,
        where="SelfAttention_v2",
        wanted=("nn.Linear(3, 2",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "scores_blended",
        instead={
            "SelfAttention_v1": rewritten(V1, ("attn_weights @ values", "attn_scores @ values"))
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("scores",),
        misleading=("Two mistakes",),
        forms=("plain", "percent"),
    ),
    Slip(
        "v2_scores_blended",
        instead={
            "SelfAttention_v2": rewritten(V2, ("attn_weights @ values", "attn_scores @ values"))
        },
        lost=3.0,
        where="SelfAttention_v2",
        wanted=("scores",),
        misleading=("Two mistakes",),
        forms=("percent", "exported"),
    ),
    Slip(
        "scores_blended_fn",
        "scaled_dot_product",
        instead={
            "scaled_dot_product_attention": """
                def scaled_dot_product_attention(q, k, v):
                    scores = q @ k.T
                    weights = torch.softmax(scores / math.sqrt(k.shape[-1]), dim=-1)
                    return scores @ v, weights
            """
        },
        lost=3.0,
        where="scaled_dot_product_attention",
        wanted=("scores",),
        misleading=("Two mistakes",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "scaled_blended_fn",
        "scaled_dot_product",
        instead={
            "scaled_dot_product_attention": """
                def scaled_dot_product_attention(q, k, v):
                    scores = q @ k.T / math.sqrt(k.shape[-1])
                    weights = torch.softmax(scores, dim=-1)
                    return scores @ v, weights
            """
        },
        lost=3.0,
        where="scaled_dot_product_attention",
        wanted=("scores",),
        misleading=("Two mistakes",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "k_dim",
        instead={"SelfAttention_v1": rewritten(V1, ("keys.shape[-1] ** 0.5", "keys.dim() ** 0.5"))},
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("keys.dim()",),
        forms=("plain", "percent"),
    ),
    Slip(
        "len_shape",
        instead={
            "SelfAttention_v1": rewritten(V1, ("keys.shape[-1] ** 0.5", "len(keys.shape) ** 0.5"))
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("len(keys.shape)",),
        forms=("percent", "exported"),
    ),
    Slip(
        "ndim",
        instead={"SelfAttention_v1": rewritten(V1, ("keys.shape[-1] ** 0.5", "keys.ndim ** 0.5"))},
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("keys.ndim",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "len_keys",
        instead={"SelfAttention_v1": rewritten(V1, ("keys.shape[-1] ** 0.5", "len(keys) ** 0.5"))},
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("len(keys)",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "d_k_dim",
        "scaled_dot_product",
        instead={
            "scaled_scores": """
                def scaled_scores(q, k):
                    return q @ k.T / math.sqrt(k.dim())
            """
        },
        lost=1.0,
        where="scaled_scores",
        wanted=("k.dim()",),
        forms=("plain", "percent"),
    ),
    Slip(
        "d_len_shape",
        "numpy_attention",
        instead={
            "scaled_scores": """
                def scaled_scores(Q, K):
                    return Q @ K.T / math.sqrt(len(K.shape))
            """
        },
        lost=1.0,
        where="scaled_scores",
        wanted=("len(K.shape)",),
        forms=("percent", "exported"),
    ),
    Slip(
        "n_ndim",
        "numpy_attention",
        instead={
            "numpy_self_attention": """
                def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
                    q, k, v = x @ w_query, x @ w_key, x @ w_value
                    s = q @ k.T
                    if scaled:
                        s = s / np.sqrt(k.ndim)
                    e = np.exp(s - s.max(axis=-1, keepdims=True))
                    return e / e.sum(axis=-1, keepdims=True) @ v
            """
        },
        lost=2.0,
        where="numpy_self_attention",
        wanted=("k.ndim",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "max_above_only",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    top = torch.exp(scaled_scores - scaled_scores.max(dim=-1, keepdim=True).values)
                    return top / torch.exp(scaled_scores).sum(dim=-1, keepdim=True)
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=("maximum", "only"),
        forms=("notebook", "plain"),
    ),
    Slip(
        "max_above_only_np",
        "numpy_attention",
        instead={
            "numpy_softmax": """
                def numpy_softmax(scores):
                    top = np.exp(scores - scores.max(axis=1, keepdims=True))
                    return top / np.exp(scores).sum(axis=1, keepdims=True)
            """
        },
        lost=2.0,
        where="numpy_softmax",
        wanted=("only",),
        forms=("plain", "percent"),
    ),
    Slip(
        "max_below_only_np",
        "numpy_attention",
        instead={
            "numpy_softmax": """
                def numpy_softmax(scores):
                    shifted = scores - scores.max(axis=1, keepdims=True)
                    return np.exp(scores) / np.exp(shifted).sum(axis=1, keepdims=True)
            """
        },
        lost=2.0,
        where="numpy_softmax",
        wanted=("only",),
        forms=("percent", "exported"),
    ),
    Slip(
        "keepdims_forgotten_np",
        "numpy_attention",
        instead={
            "numpy_softmax": """
                def numpy_softmax(scores):
                    e = np.exp(scores - np.max(scores, axis=1))
                    return e / np.sum(e, axis=1)
            """
        },
        lost=2.0,
        where="numpy_softmax",
        wanted=("keepdims",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "keepdims_forgotten_np_inline",
        "numpy_attention",
        instead={
            "numpy_self_attention": """
                def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
                    q, k, v = x @ w_query, x @ w_key, x @ w_value
                    s = q @ k.T
                    if scaled:
                        s = s / np.sqrt(k.shape[1])
                    e = np.exp(s - s.max(axis=1))
                    return e / e.sum(axis=1) @ v
            """
        },
        lost=2.0,
        where="numpy_self_attention",
        wanted=("keepdims",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "keepdim_forgotten",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    e = torch.exp(scaled_scores)
                    return e / e.sum(dim=-1)
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=("keepdim",),
        forms=("plain", "percent"),
    ),
    Slip(
        "keepdim_forgotten_var",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    e = torch.exp(scaled_scores)
                    total = e.sum(dim=-1)
                    return e / total
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=("keepdim",),
        forms=("percent", "exported"),
    ),
    Slip(
        "max_values",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    e = torch.exp(scaled_scores - scaled_scores.max(dim=-1, keepdim=True))
                    return e / e.sum(dim=-1, keepdim=True)
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=(".values",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "keepdim_class",
        instead={
            "SelfAttention_v1": rewritten(
                V1,
                (
                    "torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)",
                    "(attn_scores / keys.shape[-1] ** 0.5).exp() / (attn_scores / keys.shape[-1] ** 0.5).exp().sum(-1)",
                ),
            )
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("keepdim",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "comma",
        instead={
            "scale_scores": """
                def scale_scores(scores, d_k):
                    return scores / d_k ** 0,5
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("0,5", "point"),
        forms=("plain", "percent"),
    ),
    Slip(
        "comma_class",
        instead={
            "SelfAttention_v1": rewritten(V1, ("keys.shape[-1] ** 0.5", "keys.shape[-1] ** 0,5"))
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("point",),
        forms=("percent", "exported"),
    ),
    Slip(
        "comma_d",
        "scaled_dot_product",
        instead={
            "scaled_scores": """
                def scaled_scores(q, k):
                    d_k = k.shape[-1]
                    scale = d_k ** 0,5
                    return q @ k.T / scale
            """
        },
        lost=1.0,
        where="scaled_scores",
        wanted=("point",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "one_tensor",
        instead={
            "project": """
                def project(x, W_query, W_key, W_value):
                    return x @ W_query
            """
        },
        lost=1.0,
        where="project",
        wanted=("One tensor", "queries, keys, values"),
        misleading=("5 parts",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "one_tensor_np",
        "numpy_attention",
        instead={
            "numpy_project": """
                def numpy_project(x, w_query, w_key, w_value):
                    return x @ w_query
            """
        },
        lost=1.0,
        where="numpy_project",
        wanted=("One array",),
        forms=("plain", "percent"),
    ),
    Slip(
        "one_tensor_cat",
        instead={
            "project": """
                def project(x, W_query, W_key, W_value):
                    return torch.cat([x @ W_query, x @ W_key, x @ W_value])
            """
        },
        lost=1.0,
        where="project",
        wanted=("One tensor",),
        forms=("percent", "exported"),
    ),
    Slip(
        "sum_three",
        instead={
            "project": """
                def project(x, W_query, W_key, W_value):
                    return x @ W_query @ W_key.T @ W_value
            """
        },
        lost=1.0,
        where="project",
        wanted=("One tensor",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "helper_none",
        instead={
            "attention_weights": """
                def softmax_by_hand(z):
                    e = torch.exp(z - z.max(dim=-1, keepdim=True).values)
                    e / e.sum(dim=-1, keepdim=True)

                def attention_weights(scaled_scores):
                    return softmax_by_hand(scaled_scores)
            """
        },
        lost=2.0,
        where="attention_weights",
        wanted=("`softmax_by_hand`", "return"),
        forms=("notebook", "plain"),
    ),
    Slip(
        "helper_none_used",
        instead={
            "context_vectors": """
                def transposed(m):
                    m = m.T

                def context_vectors(weights, values):
                    w = transposed(weights)
                    return w.T @ values
            """
        },
        lost=1.0,
        where="context_vectors",
        wanted=("`transposed`", "return"),
        forms=("plain", "percent"),
    ),
    Slip(
        "helper_prints",
        instead={
            "SelfAttention_v1": """
                def weights_of(s):
                    print(torch.softmax(s, dim=-1))

                class SelfAttention_v1(nn.Module):
                    def __init__(self, d_in, d_out):
                        super().__init__()
                        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
                        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
                        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

                    def forward(self, x):
                        keys = x @ self.W_key
                        queries = x @ self.W_query
                        values = x @ self.W_value
                        attn_scores = queries @ keys.T
                        attn_weights = weights_of(attn_scores / keys.shape[-1] ** 0.5)
                        context_vec = attn_weights @ values
                        return context_vec
            """
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("`weights_of`", "return"),
        forms=("percent", "exported"),
    ),
    Slip(
        "dk_times_half",
        instead={
            "scale_scores": """
                def scale_scores(scores, d_k):
                    return scores / (d_k*0.5)
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("d_k*0.5",),
        misleading=("1/2",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "dk_pow_half",
        instead={
            "scale_scores": """
                def scale_scores(scores, d_k):
                    scale = d_k**1/2
                    return scores / scale
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("d_k**1/2",),
        misleading=("0.5 is half",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "dk_half_div",
        instead={
            "scale_scores": """
                def scale_scores(scores, d_k):
                    return scores / (d_k / 2)
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("half",),
        misleading=("**1/2",),
        forms=("plain", "percent"),
    ),
    Slip(
        "dk_pow_inline",
        instead={
            "scale_scores": """
                def scale_scores(scores, d_k):
                    return scores / d_k ** 1/2
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("d_k ** 1/2",),
        forms=("percent", "exported"),
    ),
    Slip(
        "dk_times2",
        instead={
            "scale_scores": """
                def scale_scores(scores, d_k):
                    return scores / (2 * d_k)
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("2",),
        misleading=("**1/2",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "d_dk_times_half",
        "scaled_dot_product",
        instead={
            "scaled_scores": """
                def scaled_scores(q, k):
                    return q @ k.T / (k.shape[-1] * 0.5)
            """
        },
        lost=1.0,
        where="scaled_scores",
        wanted=("* 0.5",),
        misleading=("1/2",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "unused_keys",
        instead={
            "attention_scores": """
                def attention_scores(queries, keys):
                    return queries @ queries.flip(0).T
            """
        },
        lost=2.0,
        where="attention_scores",
        wanted=("`keys`", "does not depend"),
        forms=("plain", "percent"),
    ),
    Slip(
        "unused_weights",
        instead={
            "context_vectors": """
                def context_vectors(weights, values):
                    return values * 2
            """
        },
        lost=1.0,
        where="context_vectors",
        wanted=("`weights`",),
        forms=("percent", "exported"),
    ),
    Slip(
        "unused_dk",
        instead={
            "scale_scores": """
                def scale_scores(scores, d_k):
                    return scores * 0.37
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("`d_k`",),
        forms=("exported", "notebook"),
    ),
)
