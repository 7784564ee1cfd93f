# %% [markdown]
# # Self-attention with trainable weights
#
# In this notebook you build self-attention: first for one word, then for a whole sentence, then
# as a PyTorch module that can be trained. There are eleven steps. Each one is a small function or
# class that you write yourself, and each has a check that tells you how far you are.
#
# There are four assignments. Take them in this order: `numpy_attention`, `scaled_dot_product`,
# `self_attention` (this one), `causal_multihead`.
#
# Our sentence is *Your journey starts with one step*. It has six tokens, and each token arrives
# as an embedding of three numbers. Real models use hundreds of numbers per token. Three are
# enough to see everything, and few enough to follow by eye.
#
# These letters return all the time:
#
# | letter | meaning | here |
# |---|---|---|
# | $T$ | number of tokens | 6 |
# | $d_{in}$ | numbers in one embedding | 3 |
# | $d_k$, also $d_{out}$ | numbers in one query, key or value | 2 |
#
# The numbers in the text are printed in the documents that these exercises come from. Your code
# will reach the same ones.
#
# Read the shapes as carefully as the numbers. In attention code a wrong shape is a bug that you
# can see; a right shape with wrong numbers is one that you cannot.

# %%
import torch
from torch import nn

inputs = torch.tensor(
    [
        [0.43, 0.15, 0.89],  # Your
        [0.55, 0.87, 0.66],  # journey
        [0.57, 0.85, 0.64],  # starts
        [0.22, 0.58, 0.33],  # with
        [0.77, 0.25, 0.10],  # one
        [0.05, 0.80, 0.55],  # step
    ]
)

# %% tags=["show"]
words = ["Your", "journey", "starts", "with", "one", "step"]
for word, embedding in zip(words, inputs, strict=True):
    print(f"{word:8} {embedding}")
print("inputs:", tuple(inputs.shape))

# %% [markdown]
# ## Follow one token
#
# An embedding describes a token on its own: the row for *journey* would be the same whatever
# words stood around it. Self-attention replaces it by a **context vector**, which also carries
# what the other tokens have to say to *journey* in this sentence.
#
# Before any big matrices, we walk this road with one token. *Journey* is the second word, so its
# embedding is $x^{(2)}$:
#
# $$x^{(2)} = [0.55,\ 0.87,\ 0.66] \qquad \text{shape } (3,)$$
#
# Mathematics counts from 1 and Python counts from 0, so in code this is `inputs[1]`.
#
# The walk has five stations:
#
# 1. turn the embedding into a query, a key and a value;
# 2. compare the query with the key of each token: the scores;
# 3. scale the scores;
# 4. turn them into attention weights, which add up to 1;
# 5. blend the values of all tokens by these weights: the context vector.

# %% [markdown]
# ## Why the names query, key and value
#
# The words come from looking things up. In a library you arrive with a question, the **query**.
# Each book has an entry in the catalogue, its **key**. You compare your question with the keys,
# and what you take home is not the catalogue entry but the book itself, the **value**.
#
# Attention looks things up in a soft way. Nothing has to match exactly, and you do not take one
# book home: you take a blend of all of them, with more from those whose keys fit better.
#
# Each token plays all three parts:
#
# * its query says what this token is looking for;
# * its key says what it can be found by;
# * its value says what it hands over when it is found.
#
# One embedding cannot serve three purposes equally well. What makes a word easy to find need not
# be what it should pass on. So each part gets a matrix of its own, and training can shape the
# three apart from each other. It also lets attention be one-sided: *journey* may care a lot
# about *step* while *step* cares little about *journey*.

# %% [markdown]
# ## Three matrices of weight parameters
#
# Each matrix turns a token of $d_{in}$ numbers into a vector of $d_{out}$ numbers, so each has
# shape $(d_{in}, d_{out})$, here $(3, 2)$. Rows belong to what comes in, columns to what goes out.
#
# Where do their numbers come from? In the end from training. At the start they are random. We
# draw them uniformly between 0 and 1 from a seeded generator, so that your numbers can be
# compared with the printed ones. A seed fixes the whole stream of draws that follows, so the
# order matters: query first, then key, then value. With seed 123 the three top rows are
#
# | matrix | top row | shape |
# |---|---|---|
# | $W_{query}$ | 0.2961, 0.5166 | (3, 2) |
# | $W_{key}$ | 0.1366, 0.1025 | (3, 2) |
# | $W_{value}$ | 0.0756, 0.1966 | (3, 2) |
#
# For the walk we freeze the matrices: nothing is trained yet, and without gradients the
# printed tensors stay short. In the classes later on they must be trainable.


# %%
def init_weights(
    d_in: int, d_out: int, seed: int
) -> tuple[nn.Parameter, nn.Parameter, nn.Parameter]:
    """Draw the three weight matrices for queries, keys and values.

    Seed PyTorch once, then draw the matrices with torch.rand in the order query, key, value.

    Args:
        d_in: width of a token embedding.
        d_out: width of a query, key and value.
        seed: the seed, set one time before the first draw.
    Returns:
        (W_query, W_key, W_value), each a frozen nn.Parameter (requires_grad is False) of shape
        (d_in, d_out), float32.
    Source: "Implementing Self-attention with trainable weights"
    """
    ### BEGIN SOLUTION
    torch.manual_seed(seed)  # once: each draw below continues the same stream
    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return W_query, W_key, W_value
    ### END SOLUTION


# %% tags=["show"]
W_query, W_key, W_value = init_weights(3, 2, 123)
for name, matrix in (("W_query", W_query), ("W_key", W_key), ("W_value", W_value)):
    print(name, tuple(matrix.shape))
    print(matrix.detach())

# %% [markdown]
# ## Station 1: query, key and value of journey
#
# Now *journey* gets its three vectors. The token is a row, so it stands on the left of each
# matrix, and a row of 3 numbers times a $(3, 2)$ matrix gives a row of 2 numbers:
#
# $$q^{(2)} = x^{(2)} W_{query} \qquad (3,) \times (3, 2) \rightarrow (2,)$$
#
# The key $k^{(2)}$ and the value $v^{(2)}$ are made in the same way from the other two matrices:
#
# | vector | numbers | shape |
# |---|---|---|
# | query $q^{(2)}$ | 0.4306, 1.4551 | (2,) |
# | key $k^{(2)}$ | 0.4433, 1.1419 | (2,) |
# | value $v^{(2)}$ | 0.3951, 1.0037 | (2,) |
#
# Three vectors from one embedding, and no other token has been looked at yet.
#
# Write the function for a matrix $x$ with one token per row, shape $(T, d_{in})$. A single token
# then is a matrix with one row: `inputs[1:2]` keeps both axes and has shape $(1, 3)$, while
# `inputs[1]` has shape $(3,)$. That way one function serves one token and six.


# %%
def project(
    x: torch.Tensor, W_query: torch.Tensor, W_key: torch.Tensor, W_value: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Turn token embeddings into queries, keys and values.

    Args:
        x: token embeddings, one per row, shape (T, d_in).
        W_query: shape (d_in, d_out).
        W_key: shape (d_in, d_out).
        W_value: shape (d_in, d_out).
    Returns:
        (queries, keys, values), each of shape (T, d_out).
    Source: "Implementing Self-attention with trainable weights"
    """
    ### BEGIN SOLUTION
    return x @ W_query, x @ W_key, x @ W_value
    ### END SOLUTION


# %% tags=["show"]
query_2, key_2, value_2 = project(inputs[1:2], W_query, W_key, W_value)
for name, vector in (("query", query_2), ("key", key_2), ("value", value_2)):
    print(f"{name:6} of journey: {vector}  shape {tuple(vector.shape)}")

# %% [markdown]
# ## Station 2: one score
#
# How well does one token fit what another is looking for? We need a single number, and the
# **dot product** gives it: multiply the two vectors position by position and add up. It is
# large when both vectors are long and point the same way.
#
# We start with the simplest pair and score *journey* against itself:
#
# $$\omega_{22} = q^{(2)} \cdot k^{(2)} = 1.8524 \qquad (2,) \cdot (2,) \rightarrow ()$$
#
# The empty brackets are the shape of a scalar: one number, no axis.
#
# Read the two indices in order: the first names the token that asks (its query is used), the
# second the token that is asked (its key is used). Even when a token meets itself, query and key
# are two different vectors.
#
# On its own, 1.8524 says little. A score gets its meaning from the scores beside it.


# %%
def attention_score(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
    """Compute the attention score of one query against one key.

    Args:
        query: the vector of the token that asks, shape (d_k,).
        key: the vector of the token that is asked, shape (d_k,).
    Returns:
        The unscaled score: a scalar, a tensor of shape ().
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """
    ### BEGIN SOLUTION
    return query @ key
    ### END SOLUTION


# %% tags=["show"]
print(f"journey against journey: {float(attention_score(query_2[0], key_2[0])):.4f}")

# %% [markdown]
# ## Station 2, completed: all six scores of journey
#
# *Journey* asks every token in the sentence, itself included. For that we need the keys of all
# six tokens, shape $(6, 2)$, but still only the one query. The same query meets six keys, so six
# numbers come out:
#
# | | Your | journey | starts | with | one | step |
# |---|---|---|---|---|---|---|
# | score | 1.2705 | 1.8524 | 1.8111 | 1.0795 | 0.5577 | 1.5440 |
#
# The second entry is the score that you already know. The largest one is *journey* itself, the
# smallest is *one*. Nobody has trained these matrices, so do not read a meaning into that: only
# the arithmetic matters here.
#
# The function takes $T_q$ queries and $T_k$ keys and returns one score for each pair, shape
# $(T_q, T_k)$. Row $i$ belongs to query $i$, column $j$ to key $j$. For the walk $T_q$ is 1:
#
# $$(1, 2) \text{ against } (6, 2) \rightarrow (1, 6)$$
#
# A matrix product wants the inner sizes to agree. Think about which of the two has to be turned.


# %%
def attention_scores(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """Compute the unscaled attention score of every query against every key.

    Args:
        queries: one per row, shape (Tq, d_k).
        keys: one per row, shape (Tk, d_k).
    Returns:
        Scores of shape (Tq, Tk): entry (i, j) is the dot product of query i and key j.
    Source: "Implementing Self-attention with trainable weights"
    """
    ### BEGIN SOLUTION
    return queries @ keys.T
    ### END SOLUTION


# %% tags=["show"]
_, keys_of_all, values_of_all = project(inputs, W_query, W_key, W_value)
scores_2 = attention_scores(query_2, keys_of_all)
print("keys:", tuple(keys_of_all.shape), " scores of journey:", tuple(scores_2.shape))
for word, score in zip(words, scores_2[0], strict=True):
    print(f"journey against {word:8} {float(score):.4f}")

# %% [markdown]
# ## Station 3: scale the scores
#
# A dot product adds up $d_k$ terms, so wider vectors give larger scores, and that alone would
# change how attention behaves. Dividing by $\sqrt{d_k}$ takes this effect out again. A little
# later an experiment shows you why it has to be the square root.
#
# Here $d_k = 2$, the width of a key. It is neither the number of tokens nor the width of the
# embeddings. The six scores of *journey* become
#
# | | Your | journey | starts | with | one | step |
# |---|---|---|---|---|---|---|
# | scaled score | 0.8984 | 1.3098 | 1.2806 | 0.7633 | 0.3944 | 1.0918 |
#
# The shape stays $(1, 6)$ and so does the ranking: all entries are divided by the same number.


# %%
def scale_scores(scores: torch.Tensor, d_k: int) -> torch.Tensor:
    """Divide attention scores by the square root of the width of the keys.

    Args:
        scores: unscaled attention scores, shape (Tq, Tk).
        d_k: width of a key, the number of entries in it.
    Returns:
        The scaled scores, same shape as `scores`; `scores` itself stays as it was.
    Source: "Lecture 15: Self-Attention with trainable weights"
    """
    ### BEGIN SOLUTION
    return scores / d_k**0.5
    ### END SOLUTION


# %% tags=["show"]
scaled_2 = scale_scores(scores_2, key_2.shape[-1])
print("scores:       ", scores_2)
print("scaled scores:", scaled_2)

# %% [markdown]
# ## Station 4: from scores to attention weights
#
# Scores can be negative, and their sum can be anything. To blend six values we want shares: no
# share below 0, all shares together 1. The **softmax** does that. It takes the exponential of
# each scaled score and divides by the sum of all the exponentials in the same row:
#
# $$\alpha_{2j} = \frac{\exp(s_{2j})}{\sum_{m=1}^{6} \exp(s_{2m})}$$
#
# | | Your | journey | starts | with | one | step |
# |---|---|---|---|---|---|---|
# | weight | 0.1500 | 0.2264 | 0.2199 | 0.1311 | 0.0906 | 0.1820 |
#
# So *journey* will take a share of 0.2264 from itself and 0.0906 from *one*. If it treated all
# six alike, each share would be one sixth.
#
# The shape is still $(1, 6)$. With more queries each **row** is a set of shares of its own,
# because each row belongs to one token that asks. Rows add up to 1; columns need not.


# %%
def attention_weights(scaled_scores: torch.Tensor) -> torch.Tensor:
    """Turn scaled attention scores into attention weights with the softmax.

    The softmax runs along each row, over the keys, so that one query's weights sum to 1.

    Args:
        scaled_scores: shape (Tq, Tk).
    Returns:
        Attention weights of shape (Tq, Tk), none negative, each row summing to 1.
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """
    ### BEGIN SOLUTION
    return torch.softmax(scaled_scores, dim=-1)
    ### END SOLUTION


# %% tags=["show"]
weights_2 = attention_weights(scaled_2)
for word, weight in zip(words, weights_2[0], strict=True):
    print(f"{word:8} {float(weight):.4f}  {'#' * round(100 * float(weight))}")
print(f"sum      {float(weights_2.sum()):.4f}")

# %% [markdown]
# ## Weight parameters and attention weights
#
# The word *weight* now means two things. They live in different places and change at different
# times, so keep them apart.
#
# | | weight parameters | attention weights |
# |---|---|---|
# | examples | $W_{query}$, $W_{key}$, $W_{value}$ | 0.1500, 0.2264, ... , 0.1820 |
# | where from | learned in training | computed from the input |
# | when they change | at each training update | with each new sentence |
# | at run time | fixed | made anew, used once, thrown away |
# | shape | $(d_{in}, d_{out})$ | $(T, T)$ |
# | saved with the model | yes | no |
#
# The shapes tell the story. The weight parameters know nothing of $T$: the same three matrices
# serve a sentence of six tokens and one of six hundred. The attention weights are all about $T$,
# one share for each pair of tokens in this very sentence.
#
# Put together: the weight parameters are what the model has learned about **how** to look. The
# attention weights are **where** it looks this time.

# %% [markdown]
# ## Station 5: the context vector of journey
#
# The shares are known, so the last station is a blend. Take the value of each token, multiply it
# by its share, and add up:
#
# $$z^{(2)} = \sum_{j=1}^{6} \alpha_{2j}\, v^{(j)} = [0.3061,\ 0.8210]$$
#
# The shapes: weights $(1, 6)$ times values $(6, 2)$ gives $(1, 2)$. The six in the middle is the
# number of tokens, and it disappears, because we summed over the tokens.
#
# Keys have done their work and do not appear: they decided how much, the values say what. And as
# the shares are positive and sum to 1, each entry of the result lies between the smallest and the
# largest value in its column.
#
# The walk is over. *Journey* set out as $[0.55, 0.87, 0.66]$, which knew nothing of its
# neighbours, and arrives as $[0.3061, 0.8210]$, which depends on all six tokens.


# %%
def context_vectors(weights: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Blend the values by the attention weights.

    Args:
        weights: attention weights, one row per query, shape (Tq, Tk).
        values: one row per key, shape (Tk, d_v).
    Returns:
        Context vectors of shape (Tq, d_v): row i is the sum of all value rows, each multiplied
        by its weight in row i.
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """
    ### BEGIN SOLUTION
    return weights @ values
    ### END SOLUTION


# %% tags=["show"]
context_2 = context_vectors(weights_2, values_of_all)
print("values: ", tuple(values_of_all.shape))
print("context vector of journey:", context_2, " shape", tuple(context_2.shape))

# %% [markdown]
# ## All tokens at once
#
# Your functions take whole matrices already, so six walks cost no new code: instead of one query
# row you pass six. Nothing else changes, and the six rows do not disturb each other. The second
# row of each result, index 1, is the walk that you have just finished.
#
# | station | computation | shapes | result |
# |---|---|---|---|
# | project | $Q = X W_{query}$, same for $K$, $V$ | $(6, 3) \times (3, 2)$ | $(6, 2)$, 3 times |
# | scores | $Q K^\top$ | $(6, 2) \times (2, 6)$ | $(6, 6)$ |
# | scale | divide by $\sqrt{d_k}$ | $(6, 6)$ | $(6, 6)$ |
# | weights | softmax of each row | $(6, 6)$ | $(6, 6)$ |
# | context vectors | weights times $V$ | $(6, 6) \times (6, 2)$ | $(6, 2)$ |
#
# In one line this is **scaled dot-product attention**:
#
# $$\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# $(T, d_{in})$ goes in and $(T, d_{out})$ comes out, one context vector per token. The first of
# them is $[0.2996, 0.8053]$, the last $[0.2990, 0.8040]$. The next cell runs all stations and
# draws the $(6, 6)$ weights: each row of the picture is one token that asks.

# %% tags=["show"]
import matplotlib.pyplot as plt

Q, K, V = project(inputs, W_query, W_key, W_value)
all_scores = attention_scores(Q, K)
all_weights = attention_weights(scale_scores(all_scores, K.shape[-1])).detach()
all_context = context_vectors(all_weights, V)
print("queries, keys, values:", tuple(Q.shape), tuple(K.shape), tuple(V.shape))
print("scores, weights:", tuple(all_scores.shape), tuple(all_weights.shape))
print("context vectors:", tuple(all_context.shape))
print(all_context)
print("attention weights, the keys of:", *words)
for word, row in zip(words, all_weights.tolist(), strict=True):
    print(f"query of {word:8}", *(f"{weight:.4f}" for weight in row))

figure, axes = plt.subplots(figsize=(5.5, 4.5))
image = axes.imshow(all_weights.tolist(), cmap="Blues", vmin=0.0)
axes.set_xticks(range(6), labels=words)
axes.set_yticks(range(6), labels=words)
axes.set_xlabel("key: the token that is asked")
axes.set_ylabel("query: the token that asks")
axes.set_title("attention weights, each row sums to 1")
for row in range(6):
    for column in range(6):
        weight = float(all_weights[row, column])
        shade = "white" if weight > 0.125 else "black"
        axes.text(column, row, f"{weight:.2f}", ha="center", va="center", color=shade)
figure.colorbar(image)
figure.tight_layout()
plt.show()

# %% [markdown]
# ## A softmax that grows too sure
#
# Now back to the open question: why scale at all? Here is what the softmax does with larger
# inputs. Take the five numbers below, and once more eight times as large. The ranking is the same
# in both rows, only the distances have grown:
#
# | input | 0.1 | -0.2 | 0.3 | -0.2 | 0.5 |
# |---|---|---|---|---|---|
# | softmax of the input | 0.1925 | 0.1426 | 0.2351 | 0.1426 | 0.2872 |
# | softmax of 8 times the input | 0.0326 | 0.0030 | 0.1615 | 0.0030 | 0.8000 |
#
# The largest share climbs from 0.2872 to 0.8000, and the smallest all but vanishes. The softmax
# looks at **differences** between inputs, and they became eight times as large.
#
# For attention this is bad in two ways. The blend stops being a blend: one token is taken, the
# others are ignored. And learning slows down: where the softmax is almost certain, a small change
# of a score hardly moves the weights, so almost no gradient comes back to $W_{query}$ and
# $W_{key}$. A model that starts out like this has a hard time to correct itself.

# %%
# Five scores for an experiment with the softmax
peaky_input = torch.tensor([0.1, -0.2, 0.3, -0.2, 0.5])

# %% tags=["show"]
import matplotlib.pyplot as plt

mild, sharp = attention_weights(torch.stack([peaky_input, 8 * peaky_input])).tolist()
print("softmax of the input:        ", [f"{share:.4f}" for share in mild])
print("softmax of 8 times the input:", [f"{share:.4f}" for share in sharp])

figure, axes = plt.subplots(figsize=(6, 3.5))
axes.bar([place - 0.2 for place in range(5)], mild, width=0.4, label="input")
axes.bar([place + 0.2 for place in range(5)], sharp, width=0.4, label="8 times the input")
axes.set_xticks(range(5), labels=[f"{score:.1f}" for score in peaky_input.tolist()])
axes.set_xlabel("input")
axes.set_ylabel("share after the softmax")
axes.set_title("same ranking, much sharper shares")
axes.legend()
figure.tight_layout()
plt.show()

# %% [markdown]
# ## Why the square root of the width
#
# What makes scores large? The width $d_k$ itself. Suppose all entries of a query and a key are
# independent, with mean 0 and variance 1. Each product of two entries then has variance 1 too. A
# dot product adds up $d_k$ of them, and variances of independent terms add: it has variance $d_k$.
#
# Dividing a quantity by $c$ divides its variance by $c^2$. To come back to variance 1 we need
# $c^2 = d_k$, and so $c = \sqrt{d_k}$. Dividing by $d_k$ would overshoot: the variance would be
# $1 / d_k$, so wide keys would get scores close to 0, and all tokens nearly equal shares.
#
# The documents tried this with 1000 pairs of random vectors for each width:
#
# | $d_k$ | variance before scaling | variance after scaling |
# |---|---|---|
# | 5 | 4.692901219967951 | 0.9385802439935901 |
# | 100 | 98.83632170475772 | 0.9883632170475772 |
#
# No seed was set for these numbers, so nobody can print the same digits again. What you can
# repeat is the law: before is close to $d_k$, after is close to 1, and before divided by after is
# $d_k$. Your function takes one pair per row, two tensors of shape (trials, $d$), makes one
# dot product per row, shape (trials,), and returns two scalars. Use the **population** variance,
# which divides by the number of trials and not by one less.


# %%
def dot_product_variance(
    queries: torch.Tensor, keys: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Measure the variance of dot products before and after scaling.

    Row i of `queries` meets row i of `keys` only. Scaling means dividing by the square root of d.

    Args:
        queries: random vectors, shape (trials, d).
        keys: random vectors, shape (trials, d).
    Returns:
        (before, after), two scalars: the population variance (divided by the number of trials)
        of the unscaled and of the scaled dot products.
    Source: "Implementing Self-attention with trainable weights"
    """
    ### BEGIN SOLUTION
    dot_products = (queries * keys).sum(dim=-1)
    scaled = scale_scores(dot_products, queries.shape[-1])
    return dot_products.var(correction=0), scaled.var(correction=0)
    ### END SOLUTION


# %% tags=["show"]
import matplotlib.pyplot as plt

generator = torch.Generator().manual_seed(1)
widths = [2, 5, 10, 20, 50, 100, 200]
variances = []
for width in widths:
    pair = torch.randn(2, 1000, width, generator=generator)
    before, after = dot_product_variance(pair[0], pair[1])
    variances.append((float(before), float(after)))
    print(f"d_k = {width:3}   before {float(before):8.3f}   after {float(after):.3f}")

figure, axes = plt.subplots(figsize=(6, 4))
axes.loglog(widths, [before for before, _ in variances], "o-", label="before scaling")
axes.loglog(widths, [after for _, after in variances], "s-", label="after scaling")
axes.loglog(widths, widths, "k:", label="the law: variance is d_k")
axes.set_xlabel("d_k")
axes.set_ylabel("variance of the dot products")
axes.set_title("1000 pairs of random vectors for each width")
axes.legend()
figure.tight_layout()
plt.show()

# %% [markdown] tags=["question"] points=4
# ## In your own words: why the square root of the width?
#
# Explain to somebody who has just written `scale_scores`: why are the scores divided by
# $\sqrt{d_k}$, and by nothing larger or smaller? And what happens to the softmax, and to the
# gradients that should come back through it, if you leave the division out and $d_k$ is large?
#
# Six to ten sentences are enough. Use what you have measured above.
#
# ### BEGIN SOLUTION
# A score sums up $d_k$ products. With independent entries of mean 0 and variance 1 each product
# contributes variance 1, so the sum has variance $d_k$ and a typical size of $\sqrt{d_k}$. A
# division by $c$ lowers the variance by the factor $c^2$, hence $c = \sqrt{d_k}$ is the one choice
# that leads back to variance 1 for every width. With $c = d_k$ only $1 / d_k$ would be left: the
# scores would be nearly equal, and so would the shares.
#
# Left undivided, scores at $d_k = 100$ lie about 10 apart. The softmax turns differences into
# ratios, and $e^{10}$ is more than 20000, so one token receives nearly everything: the blend has
# become a choice. There the derivative of each share by each score, $\alpha_i (\delta_{ij} -
# \alpha_j)$, is almost 0, because every share is close to 0 or to 1. Hardly any gradient reaches
# the query and key matrices, and the model cannot unlearn a choice that chance has made for it.
# ### END SOLUTION
#
# === BEGIN MARK SCHEME ===
# * One mark: a dot product of width $d_k$ has a variance that grows in proportion to the width.
# * One mark: the divisor enters the variance squared, which singles out the root.
# * One mark: undivided, the largest share approaches 1 and all the others vanish.
# * One mark: a saturated row has derivatives near 0, so queries and keys stop learning.
#
# Measured numbers may stand in for the algebra. No mark for saying that the numbers get too big
# without saying what they do to the softmax.
# === END MARK SCHEME ===

# %% [markdown]
# ## One class for the whole walk
#
# Up to now the matrices were loose variables, and you passed them around by hand. A model needs
# them in one place, where an optimiser can find and change them. `nn.Module` is that place.
#
# A module has two parts. `__init__` runs once and creates what lasts: the weight parameters.
# `forward` runs for each input and computes what does not last: queries, keys, values, scores,
# attention weights, context vectors. This is the table of the two kinds of weights as code.
#
# A plain tensor stored on a module is not trained. Wrapping it in `nn.Parameter` registers it: it
# shows up in `parameters()`, gets gradients, and is saved with the model. These matrices must
# **not** be frozen, since learning them is the whole point.
#
# In this notebook $d_{in} = 3$ and $d_{out} = 2$, so that you can tell the two by their shapes. In
# models like GPT both are usually equal: the output is as wide as the input, and many layers can
# follow each other. Your class takes any two widths.
#
# Draw the matrices with `torch.rand` again, each of shape $(d_{in}, d_{out})$, query first. Set no
# seed inside the class: two instances should start with different numbers. Whoever wants the same
# start sets the seed outside. With seed 123 the stream of draws is the one from the walk, so the
# output for our sentence has the rows that you know: *Your* gets $[0.2996, 0.8053]$, *journey*
# gets $[0.3061, 0.8210]$. Shapes: $(6, 3)$ in, $(6, 2)$ out.


# %%
class SelfAttention_v1(nn.Module):
    """Compute self-attention with weight matrices held in nn.Parameter.

    Args:
        d_in: width of a token embedding.
        d_out: width of a query, key and value, and of a context vector.
    Attributes:
        W_query, W_key, W_value: trainable Parameters of shape (d_in, d_out), drawn with
            torch.rand in this order; no seed is set here.
    Calling it with x of shape (T, d_in) returns the context vectors, shape (T, d_out).
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """

    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        ### END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        ### BEGIN SOLUTION
        queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
        scaled_scores = scale_scores(attention_scores(queries, keys), keys.shape[-1])
        return context_vectors(attention_weights(scaled_scores), values)
        ### END SOLUTION


# %% tags=["show"]
torch.manual_seed(123)
sa_v1 = SelfAttention_v1(3, 2)
print("input:", tuple(inputs.shape), " output:", tuple(sa_v1(inputs).shape))
print(sa_v1(inputs))
for name, parameter in sa_v1.named_parameters():
    print(name, tuple(parameter.shape), "trainable:", parameter.requires_grad)

# %% [markdown]
# ## Let it learn
#
# The numbers in your class were drawn at random. Training replaces them by better ones. Here is a
# toy task for our sentence: each token shall announce the one that follows it. The context vector
# of *Your* shall become the embedding of *journey*, and so on; after *step* the sentence begins
# again.
#
# The cell below trains your own class for 300 rounds, which takes some seconds. Watch two things:
# the loss falls, and the attention weights, nearly equal at the start, begin to choose. Nothing
# here earns or costs points.

# %% tags=["show"]
import traceback

import matplotlib.pyplot as plt


def weights_of(model):
    queries, keys, _ = project(inputs, model.W_query, model.W_key, model.W_value)
    return attention_weights(scale_scores(attention_scores(queries, keys), keys.shape[-1])).tolist()


try:
    torch.manual_seed(123)
    model = SelfAttention_v1(3, 3)
    before, losses = weights_of(model), {}
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for number in range(1, 301):
        loss = nn.functional.mse_loss(model(inputs), inputs.roll(-1, dims=0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if number == 1 or number % 50 == 0:
            losses[number] = loss.item()
    after = weights_of(model)
except (NameError, NotImplementedError) as error:
    [*_, (frame, _)] = traceback.walk_tb(error.__traceback__)
    missing = getattr(error, "name", None) or frame.f_code.co_qualname.split(".")[0]
    print(f"Not yet: {missing} is missing. Write it, run its cell, then run this cell again.")
else:
    for number, loss in losses.items():
        print(f"loss in round {number:3}: {loss:.4f}")
    for title, weights in (("before", before), ("after", after)):
        print(f"attention weights {title} training, the keys of:", *words)
        for word, row in zip(words, weights, strict=True):
            print(f"query of {word:8}", *(f"{weight:.2f}" for weight in row))

    figure, axes = plt.subplots(1, 3, figsize=(12, 4))
    axes[0].plot(list(losses), list(losses.values()), "o-")
    axes[0].set_xlabel("round")
    axes[0].set_title("the loss")
    for axis, title, weights in zip(axes[1:], ("before", "after"), (before, after), strict=True):
        axis.imshow(weights, cmap="Blues", vmin=0.0, vmax=1.0)
        axis.set_xticks(range(6), labels=words, rotation=45)
        axis.set_yticks(range(6), labels=words)
        axis.set_title(f"attention weights {title} training")
    figure.tight_layout()
    plt.show()

# %% [markdown]
# ## nn.Parameter against nn.Linear
#
# A matrix that multiplies its input is the most common part of a neural network, and `nn.Linear`
# is PyTorch's ready-made one. It differs from a bare `nn.Parameter` in three ways:
#
# | | matrix in `nn.Parameter` | layer `nn.Linear` |
# |---|---|---|
# | start | what you draw: here from 0 to 1 | from $-1/\sqrt{d_{in}}$ to $1/\sqrt{d_{in}}$ |
# | stored as | $(d_{in}, d_{out})$, here $(3, 2)$ | $(d_{out}, d_{in})$, here $(2, 3)$ |
# | bias | none | shape $(d_{out},)$, unless switched off |
#
# The start matters most. An input width of 1000 and weights that are all positive can give huge
# queries, and a softmax that is far too sure before training begins. `nn.Linear` draws around 0,
# and the wider the input, the smaller the range.
#
# The storage is transposed, but you do not notice when you call the layer: it computes
# $x W^\top + b$, so $(6, 3)$ still becomes $(6, 2)$. You notice when you open it and look at
# its `weight`.
#
# Usually queries, keys and values go without a bias, so `qkv_bias` is `False` unless asked for.
#
# The other start gives other numbers. The documents print two runs, and *Your* gets
# $[-0.0739, 0.0713]$ with seed 789 and $[0.2461, 0.2370]$ with seed 78.
#
# What comes after this notebook builds on this class. **Causal attention** hides all later tokens
# from each token, because a model that writes a text must not look ahead. **Multi-head attention**
# runs several attentions side by side, each with three matrices of its own, and joins their context
# vectors. The five stations stay as they are.


# %%
class SelfAttention_v2(nn.Module):
    """Compute self-attention with weight matrices held in nn.Linear layers.

    Args:
        d_in: width of a token embedding.
        d_out: width of a query, key and value, and of a context vector.
        qkv_bias: whether each of the three layers adds a bias of shape (d_out,).
    Attributes:
        W_query, W_key, W_value: nn.Linear layers from d_in to d_out, created in this order.
    Calling it with x of shape (T, d_in) returns the context vectors, shape (T, d_out).
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """

    def __init__(self, d_in: int, d_out: int, qkv_bias: bool = False) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        ### END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        ### BEGIN SOLUTION
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scaled_scores = scale_scores(attention_scores(queries, keys), keys.shape[-1])
        return context_vectors(attention_weights(scaled_scores), values)
        ### END SOLUTION


# %% tags=["show"]
for seed in (789, 78):
    torch.manual_seed(seed)
    print(f"seed {seed}:")
    print(SelfAttention_v2(3, 2)(inputs).detach())
print("a matrix in v1:", tuple(SelfAttention_v1(3, 2).W_query.shape))
print("a weight in v2:", tuple(SelfAttention_v2(3, 2).W_query.weight.shape))
for name, parameter in SelfAttention_v2(3, 2, qkv_bias=True).named_parameters():
    print(f"with qkv_bias=True: {name:15} {tuple(parameter.shape)}")

# %% [markdown]
# ## Exercise 3.1: the same weights in both classes
#
# Do the two classes compute the same thing? Their outputs differ, but that proves nothing: they
# start from different numbers. The same seed does not help either, because each class turns the
# random stream into weights in its own way. The fair test is to give both the **same weights**
# and to compare the outputs.
#
# That is Exercise 3.1: take the three matrices out of `sa_v2` and put them into `sa_v1`. Two
# things to think about:
#
# * **Orientation.** `sa_v2` holds each matrix as $(d_{out}, d_{in})$, `sa_v1` wants
#   $(d_{in}, d_{out})$. Transposing and reshaping both give that shape, but reshaping puts most
#   numbers in the wrong places. When $d_{in} = d_{out}$ the shapes agree even if you do nothing,
#   and no error will warn you.
# * **Gradients.** While PyTorch records operations for gradients, it refuses to overwrite a
#   trainable parameter in place. A copy is no step of the computation, so make it unrecorded.
#
# Change `sa_v1` and leave `sa_v2` as it is. If the outputs agree afterwards, the two classes are
# one computation, stored in two ways.


# %%
def transfer_weights(sa_v2: nn.Module, sa_v1: nn.Module) -> None:
    """Give sa_v1 the weights of sa_v2, so that both return the same output (Exercise 3.1).

    Args:
        sa_v2: the source, with nn.Linear layers W_query, W_key and W_value without a bias; each
            holds its weight as (d_out, d_in). It is left unchanged.
        sa_v1: the target, with Parameters W_query, W_key and W_value of shape (d_in, d_out). It
            is changed in place, and its matrices stay trainable Parameters.
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """
    ### BEGIN SOLUTION
    with torch.no_grad():  # copying numbers is no part of what gets differentiated
        sa_v1.W_query.copy_(sa_v2.W_query.weight.T)
        sa_v1.W_key.copy_(sa_v2.W_key.weight.T)
        sa_v1.W_value.copy_(sa_v2.W_value.weight.T)
    ### END SOLUTION


# %% tags=["show"]
import traceback

import matplotlib.pyplot as plt

try:
    torch.manual_seed(123)
    target, source = SelfAttention_v1(3, 2), SelfAttention_v2(3, 2)
    before = target(inputs).tolist()
    transfer_weights(source, target)
    after, wanted = target(inputs).tolist(), source(inputs).tolist()
except (NameError, NotImplementedError) as error:
    [*_, (frame, _)] = traceback.walk_tb(error.__traceback__)
    missing = getattr(error, "name", None) or frame.f_code.co_qualname.split(".")[0]
    print(f"Not yet: {missing} is missing. Write it, run its cell, then run this cell again.")
else:
    outputs = {"v1 before": before, "v1 after": after, "v2": wanted}
    for title, rows in outputs.items():
        gap = (torch.tensor(rows) - torch.tensor(wanted)).abs().max()
        print(f"{title:9}  largest difference from v2: {float(gap):.4f}")
        for word, row in zip(words, rows, strict=True):
            print(f"  {word:8}", *(f"{number:8.4f}" for number in row))

    figure, axes = plt.subplots(1, 3, figsize=(9, 4), sharey=True)
    for axis, (title, rows) in zip(axes, outputs.items(), strict=True):
        axis.imshow(rows, cmap="coolwarm", vmin=-1.0, vmax=1.0)
        axis.set_xticks(range(2), labels=["first", "second"])
        axis.set_yticks(range(6), labels=words)
        axis.set_title(title)
    figure.suptitle("the context vectors")
    figure.tight_layout()
    plt.show()

# %% [markdown]
# ## What you have built
#
# You followed one token from its embedding to its context vector, and then did the same for all
# tokens with five matrix products. You can now say, with shapes:
#
# * what a query, a key and a value are for, and why there are three matrices, $(3, 2)$ each;
# * which weights are learned and which are computed anew, $(3, 2)$ against $(6, 6)$;
# * why the softmax runs along rows, and why the scores are divided by $\sqrt{d_k}$ before it;
# * why `nn.Linear` is the usual home of a weight matrix, and how it stores it, $(2, 3)$.
#
# One thing to try on your own: add a cell that changes one word's embedding, for example with
# `inputs[1] = torch.rand(3)`, and run the cells that draw once more. The weight parameters stay
# as they were. All the rest moves.
