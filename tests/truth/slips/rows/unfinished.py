# A `raise NotImplementedError()` of the release that stayed beside finished code.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% raise_below: scale_scores, lost 1, as percent, exported
# says: raise NotImplementedError() | line
# never says: Not started
def scale_scores(scores, d_k):
    # YOUR CODE HERE
    scaled = scores / d_k**0.5
    raise NotImplementedError()
    return scaled

# %% raise_below2: scale_scores, lost 1, as exported, notebook
# says: raise NotImplementedError()
# never says: Not started
def scale_scores(scores, d_k):
    scaled = scores / d_k**0.5
    raise NotImplementedError()

# %% raise_above: scale_scores, lost 1, as notebook, plain
# says: raise NotImplementedError()
# never says: Not started
def scale_scores(scores, d_k):
    # YOUR CODE HERE
    raise NotImplementedError()
    return scores / d_k**0.5

# %% raise_class_init: SelfAttention_v1, lost 4, as plain, percent
# says: raise NotImplementedError() | __init__
# never says: Not started
#=        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
#+        raise NotImplementedError()

# %% raise_class_fwd_only: SelfAttention_v1, lost 3, as percent, exported
# says: raise NotImplementedError()
# never says: Not started
#=    def forward(self, x):
#+        raise NotImplementedError()

# %% a_part_left_out in numpy_attention: project, lost 1, as plain, notebook
# says: missing: V
# never says: on the way | middle | the result of the last operation | is right.
def project(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = X @ W_K
    return Q, K

# %% two_parts_left_out in numpy_attention: numpy_project, lost 1, as percent
# says: 3 parts were expected: queries, keys, values. It is the queries alone.
# never says: on the way | middle | the result of the last operation
def numpy_project(x, w_query, w_key, w_value):
    return x @ w_query

# %% a_layer_left_out in scaled_dot_product: make_projections, lost 1, as plain
# says: expected 3, got 2
# never says: in this line | taken apart | .items()
def make_projections(d_model):
    return nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
