# %% [markdown]
# # Scaled dot-product attention, one function at a time
#
# In self-attention every token looks at every token of its own sequence and takes from each what
# it needs. How much it takes is computed, and the whole computation fits into one formula:
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# You will write each piece of it as a small function of its own. Keep an eye on the shapes:
#
# | what | shape | in this run |
# |---|---|---|
# | tokens | (T, d_model) | (10, 8) |
# | queries, keys, values | (T, d_k) | (10, 8) |
# | scores and weights | (T, T) | (10, 10) |
# | output | (T, d_k) | (10, 8) |
#
# The one odd-looking part is the square root. Half of this notebook is about why it is there, and
# about what it cannot do.
#
# Numbers to compare yours with come from "Demonstrating Scaled Dot-Product Attention &
# Self-Attention in Transformers". They have four decimals. Your last decimal may differ by one,
# because machines add float32 numbers in different orders. Rows and columns are counted from 0.
#
# There are four assignments. Take them in this order: `numpy_attention`, `scaled_dot_product`
# (this one), `self_attention`, `causal_multihead`.

# %%
import math

import torch
from torch import nn

# %% [markdown]
# ## Two sizes and a seed
#
# `d_model` is the width of a token: how many numbers describe it. Here it is 8.
#
# `max_sequence_length` is T, the number of tokens. Here it is 10. Real batches hold sentences of
# many lengths in one tensor, so a limit has to be fixed. Short sentences get padding up to the
# limit, and what goes beyond it is dropped. Our sequence has exactly 10 tokens and needs neither.
#
# T and `d_model` play different parts, and mixing them up is the most common slip in attention
# code. Whenever you are unsure about an axis, ask: does it count tokens, or does it count
# features?
#
# The seed makes the run repeatable. Setting it once puts PyTorch's random generator into a known
# state. Every random draw after that moves the generator on, so the order of the draws matters
# too.

# %%
d_model = 8
max_sequence_length = 10
seed = 42

# %% [markdown]
# ## Three projections
#
# A token has three jobs in attention. It asks (query), it can be found (key), and it has
# something to hand over (value). One vector is a poor fit for three jobs. So we learn three
# linear maps, and each job gets its own view of the token.
#
# A linear layer, `nn.Linear`, holds such a map: a weight matrix and a bias vector. Both are
# parameters, so training can change them. For an input row $x$ the layer gives $x W^\top + b$.
# Its `weight` has shape (features out, features in), here (8, 8). Its `bias` has shape (8,).
#
# In this run the layers keep their bias. Many large models leave it out; the formula works either
# way.
#
# A new layer fills itself with random numbers. Three layers made one after the other therefore
# get three different fillings, and another order gives other numbers. With the seed set just
# before, the weight of the query layer starts with 0.2703, 0.2935, -0.0828.
#
# *In the document: "Three linear layers for query, key and value".*


# %%
def make_projections(d_model: int) -> tuple[nn.Linear, nn.Linear, nn.Linear]:
    """Create the three linear layers that turn tokens into queries, keys and values.

    Create them one after the other, in the order query, key, value. Do not set a seed in here.

    Args:
        d_model: width of a token; each layer keeps this width.
    Returns:
        (w_query, w_key, w_value): three separate nn.Linear layers, float32, each with a weight of
        shape (d_model, d_model) and a bias of shape (d_model,).

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    ### BEGIN SOLUTION
    w_query = nn.Linear(d_model, d_model)
    w_key = nn.Linear(d_model, d_model)
    w_value = nn.Linear(d_model, d_model)
    return w_query, w_key, w_value
    ### END SOLUTION


# %% tags=["show"]
torch.set_printoptions(sci_mode=False, precision=4, linewidth=120)

torch.manual_seed(seed)
layers = make_projections(d_model)
for name, layer in zip(("query", "key", "value"), layers, strict=True):
    print(f"{name}: weight {tuple(layer.weight.shape)}, bias {tuple(layer.bias.shape)}")
print(layers[0].weight)

# %% [markdown]
# ## Tokens as random rows
#
# In a language model the rows of the input come from an embedding table. To study attention we do
# not need real words. Ten rows of random numbers will do: token $i$ is row $i$ of a (10, 8)
# tensor.
#
# The numbers are drawn from a standard normal distribution and then made ten times larger. That
# is far larger than what a trained model feeds its attention layers. It is done on purpose: with
# such loud tokens you can see plainly what goes wrong when scores get large.
#
# Your function must not set a seed. A function that resets the random generator for everybody
# else is a trap: call it twice and you get the same "random" tokens twice. The caller sets the
# seed, once.
#
# The run is: set the seed, make the projections, then make the tokens. Row 0 then starts with
# 13.0321, 4.8787, 11.3399.
#
# *In the document: "Random tokens, scaled by 10.0".*


# %%
def make_tokens(max_sequence_length: int, d_model: int, scale: float = 10.0) -> torch.Tensor:
    """Draw a sequence of random tokens from a normal distribution with mean 0.

    Use the random generator in its present state: no seed is set in here.

    Args:
        max_sequence_length: number of tokens T, the rows.
        d_model: width of a token, the columns.
        scale: standard deviation of every entry; 10.0 makes large tokens.
    Returns:
        tokens, shape (T, d_model), float32.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    ### BEGIN SOLUTION
    return torch.randn(max_sequence_length, d_model) * scale
    ### END SOLUTION


# %% tags=["show"]
torch.manual_seed(seed)
layers = make_projections(d_model)
tokens = make_tokens(max_sequence_length, d_model)
print("tokens", tuple(tokens.shape))
print(tokens)

# %% [markdown]
# ## Queries, keys and values
#
# Now each token goes through all three layers. From the (10, 8) tokens you get queries `q`, keys
# `k` and values `v`, each of shape (10, 8). Row $i$ of all three belongs to token $i$.
#
# The layers treat every row alike and on its own. No token has seen another one yet; that starts
# with the scores.
#
# All three come from the same tokens. This is what the word "self" in self-attention means. If
# the queries came from one sequence and the keys and values from another, you would have
# cross-attention, with the same formula.
#
# A layer knows its own weight and bias. Let it do its work as a whole: if you take only the
# weight out of it, the bias is lost.
#
# *In the document: "Linear transformations to `q`, `k` and `v`".*


# %%
def project(
    tokens: torch.Tensor, w_query: nn.Linear, w_key: nn.Linear, w_value: nn.Linear
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Turn tokens into queries, keys and values.

    Args:
        tokens: shape (T, d_model), float32.
        w_query: the linear layer (with bias) for queries.
        w_key: the linear layer (with bias) for keys.
        w_value: the linear layer (with bias) for values.
    Returns:
        (q, k, v): queries, keys and values, each of shape (T, d_k); here d_k = d_model.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    ### BEGIN SOLUTION
    return w_query(tokens), w_key(tokens), w_value(tokens)
    ### END SOLUTION


# %% tags=["show"]
q, k, v = project(tokens, *layers)
for name, projected in (("q", q), ("k", k), ("v", v)):
    print(name, tuple(projected.shape))

# %% [markdown]
# ## Raw scores
#
# How well does what token $i$ asks for fit what token $j$ offers? Take the dot product of query
# $i$ and key $j$: multiply the two rows number by number and add up the $d_k = 8$ products. A
# large positive sum says that they point the same way, a negative one that they point apart.
#
# There are 10 queries and 10 keys, so there are 100 such sums. All of them together are one
# matrix product, $Q K^\top$. The shapes say why one of the two has to be transposed: (10, 8)
# times (8, 10) gives (10, 10).
#
# The result has a reading direction. Row $i$ belongs to query $i$, column $j$ to key $j$. The
# matrix is not symmetric, because asking and being asked use different projections. Row 0 starts
# with -108.3274, 57.7419, 18.5742.
#
# *In the document: "Attention scores without scaling".*


# %%
def raw_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Score every query against every key by their dot product, unscaled.

    Args:
        q: queries, shape (Tq, d_k).
        k: keys, shape (Tk, d_k); in self-attention Tk = Tq = T.
    Returns:
        raw scores, shape (Tq, Tk): row i belongs to query i, column j to key j.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    ### BEGIN SOLUTION
    return q @ k.T
    ### END SOLUTION


# %% tags=["show"]
import matplotlib.pyplot as plt

raw = raw_scores(q, k).detach().float()
print("raw scores", tuple(raw.shape))
print(raw)

limit = raw.abs().max().item()
figure, axis = plt.subplots(figsize=(5, 4))
image = axis.imshow(raw.numpy(), cmap="RdBu_r", vmin=-limit, vmax=limit)
axis.set(xlabel="key j", ylabel="query i", title="raw scores")
figure.colorbar(image, ax=axis)
plt.show()

# %% [markdown]
# ## Why wide keys make loud scores
#
# Look at the size of the raw scores. They run from below -100 to above 180, although hardly any
# entry of `q` and `k` is larger than 15. Where does that come from?
#
# A score is a sum of $d_k$ products. Suppose that the entries of a query and a key are
# independent, with mean 0 and variances $\sigma_q^2$ and $\sigma_k^2$. Then each product has mean
# 0 and variance $\sigma_q^2 \sigma_k^2$. Variances of independent terms add up, so
#
# $$\mathrm{Var}(q \cdot k) = d_k \, \sigma_q^2 \, \sigma_k^2 .$$
#
# Two things make a score loud. One is the size of the entries. The other is $d_k$ itself: every
# further feature adds another random term. The variance grows like $d_k$, the typical score like
# $\sqrt{d_k}$.
#
# That is awkward. The width is a choice about how much a token can say. How extreme the
# scores are should not hang on it. Dividing by the typical size takes exactly this effect out.

# %% [markdown]
# ## What a saturated softmax does to gradients
#
# Why are loud scores bad? The next stage is softmax, and softmax reacts to *differences*. If one
# score lies 1 above another, its weight is about 2.7 times as large. If it lies 20 above, the
# other weight is practically 0. A row whose weight sits on a single key is called saturated.
#
# Saturation would be harmless if we only wanted an answer. But we want to train. If $w$ is the
# softmax of a row of scores $s$, a small change of score $j$ changes weight $i$ by
#
# $$\frac{\partial w_i}{\partial s_j} = w_i \, (\delta_{ij} - w_j),$$
#
# where $\delta_{ij}$ is 1 for $i = j$ and 0 otherwise. Put in a saturated row. If $w_i$ is 0, the
# first factor is 0. If $w_i$ is 1, the bracket is 0, for $j = i$ as for all others. Every
# derivative is (almost) 0. For comparison: a weight of one half has a derivative of one quarter,
# the most there is.
#
# So nothing flows back to the scores, and nothing to the query and key layers behind them. They
# stop learning, even if the one chosen key is the wrong one. A few cells below you will measure
# this.

# %% [markdown]
# ## Scaled scores
#
# The cure is one division. The typical score grows like $\sqrt{d_k}$, so divide every score by
# $\sqrt{d_k}$. The shape stays (10, 10), the sign stays, and in each row the ranking of the keys
# stays. Only the distances shrink.
#
# Take the right number: $d_k$ is the width of a key, the length of the sum. It is not T, the
# number of keys. Both are lengths of an axis of `k`, so look twice. In this run $d_k$ is equal to
# `d_model`, but your function should read it from its arguments. Then it also works for tensors
# of another width.
#
# And take the root: the variance grows like $d_k$, but a score is measured in the units of the
# standard deviation. After the division row 0 starts with -38.2995, 20.4149, 6.567.
#
# *In the document: "Attention scores, divided by the square root of d_model".*


# %%
def scaled_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Score every query against every key and scale the scores for the width of the keys.

    The scale is the square root of d_k, whatever d_k is.

    Args:
        q: queries, shape (Tq, d_k).
        k: keys, shape (Tk, d_k).
    Returns:
        scaled scores, shape (Tq, Tk): row i belongs to query i, column j to key j.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    ### BEGIN SOLUTION
    d_k = k.shape[-1]
    return raw_scores(q, k) / math.sqrt(d_k)
    ### END SOLUTION


# %% tags=["show"]
scaled = scaled_scores(q, k).detach().float()
print("scaled scores", tuple(scaled.shape))
print(scaled)
ratio = raw / scaled
print(f"raw / scaled: from {ratio.min().item():.4f} to {ratio.max().item():.4f}")

# %% [markdown]
# ## Variances, before and after
#
# Now measure what the scaling did. Take the variance over all entries of a tensor, regardless of
# rows and columns, and do so for `q`, `k`, the raw scores and the scaled scores.
#
# Use the unbiased variance: the sum of squared distances from the mean, divided by the number of
# entries minus one. For 100 scores the difference from dividing by 100 is one percent, which
# shows in the decimals.
#
# The run gives 21.7614 for `q` and 31.7007 for `k`. For the raw scores it is 3491.731, and for
# the scaled scores 436.4664. Two things to notice:
#
# * Before: the scores vary far more than the entries that they are made of. The law above would
#   promise even more. But queries and keys of the same ten tokens are not independent, and ten
#   tokens are few.
# * After: exactly an eighth. Dividing every number by $c$ divides the variance by $c^2$, and here
#   $c^2 = (\sqrt{8})^2 = 8$. This holds for any scores; nothing needs to be independent for it.
#
# *In the document: "How scaling affects the variance".*


# %%
def score_variances(q: torch.Tensor, k: torch.Tensor) -> dict[str, torch.Tensor]:
    """Measure how widely queries, keys and their scores are spread.

    Each variance is unbiased and taken over all entries of its tensor at once.

    Args:
        q: queries, shape (Tq, d_k).
        k: keys, shape (Tk, d_k).
    Returns:
        a dict with the keys "q", "k", "raw_scores" and "scaled_scores"; each value is one real
        number, a float or a tensor without axes.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    ### BEGIN SOLUTION
    before = raw_scores(q, k)
    after = scaled_scores(q, k)
    return {"q": q.var(), "k": k.var(), "raw_scores": before.var(), "scaled_scores": after.var()}
    ### END SOLUTION


# %% tags=["show"]
import matplotlib.pyplot as plt

with torch.no_grad():
    variances = score_variances(q, k)
for name, variance in variances.items():
    print(f"{name:>13}: {float(variance):10.4f}")
print(f"raw / scaled: {float(variances['raw_scores'] / variances['scaled_scores']):.4f}")

torch.manual_seed(0)
widths = [2, 8, 32, 128, 512]
drawn = [score_variances(torch.randn(200, width), torch.randn(200, width)) for width in widths]
for width, found in zip(widths, drawn, strict=True):
    before, after = float(found["raw_scores"]), float(found["scaled_scores"])
    print(f"d_k = {width:3}: raw scores {before:8.3f}, scaled scores {after:.3f}")

figure, axis = plt.subplots(figsize=(5, 4))
for name in ("raw_scores", "scaled_scores"):
    axis.loglog(widths, [float(found[name]) for found in drawn], marker="o", label=name)
axis.set(xlabel="d_k", ylabel="variance", title="independent entries with variance 1")
axis.legend()
plt.show()

# %% [markdown]
# ## Attention weights
#
# Scores are any numbers. To mix values you want shares: none negative, and 1 in sum. Softmax
# makes them. It takes the exponential of each score and divides by the sum of its row. Weights
# have the shape of the scores, (10, 10).
#
# Each *row* sums to 1, since a row is one query sharing out its attention over all keys. The
# columns need not: a popular key may collect far more than 1, another one nothing.
#
# Look at the result of this run. In row 0, key 7 gets 0.9628 and key 1 gets 0.0372. Row 3 gives
# key 9 all of it: 1.0. The softest row is row 4, and even there one key gets 0.7792. We did
# scale, and still the weights are almost one-hot!
#
# The scaling has done its duty: it took out the effect of $d_k$. But a variance of 436.4664 is
# left, a spread of about 21, where softmax is at ease with a spread of about 1. What is left
# comes from the tokens. Ten times larger tokens make queries and keys about ten times larger, and
# so scores about a hundred times. No $\sqrt{d_k}$ can know that. This is one reason why real
# models normalise their tokens before attention.
#
# *In the document: "Softmax: attention weights".*


# %%
def attention_weights(scores: torch.Tensor) -> torch.Tensor:
    """Turn scores into attention weights with softmax, one distribution for each query.

    Args:
        scores: scaled scores, shape (Tq, Tk): row i belongs to query i.
    Returns:
        weights, shape (Tq, Tk): no entry is negative, and every row sums to 1.
    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    ### BEGIN SOLUTION
    return torch.softmax(scores, dim=-1)
    ### END SOLUTION


# %% tags=["show"]
import matplotlib.pyplot as plt

weights = attention_weights(scaled.clone()).float()
print("weights", tuple(weights.shape))
print("row sums   ", weights.sum(dim=1))
print("column sums", weights.sum(dim=0))

print("\nmeans over the queries of the largest weight, and of its largest derivative by a score:")
variants = {"raw": raw, "scaled": scaled, "scaled / 10": scaled / 10, "scaled / 100": scaled / 100}
for name, variant in variants.items():
    largest = attention_weights(variant.clone()).amax(dim=1)
    steepest = (largest * (1 - largest)).mean().item()  # of a share by its own score
    print(f"{name:>12}: weight {largest.mean().item():.4f}, derivative {steepest:.4f}")

figure, axes = plt.subplots(1, 2, figsize=(9, 4))
for axis, name in zip(axes, ("scaled", "scaled / 100"), strict=True):
    shares = attention_weights(variants[name].clone())
    print(f"\nweights from {name}\n{shares}")
    image = axis.imshow(shares.numpy(), cmap="Blues", vmin=0, vmax=1)
    axis.set(xlabel="key j", ylabel="query i", title=f"weights from {name}")
    figure.colorbar(image, ax=axis)
plt.show()

# %% [markdown]
# ## The output
#
# Now the weights get to work. Output row $i$ is a weighted sum of *all* value rows, with row $i$
# of the weights as the shares:
#
# $$\mathrm{output}_i = \sum_j w_{ij} \, v_j .$$
#
# For all rows at once this is a matrix product again: (10, 10) times (10, 8) gives (10, 8). One
# new row per token, as wide as a value. Since the weights are shares, no entry of the output can
# be larger than the largest entry in the same column of `v`, or smaller than the smallest.
#
# A nearly one-hot row of weights hardly mixes at all; it picks. Rows 3 and 5 both give nearly
# everything to key 9, so both are nearly a copy of value 9. Compare their first numbers: 0.321
# and -5.0049 in row 3, 0.2835 and -5.0163 in row 5. Two different tokens, almost the same output.
# This is what saturation costs in the forward direction.
#
# *In the document: "Weighted sum of the values".*


# %%
def attention_output(weights: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Mix the values by the attention weights: one weighted sum of values for each query.

    Args:
        weights: attention weights, shape (Tq, Tk); every row sums to 1.
        v: values, shape (Tk, d_v); row j belongs to key j.
    Returns:
        output, shape (Tq, d_v): row i belongs to query i.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    ### BEGIN SOLUTION
    return weights @ v
    ### END SOLUTION


# %% tags=["show"]
output = attention_output(weights, v).detach()
print("output", tuple(output.shape))
print(output)
print("rows 3 and 5 of the output, then row 9 of the values:")
print(torch.stack([output[3], output[5], v[9].detach()]))

# %% [markdown]
# ## The whole in one function
#
# You have all the pieces; now put them in a row. From `q`, `k` and `v` the function makes scaled
# scores, from these the weights, and from the weights and `v` the output. It gives back both the
# output, shape (Tq, d_v), and the weights, shape (Tq, Tk), because the weights are what one wants
# to look at later.
#
# Build it from the functions that you have written. Each of them has a check of its own, so
# what is new here is the wiring: what goes where, and in which order. Scaling comes before
# softmax. After it, it would only make the rows sum to something other than 1.
#
# Note what the function does *not* take: the layers and the tokens. It has no parameters of its
# own. All that is learned sits in the three projections, and gradients reach them through this
# function.
#
# *In the document: "Self Attention: the formula".*


# %%
def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute scaled dot-product attention from queries, keys and values.

    Args:
        q: queries, shape (Tq, d_k).
        k: keys, shape (Tk, d_k).
        v: values, shape (Tk, d_v).
    Returns:
        (output, weights): the output of shape (Tq, d_v), and the attention weights of shape
        (Tq, Tk) that it was mixed with.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    ### BEGIN SOLUTION
    weights = attention_weights(scaled_scores(q, k))
    return attention_output(weights, v), weights
    ### END SOLUTION


# %% tags=["show"]
import matplotlib.pyplot as plt

figure, axes = plt.subplots(1, 3, figsize=(13, 4))
for axis, scale in zip(axes, (1.0, 3.0, 10.0), strict=True):
    torch.manual_seed(seed)
    fresh_layers = make_projections(d_model)
    fresh_tokens = make_tokens(max_sequence_length, d_model, scale)
    mixed, shares = scaled_dot_product_attention(*project(fresh_tokens, *fresh_layers))
    largest = shares.amax(dim=1).mean().item()
    print(
        f"scale {scale:4}: output {tuple(mixed.shape)}, mean of the largest weights {largest:.4f}"
    )
    print(shares.detach())
    image = axis.imshow(shares.detach().numpy(), cmap="Blues", vmin=0, vmax=1)
    axis.set(xlabel="key j", ylabel="query i", title=f"weights, token scale {scale}")
    figure.colorbar(image, ax=axis)
plt.show()

# %% [markdown] tags=["question"] points=4
# ## In your own words: to be on the safe side
#
# A colleague divides the raw scores by $d_k$ instead of $\sqrt{d_k}$, "to be on the safe side".
# The keys of their model are 512 wide, and at the start of training all entries of queries and
# keys are independent, with mean 0 and variance 1.
#
# How widely are the scores spread with this division, with $\sqrt{d_k}$, and with none? What do
# the attention weights look like in each of the three cases, and what does that mean for the
# output and for the gradients of the query and key layers?
#
# ### BEGIN SOLUTION
# Undivided, the variance is 512 and a typical score about 22.6. Rows are nearly one-hot, the
# output copies one value row picked by chance, and as each derivative $w_i (\delta_{ij} - w_j)$
# is close to 0, hardly anything flows back to the two layers.
#
# With the root the variance is 1. Some keys get a few times the weight of others, the output is a
# real mixture, and the derivatives are far from 0: training can strengthen or weaken any key.
#
# Divided by 512, the variance is 1 / 512 and a typical score 0.044. All weights are close to 1 / T,
# so that every query receives nearly the same row, the plain mean of the values: attention has no
# effect yet. The softmax is not saturated here, but the factor in front of each gradient of a query
# or key is 1 / 512 and no longer 1 / 22.6, so the two layers learn slowly until their weights have
# grown enough to make up for it. Being far too careful costs as well.
# ### END SOLUTION
#
# === BEGIN MARK SCHEME ===
# * One mark: the three variances, 512, 1 and 1 / 512 (or the spreads 22.6, 1 and 0.044).
# * One mark: one-hot, mixed and uniform weights, each given to the right case.
# * One mark: the outputs that follow: a copy of one value, a mixture, the mean of all values.
# * One mark: no division stops the gradients by saturation; too much division makes them small by
#   its own factor. Either reason alone earns half a mark.
# === END MARK SCHEME ===

# %% [markdown]
# ## What to take with you
#
# * Three linear layers give each token a query, a key and a value.
# * Scores compare every query with every key. Their variance grows in proportion to $d_k$.
# * Dividing by $\sqrt{d_k}$ divides the variance by $d_k$: from 3491.731 to 436.4664 for $d_k =
#   8$.
# * Softmax makes each row of scores a row of shares. Loud scores make it nearly one-hot, and then
#   hardly any gradient gets through.
# * The scaling answers for the width only. Tokens that are too large stay too large.
# * The output is a weighted sum of values, one row for each query.
#
# A question to end with: what would you have to change so that token 3 cannot see the tokens
# after it? You need to touch only one of your functions, and only before the softmax. That is a
# causal mask.
