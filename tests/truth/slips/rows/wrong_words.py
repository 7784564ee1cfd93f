# Several causes with one answer: what is said must be true of each of them.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% median_subtracted in numpy_attention: numpy_softmax, lost 1, as plain
# says: What was subtracted from each row is smaller than its largest score. | Which score must become 0
# never says: smallest score
def numpy_softmax(scores):
    powers = np.exp(scores - np.median(scores, axis=1)[:, None])
    return powers / powers.sum(axis=1)[:, None]

# %% variance_over_the_positions: dot_product_variance, lost 1, as plain
# says: one number for each position, where one for each trial is needed
# never says: Two single numbers
def dot_product_variance(queries, keys):
    dots = torch.einsum("td,td->d", queries, keys)
    return dots.var(unbiased=False), dots.var(unbiased=False) / queries.shape[1]

# %% dropout_for_the_values in causal_multihead: CausalAttention, lost 0.5, as plain
# says: Dropout acts on single numbers of the values or of the output.
# never says: Or, with the same effect
#-        attn_weights = self.dropout(attn_weights)
#: attn_weights @ values => attn_weights @ self.dropout(values)

# %% one_layer_under_two_names in causal_multihead: CausalAttention, lost 4, as plain
# says: W_query and W_key are one layer. | The layers, the line that makes the queries
#-        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
#-        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
#+        self.W_key = self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)

# %% seen_scores_hidden in causal_multihead: CausalAttention, lost 2, as plain
# says: The mask acts the wrong way round
# never says: Or, with the same effect | a ~
#-        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
#+        attn_scores = torch.where(self.mask[:num_tokens, :num_tokens] > 0, attn_scores, attn_scores - torch.inf)

# %% number_of_tokens_for_d_k: SelfAttention_v2, lost 1.5, as plain
# says: The scores were divided by the square root of the number of tokens.
# never says: number of queries | Or, with the same effect
#: attn_scores / keys.shape[-1] ** 0.5 => attn_scores / math.sqrt(x.shape[0])

# %% scores_grow in scaled_dot_product: scaled_scores, lost 1, as plain
# says: so they grew instead of shrinking | does it make a score larger or smaller?
# never says: negative exponent
def scaled_scores(q, k):
    return raw_scores(q, k).mul(k.shape[1] ** 0.5)

# %% pieces_as_wide_as_heads_are_many in causal_multihead: split_heads, lost 1, as plain
# says: into how many pieces is it cut, and how wide is each?
# never says: which axes were exchanged
def split_heads(x, num_heads):
    b, t, d = x.shape
    return torch.stack([x[:, :, at : at + num_heads] for at in range(0, d, num_heads)], dim=1)

# %% values_cut_across_tokens in causal_multihead: MultiHeadAttention, lost 5, as plain
# says: only cuts the numbers anew, in their order; an axis has to be moved as well.
# never says: another order
#-        values = values.view(b, num_tokens, self.num_heads, self.head_dim)
#+        values = values.view(b, self.num_heads, num_tokens, self.head_dim)
#-        values = values.transpose(1, 2)

# %% hidden_scores_not_low_enough in causal_multihead: causal_weights, lost 3, as plain
# says: almost right | a number in place of infinity?
def causal_weights(queries, keys, mask):
    scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    return torch.softmax(torch.where(mask, torch.full_like(scores, -11.0), scores), dim=-1)

# %% two_calls_and_one_too_many: context_vectors, lost 1, as plain
# says: the outer call in `torch.relu(torch.matmul(weights, values))` does not belong there.
def context_vectors(weights, values):
    return torch.relu(torch.matmul(weights, values))

# %% more_keys_than_are_shown in numpy_attention: index_words, lost 1, as plain
# says: 5, 6, 7 and more.
def index_words(sentence):
    return dict(enumerate(sentence))

# %% first_number_one in numpy_attention: index_words, lost 1, as plain
# says: At which number does the count begin
# never says: letters
def index_words(sentence):
    return dict(enumerate(sentence.lower().split(), 1))

# %% chunks_of_the_tokens in numpy_attention: project, lost 1, as plain
# says: `torch.chunk(every, 3, dim=0)` runs along another axis than it should. With nothing but this changed
# never says: The same holds
# line: torch.chunk(
def project(X, W_Q, W_K, W_V):
    every = X @ torch.cat([W_Q, W_K, W_V], dim=1)
    Q, K, V = torch.chunk(every, 3, dim=0)
    return Q, K, V

# %% a_sum_that_is_never_reset in numpy_attention: numpy_softmax, lost 2, as plain
# says: numbers are not right
# never says: first value that is not right
def numpy_softmax(scores):
    out, total = np.empty_like(scores), 0.0
    for row in range(len(scores)):
        for column in range(scores.shape[1]):
            out[row, column] = np.exp(scores[row, column] - scores[row].max())
            total += out[row, column]
        out[row] /= total
    return out
