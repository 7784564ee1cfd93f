"""Slips in the steps of the two shorter assignments."""

from tests.truth.slips.slip import HEAD, Slip

SLIPS = (
    Slip(
        "an_axis_that_is_not_there_beside_a_number_of_the_file",
        "scaled_dot_product",
        instead={
            "scaled_scores": """
                model_dim = 8
                def scaled_scores(Q, K):
                    return (Q @ K.transpose(1, 2)) / model_dim ** 0.5
            """
        },
        lost=1,
        where="scaled_scores",
        wanted=("There is no axis 2 here.",),
        misleading=("`model_dim`",),
    ),
    Slip(
        "a_helper_with_a_similar_name_and_other_arguments",
        "numpy_attention",
        instead={"attention_output": ""},
        after={HEAD: "def self_attention(text):\n    return np.random.randn(3, len(text.split()))"},
        lost=1,
        where="attention_output",
        wanted=("does not define `attention_output`", "copy the step's first line"),
        misleading=("did you mean",),
    ),
    Slip(
        "an_array_changed_in_place",
        "numpy_attention",
        instead={
            "numpy_softmax": """
                def numpy_softmax(scores):
                    scores /= np.sqrt(scores.shape[1])
                    powers = np.exp(scores)
                    return powers / np.sum(powers, axis=1, keepdims=True)
            """
        },
        lost=2,
        where="numpy_softmax",
        wanted=("changes its input in place", "the caller's array holds other numbers"),
        misleading=("tensor",),
    ),
    Slip(
        "unscaled_and_with_the_weights",
        "numpy_attention",
        instead={
            "numpy_self_attention": """
                def numpy_self_attention(X, W_Q, W_K, W_V, scaled=True):
                    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
                    scores = Q @ K.T
                    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
                    weights = powers / powers.sum(axis=-1, keepdims=True)
                    return weights @ V, weights
            """
        },
        lost=2,
        where="numpy_self_attention",
        wanted=(
            "More than one thing came back",
            "only number 1 of it",
            "Both answers are unscaled",
        ),
        misleading=("right on its own",),
    ),
    Slip(
        "with_the_keys",
        "numpy_attention",
        instead={
            "numpy_self_attention": """
                def numpy_self_attention(X, W_Q, W_K, W_V, scaled=True):
                    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
                    scores = Q @ K.T
                    if scaled:
                        scores = scores / np.sqrt(K.shape[1])
                    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
                    weights = powers / powers.sum(axis=-1, keepdims=True)
                    return weights @ V, K
            """
        },
        lost=2,
        where="numpy_self_attention",
        wanted=("Number 1 of what came back is right on its own: return only that.",),
        misleading=("unscaled",),
    ),
    Slip(
        "a_width_of_the_file_and_a_switch_that_decides_nothing",
        "numpy_attention",
        instead={
            "numpy_self_attention": """
                K = np.array([[0, 1], [2, 3]])
                d_k = K.shape[1]
                def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
                    Q, K, V = np.dot(x, w_query), np.dot(x, w_key), np.dot(x, w_value)
                    scaled_scores = np.dot(Q, K.T) / np.sqrt(d_k)
                    powers = np.exp(scaled_scores)
                    return np.dot(powers / np.sum(powers, axis=1, keepdims=True), V)
            """
        },
        lost=2,
        where="numpy_self_attention",
        wanted=("with scaling, the default; with scaled=False", "never uses its argument `scaled`"),
    ),
    Slip(
        "tokens_given_back_for_both_answers",
        "numpy_attention",
        instead={
            "numpy_self_attention": """
                def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
                    return x
            """
        },
        lost=2,
        where="numpy_self_attention",
        wanted=("It is `x` unchanged.",),
        misleading=("must differ",),
    ),
)
