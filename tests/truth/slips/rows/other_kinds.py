# What came back is of another kind, in another order or under other keys, and arguments in another order.
# How to read the rows: tests/truth/slips/slip.py and tests/truth/rows.py.

# %% numbers_under_words_from_one in numpy_attention: index_words, lost 1
# says: These are not the expected keys; yours are | Which of the two is the key?
# fix: {word: number for => {number: word for | start=1 => start=0
def index_words(sentence):
    return {word: number for number, word in enumerate(sentence.split(), start=1)}

# %% tuple_in_place_of_a_dict in scaled_dot_product: score_variances, lost 2
# says: A tuple of 4 came back; a dict with 4 entries was expected.
# fix: return q.var(), k.var(), one.var(), two.var() => return {"q": q.var(), "k": k.var(), "raw_scores": one.var(), "scaled_scores": two.var()}
def score_variances(q, k):
    one, two = raw_scores(q, k), scaled_scores(q, k)
    return q.var(), k.var(), one.var(), two.var()

# %% list_in_place_of_a_dict in scaled_dot_product: score_variances, lost 2
# says: A list of 4 came back; a dict with 4 entries was expected.
# never says: The numbers in it are right
def score_variances(q, k):
    return [q.std(), k.std(), raw_scores(q, k).std(), scaled_scores(q, k).std()]

# %% arrays_in_another_order in scaled_dot_product: scaled_dot_product_attention, lost 3
# says: yours is a NumPy array. | Stay with the functions of torch | (3, 7), float32 came back; a tensor of shape (3, 6)
# never says: The numbers in it are right
def scaled_dot_product_attention(q, k, v):
    weights = attention_weights(scaled_scores(q, k))
    output = weights @ v
    return weights.numpy(), output.numpy()

# %% lists_in_another_order in scaled_dot_product: scaled_dot_product_attention, lost 3
# says: yours is a list of numbers. | make one of the list: `torch.tensor` | a tensor of shape (3, 6)
# never says: The numbers in it are right
def scaled_dot_product_attention(q, k, v):
    weights = attention_weights(scaled_scores(q, k))
    output = weights @ v
    return weights.tolist(), output.tolist()

# %% list_of_lists_of_tensors: attention_scores, lost 2
# says: yours is a list of numbers. The numbers in it are right. | make one of the list: `torch.tensor`
# fix: return [[ => return torch.tensor([[ | queries] => queries])
def attention_scores(queries, keys):
    return [[query @ key for key in keys] for query in queries]

# %% wrong_numbers_in_a_list in numpy_attention: token_indices, lost 1
# says: yours is a list of numbers. | make one of the list: `torch.tensor`
# never says: list of its rows | The numbers in it are right
def token_indices(sentence, vocabulary):
    return [vocabulary.get(word, 0) for word in sentence.lower().split()]

# %% one_layer_in_place_of_three in scaled_dot_product: make_projections, lost 1
# says: cannot unpack non-iterable Linear object
# never says: taken apart
def make_projections(d_model):
    return nn.Linear(d_model, 3 * d_model)

# %% some_arguments_in_another_order in numpy_attention: numpy_self_attention, lost 1
# says: is `(x, Wk, Wq, Wv, scaled=True)`, and in the release it is `(x, w_query, w_key, w_value, scaled=True)`
# fix: x, Wk, Wq, Wv, scaled=True => x, Wq, Wk, Wv, scaled=True
def numpy_self_attention(x, Wk, Wq, Wv, scaled=True):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.T
    return numpy_softmax(scores / np.sqrt(k.shape[-1]) if scaled else scores) @ v

# %% layers_with_names_of_their_own_in_another_order in scaled_dot_product: project, lost 1
# says: is `(x, tokeys, toqueries, tovalues)`, and in the release it is `(tokens, w_query, w_key, w_value)`
# never says: in which the three are returned
# fix: x, tokeys, toqueries, tovalues => x, toqueries, tokeys, tovalues
def project(x, tokeys, toqueries, tovalues):
    return toqueries(x), tokeys(x), tovalues(x)

# %% attributes_with_names_of_their_own: SelfAttention_v2, lost 4
# says: Rename `self.toqueries` to `self.W_query` wherever it stands, and `self.tokeys` to `self.W_key`, `self.tovalues` to `self.W_value`.
# never says: plain variable
# fix: toqueries => W_query | tokeys => W_key | tovalues => W_value
class SelfAttention_v2(nn.Module):
    def __init__(self, k, d, qkv_bias=False):
        super().__init__()
        self.k, self.d = k, d
        self.toqueries = nn.Linear(k, d, bias=qkv_bias)
        self.tokeys = nn.Linear(k, d, bias=qkv_bias)
        self.tovalues = nn.Linear(k, d, bias=qkv_bias)

    def forward(self, x):
        q, k, v = self.toqueries(x), self.tokeys(x), self.tovalues(x)
        return torch.softmax(q @ k.T / self.d**0.5, dim=-1) @ v

# %% step_under_a_name_of_its_own: attention_weights, lost 2
# says: Names must be as in the release
# fix: softmax_function => attention_weights
def softmax_function(x):
    return torch.softmax(x, dim=-1)

# %% two_variables_for_two_arguments: transfer_weights, lost 2
# says: sa_v1 is unchanged: nothing was copied into it. | Are the numbers written into sa_v1's own matrices
# never says: here `v2`
# fix: two.W => v2.W | one.W => v1.W
one, two = SelfAttention_v1(3, 2), SelfAttention_v2(3, 2)


def transfer_weights(v2, v1):
    with torch.no_grad():
        one.W_query.copy_(two.W_query.weight.T)
        one.W_key.copy_(two.W_key.weight.T)
        one.W_value.copy_(two.W_value.weight.T)

# %% dictionary_of_its_own in numpy_attention: token_indices, lost 1
# says: in `own[word]`, `own` is not what belongs there.
# fix: own[word] => vocabulary[word]
def token_indices(sentence, vocabulary):
    own = {word: number for number, word in enumerate(sorted(sentence.split()))}
    return torch.tensor([own[word] for word in sentence.split()])

# %% layer_of_its_own in numpy_attention: embed, lost 1
# says: `table` is a layer (Embedding) | `indices` is a tensor of shape (9,), int64
# fix: table(indices) => embedding(indices)
def embed(indices, embedding):
    table = nn.Embedding(2, 4)
    return table(indices)

# %% frozen_matrices_get_no_gradient: SelfAttention_v1, lost 1.5
# says: The matrices are frozen
# never says: no gradient reaches any
# fix: , requires_grad=False => 
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
        self.W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
        self.W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)

    def forward(self, x):
        q, k, v = project(x, self.W_query, self.W_key, self.W_value)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% layers_without_bias_in_another_order in scaled_dot_product: make_projections, lost 1
# says: None came back; a Parameter of shape (4,), float32 was expected.
# never says: 16 of 16 numbers
def make_projections(d_model):
    w_key = nn.Linear(d_model, d_model, bias=None)
    w_query = nn.Linear(d_model, d_model, bias=None)
    w_value = nn.Linear(d_model, d_model, bias=None)
    return w_query, w_key, w_value

# %% divided_by_the_sum_of_all: attention_weights, lost 2
# says: `scaled_scores / scaled_scores.sum()` is the first value that is not right | `scaled_scores` is right
# line: scaled_scores.sum()
def attention_weights(scaled_scores):
    return scaled_scores / scaled_scores.sum()
