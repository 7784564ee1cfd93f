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
