"""How functions and classes end, where they stand, and what their last line makes."""

from tests.truth.slips.slip import HEAD, Slip

SELF_ATTENTION_V2 = """
    class SelfAttention_v2(nn.Module):
        def __init__(self, d_in, d_out, qkv_bias=False):
            super().__init__()
            self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
            self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
            self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

        def forward(self, x):
            q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
            return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v
"""

SLIPS = (
    Slip(
        "a_return_inside_the_loop",
        "numpy_attention",
        instead={
            "index_words": """
                def index_words(sentence):
                    words = {}
                    for number, word in enumerate(sentence.split()):
                        words[number] = word
                        return words
            """
        },
        lost=1,
        where="index_words",
        wanted=("stands inside the loop", "first round"),
        line="        return words",
        misleading=("Which of the two is the key?",),
    ),
    Slip(
        "a_search_with_a_return_inside_its_loop",
        "numpy_attention",
        instead={
            "index_words": """
                def index_words(sentence):
                    parts = sentence.split()
                    while True:
                        if not parts:
                            continue
                        return dict(enumerate(parts))
            """
        },
        misleading=("inside the loop",),
    ),
    Slip(
        "parts_that_are_yielded",
        instead={
            "project": """
                def project(x, W_query, W_key, W_value):
                    for W in (W_query, W_key, W_value):
                        yield x @ W
            """
        },
        lost=1,
        where="project",
        wanted=("`yield`", "generator"),
        line="yield x @ W",
        misleading=("x stands on the left",),
    ),
    Slip(
        "parts_in_round_brackets",
        instead={
            "project": """
                def project(x, W_query, W_key, W_value):
                    return (x @ W for W in (W_query, W_key, W_value))
            """
        },
        lost=1,
        where="project",
        wanted=("generator", "square brackets"),
    ),
    Slip(
        "a_loop_that_begins_at_1",
        "numpy_attention",
        instead={
            "numpy_scores": """
                def numpy_scores(queries, keys):
                    scores = np.zeros((len(queries), len(keys)))
                    for i in range(1, len(queries)):
                        for j in range(len(keys)):
                            scores[i, j] = np.dot(queries[i], keys[j])
                    return scores
            """
        },
        lost=1,
        where="numpy_scores",
        wanted=("Only the first row is wrong", "loop"),
    ),
    Slip(
        "a_loop_that_ends_too_soon",
        instead={
            "attention_scores": """
                def attention_scores(queries, keys):
                    scores = torch.zeros(len(queries), len(keys))
                    for j in range(len(keys) - 1):
                        scores[:, j] = queries @ keys[j]
                    return scores
            """
        },
        lost=2,
        where="attention_scores",
        wanted=("Only the last column is wrong",),
    ),
    Slip(
        "layers_with_commas_behind_them",
        instead={
            "SelfAttention_v2": SELF_ATTENTION_V2.replace("bias=qkv_bias)", "bias=qkv_bias),")
        },
        lost=4,
        where="SelfAttention_v2",
        wanted=("The comma at the end", "tuple"),
        line="self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias),",
    ),
    Slip(
        "a_result_with_a_comma_behind_it",
        "scaled_dot_product",
        instead={"raw_scores": "def raw_scores(q, k):\n    return q @ k.T,"},
        lost=1,
        where="raw_scores",
        wanted=("The comma at the end",),
        line="return q @ k.T,",
    ),
    Slip(
        "a_variable_with_a_comma_behind_it",
        "scaled_dot_product",
        instead={"scaled_scores": "def scaled_scores(q, k):\n    raw = q @ k.T,\n    return raw / k.shape[-1] ** 0.5"},
        lost=1,
        where="scaled_scores",
        wanted=("The comma at the end",),
        line="raw = q @ k.T,",
    ),
    Slip(
        "a_class_inside_a_class",
        instead={
            "SelfAttention_v1": """
                class SelfAttention_v1(nn.Module):
                    def __init__(self, d_in, d_out):
                        super().__init__()
                        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
                        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
                        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

                    def forward(self, x):
                        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
                        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v
            """
            + SELF_ATTENTION_V2.replace("\n", "\n                "),
            "SelfAttention_v2": "",
        },
        lost=4,
        where="SelfAttention_v2",
        wanted=("stands inside `SelfAttention_v1`", "left margin"),
        misleading=("Names must be as in the release",),
    ),
    Slip(
        "a_step_inside_a_condition",
        after={HEAD: "if inputs is None:\n    def scale_scores(scores, d_k):\n        return scores / d_k**0.5"},
        instead={"scale_scores": ""},
        lost=1,
        where="scale_scores",
        wanted=("but indented", "left margin"),
        line="def scale_scores",
    ),
    Slip(
        "a_second_definition_that_is_wrong",
        after={
            "context_vectors": """
                # playing
                def attention_weights(scaled_scores):
                    return torch.softmax(scaled_scores, dim=0)
            """
        },
        lost=2,
        wanted=("`attention_weights` is defined in line", "and again in line", "the last one counts"),
    ),
    Slip(
        "the_empty_step_below_the_finished_one",
        after={"context_vectors": "def scale_scores(scores, d_k):\n    raise NotImplementedError()"},
        lost=1,
        wanted=("`scale_scores` is defined in line", "and again in line", "the last one counts"),
    ),
    Slip(
        "matrices_in_the_class_itself",
        instead={
            "SelfAttention_v1": """
                class SelfAttention_v1(nn.Module):
                    W_query = nn.Parameter(torch.rand(3, 2))
                    W_key = nn.Parameter(torch.rand(3, 2))
                    W_value = nn.Parameter(torch.rand(3, 2))

                    def __init__(self, d_in, d_out):
                        super().__init__()

                    def forward(self, x):
                        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
                        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v
            """
        },
        lost=4,
        where="SelfAttention_v1",
        wanted=("outside of `__init__`",),
        line="    W_query = nn.Parameter(torch.rand(3, 2))",
    ),
    Slip(
        "the_class_in_place_of_its_object",
        instead={
            "transfer_weights": """
                def transfer_weights(sa_v2, sa_v1):
                    SelfAttention_v1.W_query = nn.Parameter(sa_v2.W_query.weight.T)
                    SelfAttention_v1.W_key = nn.Parameter(sa_v2.W_key.weight.T)
                    SelfAttention_v1.W_value = nn.Parameter(sa_v2.W_value.weight.T)
            """
        },
        lost=2,
        where="transfer_weights",
        wanted=("never uses its argument `sa_v1`", "the class `SelfAttention_v1`"),
    ),
    Slip(
        "rows_in_a_list",
        instead={
            "context_vectors": """
                def context_vectors(weights, values):
                    result = []
                    for row in weights:
                        result.append(row @ values)
                    return result
            """
        },
        lost=1,
        where="context_vectors",
        wanted=("a list of its rows", "`torch.stack`"),
    ),
    Slip(
        "numbers_right_in_an_array",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    return torch.softmax(scaled_scores, dim=-1).detach().numpy()
            """
        },
        lost=2,
        where="attention_weights",
        wanted=("yours is a NumPy array", "The numbers in it are right"),
        misleading=("something in the code fits only these",),
    ),
    Slip(
        "keys_of_other_names",
        "scaled_dot_product",
        instead={
            "score_variances": """
                def score_variances(q, k):
                    raw = q @ k.T
                    scaled = raw / k.shape[-1] ** 0.5
                    return {"Q": q.var(), "K": k.var(), "raw": raw.var(), "scaled": scaled.var()}
            """
        },
        lost=2,
        where="score_variances",
        wanted=("The keys must be `q`, `k`, `raw_scores`, `scaled_scores`",),
        misleading=("number of entries minus one",),
    ),
    Slip(
        "an_assert_for_one_size",
        instead={
            "attention_weights": """
                def attention_weights(scaled_scores):
                    weights = torch.softmax(scaled_scores, dim=-1)
                    assert weights.shape == (6, 6)
                    return weights
            """
        },
        lost=2,
        where="attention_weights",
        wanted=("an `assert` of your own", "other sizes"),
        misleading=("A row belongs to one query",),
    ),
)  # fmt: skip
