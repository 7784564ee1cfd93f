# %% [markdown]
# # Self-attention, first with NumPy, then with PyTorch
#
# An embedding gives a word the same numbers in every sentence. Meaning is not that stable:
# "light" is one thing in *a light bag* and another in *a light in the window*. Self-attention
# lets every word look at the words around it and leave with a new vector, one that knows its
# company.
#
# You build this twice.
#
# * **NumPy**: three tokens, one array operation at a time, nothing hidden.
# * **PyTorch**: a real sentence, from the words to the output, with tensors that can be trained.
#
# The letters mean the same everywhere. $T$ is the number of tokens, $d_{in}$ the width of an
# embedding, $d$ the width of queries, keys and values. A token is always a **row**, so a
# sentence has the shape $(T, d_{in})$. When you are lost, write down the shapes; they usually
# show the way.
#
# There are four assignments. Take them in this order: `numpy_attention` (this one),
# `scaled_dot_product`, `self_attention`, `causal_multihead`.
#
# The document that the printed numbers come from is "Using Numpy to Create self attention".

# %%
import math

import numpy as np
import torch
from torch import nn


# %% tags=["show"]
def draw_weights(weights_by_title, words):
    """Print and draw the weights of each title: a row is a query, a column is a key."""
    import matplotlib.pyplot as plt

    for title, weights in weights_by_title.items():
        print(f"{title}, the keys of: {', '.join(words)}")
        for word, row in zip(words, weights, strict=True):
            print(f"  query of {word:8}", *(f"{float(weight):.4f}" for weight in row))
    count = len(weights_by_title)
    size = (1.1 * len(words) * count + 1, 1.1 * len(words) + 0.5)
    axes = plt.subplots(1, count, squeeze=False, figsize=size, layout="constrained")[1]
    ticks = range(len(words))
    for axis, (title, weights) in zip(axes[0], weights_by_title.items(), strict=True):
        axis.imshow(weights, cmap="Blues", vmin=0, vmax=1)
        axis.set(title=title, xlabel="key of", ylabel="query of")
        axis.set_xticks(ticks, words, rotation=45)
        axis.set_yticks(ticks, words)
        for row in ticks:
            for column in ticks:
                weight = float(weights[row][column])
                color = "white" if weight > 0.6 else "black"
                axis.text(column, row, f"{weight:.2f}", ha="center", va="center", color=color)


# %% [markdown]
# ## A question, a card, an answer
#
# A class is preparing a school play. Everybody in the room does three things.
#
# * They ask a **question**: "Who can help me with the costumes?"
# * They put a **card** on the desk that says what they can be asked about: "fabric, paint".
# * They have an **answer** ready, for whoever needs it: "There is a sewing machine in my attic,
#   and I can bring it on Monday."
#
# All questions are asked at the same moment. Each question is held against every card, one's own
# included. Where question and card fit, the student listens closely; where they do not, with half
# an ear. What a student takes home is a mixture of all answers, each as loud as its card fitted.
#
# Self-attention gives these three things names. The question is the **query**, the card is the
# **key**, the answer is the **value**. How well a question fits a card is a **score**; how loud an
# answer becomes is a **weight**; the mixture is the **output**.
#
# Why a card *and* an answer? What makes you easy to find is not what you have to say. The key is
# only compared, the value is only passed on, and each can be good at its own job.

# %% [markdown]
# ## Three tokens and three matrices
#
# The first run has three tokens with embeddings of width 3: `x` has the shape $(3, 3)$. Three
# matrices of shape $(d_{in}, d) = (3, 3)$ make queries, keys and values from it. In a network
# training finds these matrices. Here they are random numbers from 0 to 1, which is all that one
# needs to follow the arithmetic.
#
# The document prints `w_query` in full. Of the other two it shows only what came out, the keys
# and the values. That is enough: `x` is square and invertible, so only one matrix $W$ satisfies
# $x W = \text{keys}$. The cell below solves this equation, and the one for the values. From here
# on you can retrace the document's run.
#
# The document computed with more digits than it printed. Your eighth decimal can therefore differ
# from its eighth decimal by one. The text of this notebook shows as many digits as agree.
#
# One warning. $T$, $d_{in}$ and $d$ are all 3 here, so every matrix fits every other. A forgotten
# transpose raises no error, it just gives wrong numbers. The checks use three different sizes.

# %%
x = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]])

w_query = np.array(
    [
        [0.02982655, 0.86754356, 0.32277036],
        [0.67090353, 0.28066548, 0.02169685],
        [0.99935554, 0.07557419, 0.15867828],
    ]
)

printed_keys = np.array(
    [
        [0.88059947, 0.96738799, 0.82429994],
        [0.55447921, 1.09563113, 0.14715601],
        [0.96527645, 1.57565102, 0.70314209],
    ]
)
printed_values = np.array(
    [
        [1.26402321, 1.5142024, 1.32318979],
        [1.48882578, 1.90282565, 1.06119132],
        [1.32802383, 1.49405674, 1.10095084],
    ]
)

w_key = np.linalg.solve(x, printed_keys)
w_value = np.linalg.solve(x, printed_values)

# %% tags=["show"]
print("tokens and embedding width:", x.shape)
print("rows and columns of w_query:", w_query.shape)
for number, row in enumerate(w_query, start=1):
    print("row", number, row)

# %% [markdown]
# ## Project the tokens
#
# Each student writes question, card and answer alone; nobody has looked at anybody yet. So each
# token's query depends on that token's embedding only: the row times the matrix. Because tokens
# are rows, one matrix product does it for all of them at once, and the tokens stand on the left:
#
# $$(T, d_{in}) \times (d_{in}, d) \rightarrow (T, d)$$
#
# Do this three times with three different matrices. Row 1 of the queries starts with 1.02918209.
# You can check that by hand: the first token is $(1, 0, 1)$, so its query is the first row of
# `w_query` plus the third.
#
# *In the document: "NumPy: queries, keys and values".*


# %%
def numpy_project(
    x: np.ndarray, w_query: np.ndarray, w_key: np.ndarray, w_value: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Project the tokens to queries, keys and values.

    Args:
        x: token embeddings (T, d_in), float64, one token per row.
        w_query, w_key, w_value: one matrix (d_in, d) for each of the three.

    Returns:
        queries, keys, values: in this order, each (T, d), float64.

    Source: "Using Numpy to Create self attention"
    """
    ### BEGIN SOLUTION
    return x @ w_query, x @ w_key, x @ w_value
    ### END SOLUTION


# %% tags=["show"]
my_queries, my_keys, my_values = numpy_project(x, w_query, w_key, w_value)
print("queries\n", my_queries)
print("keys\n", my_keys)
print("values\n", my_values)

# %% [markdown]
# ## Score every query against every key
#
# How well does a question fit a card? Both are vectors of width $d$. The dot product is large
# where they are long and point the same way, so it serves as the score.
#
# You need one score for each *pair* of tokens, so the result is a table. Row $i$ belongs to query
# $i$, column $j$ to key $j$:
#
# $$S_{ij} = q_i \cdot k_j \qquad (T_q, d) \text{ with } (T_k, d) \rightarrow (T_q, T_k)$$
#
# Think about which axis has to disappear: it is $d$, the one that queries and keys share.
#
# The first row of the table is 2.2155161, 1.6748173, 2.8179965. The first token's
# question fits the third card best. The table is not symmetric: how 1 asks 3 and how 3 asks 1 are
# two different things, because queries and keys come from different matrices.
#
# This run does not scale its scores. Leave them as they are; scaling has its own place below.
#
# *In the document: "NumPy: attention scores, unscaled".*


# %%
def numpy_scores(queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Score every query against every key by their dot product, unscaled.

    Args:
        queries: (Tq, d), float64.
        keys: (Tk, d), float64; Tk may differ from Tq.

    Returns:
        scores (Tq, Tk), float64; the entry (i, j) belongs to query i and key j.

    Source: "Using Numpy to Create self attention"
    """
    ### BEGIN SOLUTION
    return queries @ keys.T
    ### END SOLUTION


# %% tags=["show"]
my_scores = numpy_scores(my_queries, my_keys)
print("scores\n", my_scores)
print("the key that each query likes best:", my_scores.argmax(axis=-1) + 1)

# %% [markdown]
# ## From scores to weights
#
# Scores can be any numbers, negative ones too. To mix answers you need shares: none below 0, and
# the shares of one listener add up to 1. Softmax makes them. For each query $i$,
#
# $$w_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{ik}}}$$
#
# The exponential makes everything positive and keeps the order. The sum runs over the keys of
# *one* query, so each **row** adds up to 1. Columns need not: many students may want to hear the
# same answer. The shape stays $(T_q, T_k)$.
#
# Differences decide, not sizes. A key that is ahead by 1 gets $e$ times the weight, whether the
# scores are 1 and 2 or 11 and 12. The first token's weights in the document are 0.29334243,
# 0.17082538 and 0.53583219: a little more than half of its attention goes to token 3.

# %% [markdown]
# ## What happens at a score of 1000
#
# Written down exactly as in the formula, softmax breaks for large scores. The largest number of
# float64 is about $1.8 \cdot 10^{308}$, and $e^{710}$ is already beyond it: NumPy gives `inf`.
# Then the fraction is `inf / inf`, which is `nan`, and one `nan` spoils all that follows.
#
# The cure costs nothing. Let $m$ be the largest score of the row, and subtract it from each score
# of that row:
#
# $$\frac{e^{S_j - m}}{\sum_k e^{S_k - m}}
# = \frac{e^{-m}\, e^{S_j}}{e^{-m} \sum_k e^{S_k}}
# = \frac{e^{S_j}}{\sum_k e^{S_k}}$$
#
# The factor $e^{-m}$ stands above and below and cancels, so the weights are the same as before.
# But now the largest exponent is exactly 0, and nothing can overflow. The sum is at least
# $e^0 = 1$, so nothing is divided by 0 either. A key far behind may round to a weight of 0, which
# is as good as its true value. This property is called *numerical stability*.
#
# Each row has its own $m$. Mind the shapes: one maximum per row must meet $T_k$ scores per row.
#
# *In the document: "NumPy: the softmax function, attention weights".*


# %%
def numpy_softmax(scores: np.ndarray) -> np.ndarray:
    """Turn each row of scores into weights that are not negative and sum to 1.

    The weights must be finite for scores of 1000 and above, where a plain exponential
    overflows to inf and the division gives nan. The array passed in stays unchanged.

    Args:
        scores: (Tq, Tk), float64, row i holds the scores of query i.

    Returns:
        weights (Tq, Tk), float64; each row sums to 1.

    Source: "Using Numpy to Create self attention"
    """
    ### BEGIN SOLUTION
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(shifted)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
    ### END SOLUTION


# %% tags=["show"]
my_weights = numpy_softmax(my_scores)
print("weights\n", my_weights)
print("row sums:", my_weights.sum(axis=-1))
print("column sums:", my_weights.sum(axis=0))

with np.errstate(over="ignore", invalid="ignore"):
    overflowed = np.exp(np.array([700.0, 710.0, 1000.0]))
    print("e to the power of 700, 710 and 1000:", overflowed)
    print("inf / inf:", overflowed[1] / overflowed[2])
print("these two rows must agree\n", numpy_softmax(np.array([[0.0, 1, 2], [1000, 1001, 1002]])))

# %% [markdown]
# ## The whole run, with and without scaling
#
# One step is left: mixing the answers. Row $i$ of the weights says how much of each value goes
# into output $i$. Weights $(T, T)$ and values $(T, d)$ give the output $(T, d)$: one new vector
# per token. The first one in the document is 1.33671879, 1.56979442, 1.15935102.
#
# Your function does everything from `x` to the output, and it has a switch. With `scaled=False`
# the scores go into softmax as they are; that is the document's NumPy run. With `scaled=True`,
# the usual way and the default, they are first divided by $\sqrt{d}$.
#
# Why divide? A dot product is a sum of $d$ products. If the entries of queries and keys are
# independent, with mean 0 and variance 1, the sum has variance $d$: it spreads like $\sqrt{d}$. At
# $d = 64$ scores of plus or minus 8 are ordinary, and softmax gives nearly everything to one key.
# Such a softmax barely reacts to a small change, so its gradients are close to 0 and training
# stalls. Dividing by $\sqrt{d}$ brings the spread back to 1, whatever the width.
#
# Remember which $d$ is meant: the width of the keys, not the number of tokens and not $d_{in}$.
#
# *In the document: "NumPy: final output".*


# %%
def numpy_self_attention(
    x: np.ndarray,
    w_query: np.ndarray,
    w_key: np.ndarray,
    w_value: np.ndarray,
    scaled: bool = True,
) -> np.ndarray:
    """Compute self-attention from the tokens to the output, using the functions above.

    Args:
        x: token embeddings (T, d_in), float64.
        w_query, w_key, w_value: one matrix (d_in, d) for each projection.
        scaled: True divides the scores by the square root of d, the width of the keys,
            before the softmax; False leaves them as they are, like the document's run.

    Returns:
        output (T, d), float64, one row per token.

    Source: "Using Numpy to Create self attention"
    """
    ### BEGIN SOLUTION
    queries, keys, values = numpy_project(x, w_query, w_key, w_value)
    divisor = np.sqrt(keys.shape[-1]) if scaled else 1.0
    weights = numpy_softmax(numpy_scores(queries, keys) / divisor)
    return weights @ values
    ### END SOLUTION


# %% tags=["show"]
print("unscaled output\n", numpy_self_attention(x, w_query, w_key, w_value, scaled=False))
print("scaled output\n", numpy_self_attention(x, w_query, w_key, w_value))
print("plain average of the values\n", my_values.mean(axis=0))

w_identity = np.linalg.inv(x)
draw_weights(
    {
        "unscaled": numpy_self_attention(x, w_query, w_key, w_identity, scaled=False),
        "scaled": numpy_self_attention(x, w_query, w_key, w_identity),
    },
    ["token 1", "token 2", "token 3"],
)

# %% [markdown]
# ## What scaling changes
#
# The drawings show weights, although your function returns an output. The trick: with the inverse
# of `x` as value matrix the values are the identity matrix, and weights times identity are the
# weights. Compare the two drawings, row by row.
#
# * Each row still adds up to 1, and the order within a row is the same. The favourite stays the
#   favourite.
# * The rows are flatter. All differences between scores became smaller by the factor $\sqrt{3}$,
#   and differences are what softmax goes by. The strong give some weight to the weak.
# * The outputs moved towards the plain average of the values, which is what you would get if all
#   weights were equal.
#
# With $d = 3$ this is a gentle change. It grows with the width, and so does the need for it.
#
# Note also what would *not* do the same: dividing the weights instead of the scores. The rows
# would no longer add up to 1, and the favourite would be as dominant as before.

# %% [markdown] tags=["question"] points=4
# ## In your own words: two things done before the softmax
#
# Before the exponential you change the scores twice: you subtract the largest score of the row,
# and you divide by $\sqrt{d}$. One of the two leaves the weights as they are, the other does not.
#
# Say which is which, and why. Then say what each of them is for: what goes wrong without it, in
# the forward direction or for the gradients?
#
# ### BEGIN SOLUTION
# Subtracting leaves the weights alone. It takes the same amount $m$ from every score of the row,
# which multiplies each exponential by $e^{-m}$; the factor appears in the sum too and drops out of
# the quotient. The division does change them, since it makes every difference between two scores
# smaller by the factor $\sqrt{d}$, and the ratio of two weights is $e$ to the power of their
# difference. Rows become flatter, the order stays.
#
# The subtraction is for the machine: without it a score above about 709 overflows, infinity
# divided by infinity is not a number, and everything computed afterwards is lost. The division is
# for learning: dot products of width $d$ spread like $\sqrt{d}$, so without it wide keys give rows
# with nearly all the weight in one place. The derivative of a weight by a score is $w_i
# (\delta_{ij} - w_j)$; it vanishes in such a row, and with it the gradients of the query and key
# matrices.
# ### END SOLUTION
#
# === BEGIN MARK SCHEME ===
# * One mark: names the subtraction as the harmless one and gives the reason (a common factor).
# * One mark: the division shrinks differences, which makes the rows flatter.
# * One mark: without the subtraction, overflow and then nan.
# * One mark: without the division, saturated rows at large widths, and gradients close to 0.
#
# Full marks need no formula, if the reasons are right. Half a mark where only the effect of the
# division on the forward direction is described.
# === END MARK SCHEME ===

# %% [markdown]
# ## Six words, one dictionary
#
# Now the same path in PyTorch, and this time it starts with words: "I am a machine learning
# engineer". A network cannot compute with words, so the first job is to give each one a number.
#
# The vocabulary is a dictionary. Fill it in reading order: the number is the key, the word is the
# value, and counting starts at 0. The last word, "engineer", gets 5. (Python's
# dictionaries have *keys* and *values* too. They have nothing to do with those of attention.)
#
# A real vocabulary is collected from millions of sentences. Ours knows one sentence, in which no
# word occurs twice.
#
# *In the document: "PyTorch: the sentence and its vocabulary as a dictionary".*

# %%
sentence = "I am a machine learning engineer"


# %%
def index_words(sentence: str) -> dict[int, str]:
    """Number the words of a sentence in reading order, from 0.

    Args:
        sentence: words separated by spaces, no word twice.

    Returns:
        a dictionary {0: first word, 1: second word, ...} with one entry per word;
        the words keep their spelling, upper case included.

    Source: "Using Numpy to Create self attention"
    """
    ### BEGIN SOLUTION
    return dict(enumerate(sentence.split()))
    ### END SOLUTION


# %% tags=["show"]
my_index_to_word = index_words(sentence)
print(my_index_to_word)

# %% [markdown]
# ## The dictionary, read the other way round
#
# The dictionary you have answers "which word is number 3?". That is the question at the end of a
# language model, when a number has to become a word again. At the beginning you need the other
# direction: "which number is *machine*?"
#
# A dictionary can be turned round as long as no value occurs twice; otherwise two entries would
# fight for the same place. That is why the sentence has six different words.
#
# *In the document: "PyTorch: the reversed dictionary".*


# %%
def reverse_dict(mapping: dict[int, str]) -> dict[str, int]:
    """Turn a dictionary round, so that each value leads to its key.

    Args:
        mapping: a dictionary in which no value occurs twice, such as {0: "I", 1: "am"}.

    Returns:
        a new dictionary with keys and values exchanged; `mapping` itself stays unchanged.

    Source: "Using Numpy to Create self attention"
    """
    ### BEGIN SOLUTION
    return {value: key for key, value in mapping.items()}
    ### END SOLUTION


# %% tags=["show"]
my_vocabulary = reverse_dict(my_index_to_word)
print(my_vocabulary)

# %% [markdown]
# ## From words to indices
#
# With the vocabulary in the right direction, a sentence becomes a row of whole numbers: look each
# word up, in the order of the sentence. The result is a tensor of shape $(T,)$, here $(6,)$.
#
# The numbers are *names*, not quantities. "engineer" with its 5 is not five times "am". The next
# step only uses them to point at rows of a table, and a row number must be whole. PyTorch wants
# 64-bit integers for that, the dtype `torch.long`.
#
# For our own sentence the result is as plain as can be, since the vocabulary was made from it.
# It gets interesting when the same words come in another order.
#
# *In the document: "PyTorch: token indices".*


# %%
def token_indices(sentence: str, vocabulary: dict[str, int]) -> torch.Tensor:
    """Look up the index of every word of a sentence.

    Args:
        sentence: T words separated by spaces.
        vocabulary: the dictionary from word to index (a reversed `index_words`).

    Returns:
        indices (T,), dtype torch.long, in the order of the sentence.

    Raises:
        KeyError: the vocabulary does not have one of the words.

    Source: "Using Numpy to Create self attention"
    """
    ### BEGIN SOLUTION
    return torch.tensor([vocabulary[word] for word in sentence.split()], dtype=torch.long)
    ### END SOLUTION


# %% tags=["show"]
my_indices = token_indices(sentence, my_vocabulary)
print(my_indices, my_indices.dtype)
print(token_indices("am I a learning machine", my_vocabulary))

# %% [markdown]
# ## From indices to vectors
#
# An embedding is a table of numbers with one row per word of the vocabulary. Here it has six rows
# and four columns: six words, $d_{in} = 4$. To embed a sentence is to pick the rows that the
# indices point at, $(T,) \rightarrow (T, d_{in})$. No arithmetic happens.
#
# In PyTorch this table is an `nn.Embedding`. It usually starts with random rows, and training
# moves them, which is why the rows carry gradients. So that you can compare your numbers, the
# cell below fills the table with the rows that the document printed. Its first row, for "I", is
# -0.1552, 1.0317, 1.5787, -1.3859.
#
# *In the document: "PyTorch: word embeddings X".*

# %%
printed_X = torch.tensor(
    [
        [-0.1552, 1.0317, 1.5787, -1.3859],
        [-0.0997, 0.3827, -0.5121, -0.7133],
        [-0.8429, -0.0120, -1.1839, -1.6159],
        [0.3314, 1.6603, -0.1966, -0.3770],
        [1.4558, 2.6057, -0.7224, -1.8245],
        [-0.9696, -1.8205, 0.2053, -0.0396],
    ]
)
embedding = nn.Embedding.from_pretrained(printed_X.clone(), freeze=False)


# %%
def embed(indices: torch.Tensor, embedding: nn.Embedding) -> torch.Tensor:
    """Fetch the embedding of every token.

    Args:
        indices: (T,), dtype torch.long.
        embedding: the layer with a table (vocabulary size, d_in) of trainable rows.

    Returns:
        X (T, d_in), the dtype of the layer; row t is the embedding of token t.

    Source: "Using Numpy to Create self attention"
    """
    ### BEGIN SOLUTION
    return embedding(indices)
    ### END SOLUTION


# %% tags=["show"]
torch.set_printoptions(precision=4, sci_mode=False)
print("words in the vocabulary:", embedding.num_embeddings)
print("width of an embedding:", embedding.embedding_dim)
X = embed(my_indices, embedding)
print(tuple(X.shape))
print(X)

# %% [markdown]
# ## Project with three matrices
#
# From here on the path is the one you know, on tensors instead of arrays: question, card and
# answer for each word, each by a matrix of its own. With $T = 6$ and $d_{in} = d = 4$ the shapes
# are $(6, 4) \times (4, 4) \rightarrow (6, 4)$.
#
# The document draws the matrices from a normal distribution and prints none of them, only the
# products $Q$, $K$ and $V$. Again you can go back from the result to the matrix. This time `X` is
# not square: for each column of a matrix there are six equations and four unknowns. Least squares
# finds the matrix that fits all six as well as possible. The printed numbers are rounded to four
# decimals, so the fit is not perfect, but nearly: it is off by less than 0.0003.
#
# That so many equations agree is no accident. It shows that $Q$ really is `X` times one matrix.
#
# The document went on with digits that it did not print. So from here on your numbers differ from
# its numbers in the fourth decimal, and in the scores, which are sums of products, by up to 0.001.
# Again the text shows as many digits as agree.
#
# *In the document: "PyTorch: trainable matrices, Q, K and V".*

# %%
printed_Q = torch.tensor(
    [
        [0.8388, -0.4577, -1.4179, -3.4429],
        [0.3344, 1.4597, -0.6583, -0.8520],
        [2.3609, 3.7756, -1.6642, -1.0781],
        [-2.0661, 0.4086, -0.6198, -1.9695],
        [-2.3459, 1.7674, -0.8779, -3.9946],
        [3.2354, 0.4677, -0.1180, 1.6178],
    ]
)
printed_K = torch.tensor(
    [
        [-0.0987, -4.3516, -2.8646, -5.3264],
        [0.2254, -0.0270, 0.9004, 1.1313],
        [-0.6867, 1.9948, 2.4314, 3.6758],
        [1.5325, -2.9488, 0.1252, -1.2027],
        [3.1263, -5.1399, 0.2864, -0.8180],
        [-2.2940, 3.6204, 0.1796, 1.5265],
    ]
)
printed_V = torch.tensor(
    [
        [1.2768, -3.3923, -3.0889, 0.2982],
        [1.1344, 0.6626, -0.1441, -1.0227],
        [1.0953, 1.1428, -0.0482, -1.3260],
        [2.7697, 1.3958, -0.5323, -3.0442],
        [5.5748, 0.8515, -1.4998, -3.0465],
        [-3.0427, -1.5246, 0.2519, 2.7946],
    ]
)

W_Q = torch.linalg.lstsq(printed_X.double(), printed_Q.double()).solution.round(decimals=4).float()
W_K = torch.linalg.lstsq(printed_X.double(), printed_K.double()).solution.round(decimals=4).float()
W_V = torch.linalg.lstsq(printed_X.double(), printed_V.double()).solution.round(decimals=4).float()


# %%
def project(
    X: torch.Tensor, W_Q: torch.Tensor, W_K: torch.Tensor, W_V: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Project the embedded tokens to queries, keys and values.

    Args:
        X: token embeddings (T, d_in), float32.
        W_Q, W_K, W_V: one matrix (d_in, d) for each of the three, float32.

    Returns:
        Q, K, V: queries, keys and values in this order, each (T, d), float32.

    Source: "Using Numpy to Create self attention"
    """
    ### BEGIN SOLUTION
    return X @ W_Q, X @ W_K, X @ W_V
    ### END SOLUTION


# %% tags=["show"]
Q, K, V = project(X, W_Q, W_K, W_V)
print("Q\n", Q)
print("V\n", V)
print("furthest from the printed Q:", (Q - printed_Q).abs().max().item())
print("furthest from the printed K:", (K - printed_K).abs().max().item())
print("furthest from the printed V:", (V - printed_V).abs().max().item())

# %% [markdown]
# ## Scaled scores
#
# This part of the document does scale. Scoring and scaling belong together here, so your function
# does both: every query against every key, $(T_q, T_k)$, divided by the square root of the width
# of the keys:
#
# $$S = \frac{Q K^\top}{\sqrt{d}}$$
#
# With $d = 4$ the root is 2, and you can follow it in your head. The score of "I" with
# itself is 24.31 before and 12.15 after. Take $d$ from the tensor, not from your memory: a
# literal 2 is right for this sentence and wrong for the next model.
#
# These scores are wider apart than those of the NumPy run. The matrices come from a normal
# distribution, so scores have both signs: "learning" scores -13.40 with itself before scaling.
# A word does not have to like its own card.
#
# *In the document: "PyTorch: attention scores, scaled scores".*


# %%
def scaled_scores(Q: torch.Tensor, K: torch.Tensor) -> torch.Tensor:
    """Score every query against every key, divided by the square root of d.

    Args:
        Q: queries (Tq, d), float32.
        K: keys (Tk, d), float32; Tk may differ from Tq.

    Returns:
        scaled scores (Tq, Tk), float32; the entry (i, j) belongs to query i and key j.

    Source: "Using Numpy to Create self attention"
    """
    ### BEGIN SOLUTION
    return Q @ K.T / math.sqrt(K.shape[-1])
    ### END SOLUTION


# %% tags=["show"]
my_scaled_scores = scaled_scores(Q, K)
print(my_scaled_scores)
for number, word in ((0, "I"), (4, "learning")):
    score = (Q[number] @ K[number]).item()
    print(f"{word} with itself, before scaling: {score:.2f}")

# %% [markdown]
# ## Weights, one row per word
#
# Softmax again, row by row, shape $(T_q, T_k)$ as before. PyTorch brings a softmax that is stable
# by itself, so you need not shift anything. What you do have to say is along which dimension the
# weights add up to 1. Ask yourself who shares out attention: it is the query, and a query is a
# row.
#
# Even after scaling, some rows are nearly decided. "I" keeps 0.9996 for itself, since its scaled
# score of 12.15 is far ahead of 3.69, the next. "am" is less sure: 0.6878 for "engineer",
# 0.1489 for "I", and something for everybody else. Without the division by 2 every lead would be
# twice as long.
#
# Do not read any grammar into the drawing below. Nobody has trained these matrices; the pattern
# comes from chance. Training is what would turn it into one that serves the sentence.
#
# *In the document: "PyTorch: attention weights".*


# %%
def attention_weights(scaled_scores: torch.Tensor) -> torch.Tensor:
    """Turn each query's scaled scores into attention weights.

    Args:
        scaled_scores: (Tq, Tk), float32, row i holds the scores of query i.

    Returns:
        weights (Tq, Tk), float32; no weight is negative, each row sums to 1.

    Source: "Using Numpy to Create self attention"
    """
    ### BEGIN SOLUTION
    return torch.softmax(scaled_scores, dim=-1)
    ### END SOLUTION


# %% tags=["show"]
my_torch_weights = attention_weights(my_scaled_scores)
my_words = [index_words(sentence)[number] for number in range(len(my_indices))]
draw_weights({"attention weights": my_torch_weights.detach().numpy()}, my_words)
print("row sums:", my_torch_weights.sum(dim=-1).detach())

# %% [markdown]
# ## The output
#
# The mixture, for the last time: row $i$ of the weights blends the values into output $i$,
# $(T_q, T_k) \times (T_k, d) \rightarrow (T_q, d)$. Six words go in with four numbers each, six
# words come out with four numbers each, so a second layer of attention could follow at once.
#
# The weights tell you what to expect. "I" listened almost only to itself, so its output
# 1.278, -3.391, -3.088, 0.297 is close to its own value 1.277, -3.392, -3.089, 0.298. "am"
# listened to several words, so its output -1.629, -1.393, -0.329, 1.697 is nobody's value; it
# lies between them.
#
# Being between the values is a good test in general. Weights that are not negative and add up to
# 1 can never lead out of the range that the values span.
#
# *In the document: "PyTorch: final output".*


# %%
def attention_output(weights: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """Mix the values by the attention weights.

    Args:
        weights: attention weights (Tq, Tk), float32; row i belongs to query i.
        V: values (Tk, d), float32.

    Returns:
        output (Tq, d), float32; row i is the weighted sum of all values for query i.

    Source: "Using Numpy to Create self attention"
    """
    ### BEGIN SOLUTION
    return weights @ V
    ### END SOLUTION


# %% tags=["show"]
my_torch_output = attention_output(my_torch_weights, V)
print(tuple(my_torch_output.shape))
print(my_torch_output)

lowest, highest = V.min(dim=0).values, V.max(dim=0).values
inside = (my_torch_output >= lowest) & (my_torch_output <= highest)
print("all outputs within the range of the values:", inside.all().item())

# %% [markdown]
# ## Looking back
#
# Twice you went the same way: tokens, three projections, scores, weights, mixture. In NumPy you
# saw each number. In PyTorch you added the road from words to vectors, and every tensor can carry
# gradients.
#
# Three things are worth taking along.
#
# * **Shapes tell the story.** $(T, d_{in})$ becomes $(T, d)$ three times, then $(T, T)$, then
#   $(T, d)$ again. The table of pairs is the only place where tokens meet.
# * **Softmax sees differences.** That is why the largest score of a row can be subtracted without
#   any effect, and why dividing all scores has one.
# * **Attention weights are computed, matrices are learned.** Every sentence gets scores and
#   weights of its own; what training changes are the three matrices and the embedding.
