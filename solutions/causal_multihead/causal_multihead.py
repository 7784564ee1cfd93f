# %% [markdown]
# # Causal attention and several heads
#
# In `self_attention` every token looked at every token. A model that writes a text must not do
# that: while it learns to guess the next word, the next word must not lie open before it. In this
# notebook you hide the future, and then you let several attentions work side by side. At the end
# stands the class that sits inside models like GPT.
#
# There are seven steps. Each one is a small function or class with a check of its own. There are
# four assignments. Take them in this order: `numpy_attention`, `scaled_dot_product`,
# `self_attention`, `causal_multihead` (this one).
#
# The documents of the earlier assignments only announce what is built here. The outlook of
# "3.4 Implementing Self-Attention with Trainable Weights" says that causal attention and
# multi-head attention come next. So there are no printed numbers to reach. What you see below is
# computed while you read, by your own code.
#
# | letter | meaning | here |
# |---|---|---|
# | $B$ | number of sentences in a batch | 2 |
# | $T$ | number of tokens in a sentence | 6 |
# | $C$ | `context_length`: the most tokens that a module is made for | 6 or more |
# | $d_{in}$ | numbers in one embedding | 3 |
# | $d_{out}$ | numbers in one context vector | 4 in the last class |
# | $H$ | number of heads | 2 |
#
# The sentence is the one that you know, *Your journey starts with one step*. The second sentence
# of our batch is the same one, read backwards.

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
batch = torch.stack([inputs, inputs.flip(0)])

# %% tags=["show"]
words = ["Your", "journey", "starts", "with", "one", "step"]
print("one sentence:", tuple(inputs.shape), "  the batch:", tuple(batch.shape))
for number, sentence in enumerate((words, words[::-1])):
    print(f"sentence {number}:", *sentence)

# %% [markdown]
# ## One axis more
#
# A batch is a stack of sentences. Its tensor has shape $(B, T, d_{in})$, here $(2, 6, 3)$: first
# you choose a sentence, then a token, then one of its numbers. The sentences know nothing of each
# other. Whatever you compute for a batch must be what you would get sentence by sentence.
#
# Most of PyTorch is ready for this. A layer works on the last axis, and `@` multiplies the last
# two axes, one matrix product for each sentence. Two habits have to go:
#
# * `.T` turns *all* axes round. What you mean is: exchange the last two.
# * `dim=0` was "the first axis, down the rows". Now the first axis counts sentences. Count axes
#   from the end, where the meaning stays.
#
# | | one sentence | a batch |
# |---|---|---|
# | tokens | $(T, d_{in})$ | $(B, T, d_{in})$ |
# | queries, keys, values | $(T, d_{out})$ | $(B, T, d_{out})$ |
# | scores and weights | $(T, T)$ | $(B, T, T)$ |
# | context vectors | $(T, d_{out})$ | $(B, T, d_{out})$ |

# %% [markdown]
# ## Which keys lie in the future
#
# A row of the weights belongs to a query, a column to a key. Token $i$ may look at itself and at
# what came before it. It must not look at what comes after it:
#
# | query | may look at | hidden from it |
# |---|---|---|
# | *Your* | *Your* | the other five |
# | *journey* | *Your*, *journey* | the other four |
# | *step* | all six | nothing |
#
# So the hidden places form a triangle. A **mask** is the table of these places: `True` where the
# key comes after the query. It depends on nothing but the number of tokens, so one mask serves
# every sentence of the batch, every layer and every training step.
#
# `True` here means *hidden*. Other libraries use it for *visible*; that is a matter of agreement,
# and worth a second look whenever you meet a mask.


# %%
def causal_mask(length: int) -> torch.Tensor:
    """Say which keys each query must not see.

    Args:
        length: the number of tokens.
    Returns:
        A tensor of bool, shape (length, length): entry (i, j) is True where key j comes after
        query i. A token sees itself.
    """
    ### BEGIN SOLUTION
    return torch.ones(length, length, dtype=torch.bool).triu(diagonal=1)
    ### END SOLUTION


# %% tags=["show"]
import matplotlib.pyplot as plt

mask = causal_mask(6)
print("shape", tuple(mask.shape), " dtype", mask.dtype)
print("1 is hidden, 0 is visible; the keys of:", *words)
for word, row in zip(words, mask.int().tolist(), strict=True):
    print(f"query of {word:8}", *row)

figure, axes = plt.subplots(figsize=(4.5, 4))
axes.imshow(mask.int().tolist(), cmap="Greys", vmin=0, vmax=2)
axes.set_xticks(range(6), labels=words)
axes.set_yticks(range(6), labels=words)
axes.set_xlabel("key: the token that is asked")
axes.set_ylabel("query: the token that asks")
axes.set_title("the mask: grey is hidden")
figure.tight_layout()
plt.show()

# %% [markdown]
# ## First hide, then share out
#
# The weights of a row are shares of 1. If some keys are hidden, the visible ones must share out
# the whole 1 among themselves. There are two ways to get there wrong:
#
# * **Set the hidden weights to 0 afterwards.** Then the hidden keys have taken their shares
#   already, and the rest of the row no longer sums to 1.
# * **Set the hidden scores to 0 before the softmax.** A score of 0 is an ordinary score, and its
#   exponential is 1. The hidden keys keep a share.
#
# A share of exactly 0 needs an exponential of 0, and that is the one of minus infinity. So hidden
# scores become $-\infty$ before the softmax, and the softmax does the rest:
#
# $$\alpha_{ij} = \frac{\exp(s_{ij})}{\sum_{m \le i} \exp(s_{im})} \quad \text{for } j \le i,
# \qquad \alpha_{ij} = 0 \quad \text{for } j > i$$
#
# The first token sees itself alone, so its weight is 1, whatever the score. No row is hidden as a
# whole: a softmax of minus infinities only would be 0 divided by 0.
#
# Here is what comes out for our sentence. Without a mask, *journey* looks at all six tokens. Behind
# the mask it sees two, and takes 0.42 from *Your* and 0.58 from itself. The last row is the same in
# both tables, since nothing is hidden from *step*.
#
# The scores are scaled as before, by the square root of the width of a key. This function gets
# a batch, and a mask of shape $(T, T)$ that holds for each of its sentences. Write it so that
# further axes in front do no harm: at the end a batch will have one for the heads too.


# %%
def causal_weights(queries: torch.Tensor, keys: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Compute the attention weights of queries that do not see the keys behind the mask.

    The dots stand for any number of leading axes: (B, T, d_k) for sequences, (B, num_heads, T, d_k)
    for sequences with heads.

    Args:
        queries: shape (..., T, d_k).
        keys: shape (..., T, d_k).
        mask: bool, shape (T, T). It hides the scores where it is True, whatever mask it is: that of
            causal_mask, or another one.
    Returns:
        Attention weights of shape (..., T, T): softmax of the scores, which are divided by the
        square root of d_k. Hidden keys have the weight 0, and each row sums to 1.
    """
    ### BEGIN SOLUTION
    scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)
    ### END SOLUTION


# %% tags=["show"]
import matplotlib.pyplot as plt

everything = causal_weights(batch, batch, torch.zeros(6, 6, dtype=torch.bool))
causal = causal_weights(batch, batch, causal_mask(6))
print("the embeddings serve as queries and keys here; weights:", tuple(causal.shape))
for title, weights in (("without a mask", everything), ("with the mask", causal)):
    print(f"sentence 0, {title}, the keys of:", *words)
    for word, row in zip(words, weights[0].tolist(), strict=True):
        print(f"query of {word:8}", *(f"{weight:.2f}" for weight in row), f"  sum {sum(row):.2f}")

figure, both = plt.subplots(1, 2, figsize=(9, 4), sharey=True)
titles = ("without a mask", "with the mask")
for axes, title, weights in zip(both, titles, (everything, causal), strict=True):
    axes.imshow(weights[0].tolist(), cmap="Blues", vmin=0.0, vmax=1.0)
    axes.set_xticks(range(6), labels=words, rotation=45)
    axes.set_yticks(range(6), labels=words)
    axes.set_xlabel("key")
    axes.set_title(title)
    for row in range(6):
        for column in range(6):
            weight = float(weights[0, row, column])
            shade = "white" if weight > 0.6 else "black"
            axes.text(column, row, f"{weight:.2f}", ha="center", va="center", color=shade)
both[0].set_ylabel("query")
figure.tight_layout()
plt.show()

# %% [markdown] tags=["question"] points=4
# ## In your own words: why before the softmax?
#
# Somebody has written the softmax first and sets the hidden weights to 0 afterwards. The picture
# of the weights shows the right triangle. What is wrong with the numbers, which tokens suffer
# most, and what would have to be added to repair it? Does it matter for the gradients of the
# visible weights whether the hidden scores took part in the softmax?
#
# ### BEGIN SOLUTION
# The visible weights of a row sum to less than 1, because the hidden keys took their shares before
# they were removed. Early tokens suffer most: the first one sees one key of T, so it keeps about
# 1/T of its own value, and its context vector is too short by that factor. The last token is right.
#
# The repair is to divide each row by its sum once more. The exponentials of the hidden scores then
# cancel, and the numbers are those of a softmax behind minus infinity. Without that division each
# visible weight depends on the hidden scores through the common denominator: gradients reach the
# keys of later tokens, so that training uses exactly the information that the mask should hide.
# ### END SOLUTION
#
# === BEGIN MARK SCHEME ===
# * One mark: the rows no longer sum to 1.
# * One mark: early tokens lose most, the first one all but its own share; the last one is right.
# * One mark: the repair, a division of each row by its own sum (or minus infinity before).
# * One mark: the denominator contains the hidden scores, so later tokens still have influence, or
#   receive gradients. Saying only "information leaks" without the denominator earns half a mark.
# === END MARK SCHEME ===

# %% [markdown]
# ## Dropout, and a mask that belongs to the module
#
# Two things are new in the class.
#
# **Dropout.** In training, each attention weight is set to 0 with the probability `dropout`, and
# those that stay are divided by $1 - p$, so that the expected sum of a row stays 1. No token
# can then rely on one single other token. `nn.Dropout` does this in training (`module.train()`)
# and nothing at all otherwise (`module.eval()`). It acts on the **weights**, after the softmax:
# a dropped weight means that one look is not taken. Dropping scores would mean something else: a
# score of 0 is not a weight of 0.
#
# **A buffer.** The mask is no parameter: nothing about it is learned. But it belongs to the
# module. If the module moves to a graphics card, the mask must move too, and if the module is
# saved, the mask is saved with it. A tensor that is simply put on `self` does neither.
# `register_buffer` tells the module about it.
#
# | | learned | moves with the module | in `state_dict` |
# |---|---|---|---|
# | `nn.Parameter` | yes | yes | yes |
# | buffer | no | yes | yes |
# | plain tensor on `self` | no | no | no |
#
# The mask is made once, for $C$ tokens, where $C$ is `context_length`. A sentence may be shorter:
# with $T$ tokens the module uses the first $T$ rows and columns. This is right because the mask of
# $T$ tokens is the upper left corner of every larger one.
#
# The table below is a test that you can make with every causal module: change the last token, and
# see whose context vector moves. Only that of *step* may, here by 0.2646.


# %%
class CausalAttention(nn.Module):
    """Compute self-attention in which no token sees a later one, for a batch.

    Args:
        d_in: width of a token embedding.
        d_out: width of a query, key and value, and of a context vector.
        context_length: the largest number of tokens in a sentence.
        dropout: the probability with which an attention weight is dropped in training.
        qkv_bias: whether each of the three layers adds a bias of shape (d_out,).
    Attributes:
        W_query, W_key, W_value: nn.Linear layers from d_in to d_out.
        dropout: nn.Dropout, used on the attention weights.
        mask: a buffer, in the state_dict, that hides later keys from each of context_length
            queries. It is made in __init__, and forward uses it.
    Calling it with x of shape (B, T, d_in), where T is at most context_length, returns the
    context vectors, shape (B, T, d_out).
    """

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))
        ### END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        ### BEGIN SOLUTION
        length = x.shape[-2]
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = causal_weights(queries, keys, self.mask[:length, :length])
        return self.dropout(weights) @ values
        ### END SOLUTION


# %% tags=["show"]
torch.manual_seed(123)
attention = CausalAttention(3, 2, context_length=8, dropout=0.5).eval()
output = attention(batch).detach()
print("input:", tuple(batch.shape), " output:", tuple(output.shape))
for name, held in attention.state_dict().items():
    print(f"in the state_dict: {name:15} {tuple(held.shape)}")

changed = batch.clone()
changed[:, -1] += 1.0  # another last token
differs = (attention(changed).detach() - output).abs().amax(dim=-1)[0]
for word, difference in zip(words, differs.tolist(), strict=True):
    print(f"another last token moves the context vector of {word:8} by {difference:.4f}")
twice = [attention.train()(batch) for _ in range(2)]
print("in training two passes are equal:", twice[0].equal(twice[1]))

# %% [markdown]
# ## Several heads, the simple way
#
# One attention gives each token one row of weights: one way to share out its look at the others.
# But a word may matter to another one for several reasons at once, as its subject, as its rhyme,
# as its neighbour. **Multi-head attention** runs several attentions side by side. Each is called a
# *head*, and each has three layers of its own, so each can learn to look for something else.
#
# Every head gets the same tokens and gives context vectors of width $d_{out}$. They are put side
# by side, so that the result has the width $H \cdot d_{out}$:
#
# $$(B, T, d_{in}) \rightarrow H \text{ times } (B, T, d_{out}) \rightarrow (B, T, H \cdot d_{out})$$
#
# Side by side, not on top of each other, and not added up: what one head has found stays apart from
# what the others have found, and later layers can tell them apart.
#
# The heads belong into an `nn.ModuleList`. A plain Python list would work in `forward`, but the
# module would not know that the heads are parts of it: their parameters would not be trained, and
# not be saved.


# %%
class MultiHeadAttentionWrapper(nn.Module):
    """Run several CausalAttention heads and put their context vectors side by side.

    Args:
        d_in: width of a token embedding.
        d_out: width of the context vectors of one head.
        context_length: the largest number of tokens in a sentence.
        dropout: the probability with which an attention weight is dropped in training.
        num_heads: the number of heads.
        qkv_bias: whether the layers of each head add a bias.
    Attributes:
        heads: nn.ModuleList of num_heads CausalAttention modules.
    Calling it with x of shape (B, T, d_in) returns shape (B, T, num_heads * d_out): the context
    vectors of the first head, then those of the second, and so on.
    """

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)
            for _ in range(num_heads)
        )
        ### END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        ### BEGIN SOLUTION
        return torch.cat([head(x) for head in self.heads], dim=-1)
        ### END SOLUTION


# %% tags=["show"]
torch.manual_seed(123)
wrapper = MultiHeadAttentionWrapper(3, 2, context_length=6, dropout=0.0, num_heads=2)
output = wrapper(batch)
print("input:", tuple(batch.shape), " output:", tuple(output.shape))
alone = wrapper.heads[0](batch)
for title, vectors in (("both heads", output), ("head 0 alone", alone)):
    print(title)
    for word, vector in zip(words, vectors[0].tolist(), strict=True):
        print(f"{word:8}", *(f"{number:8.4f}" for number in vector))
print("parameters:", sum(parameter.numel() for parameter in wrapper.parameters()))

# %% [markdown]
# ## One large product in place of many small ones
#
# The wrapper multiplies the same tokens by a small matrix for each head, three times. A graphics
# card likes one large product better. So put the matrices of all heads side by side: one layer from
# $d_{in}$ to $d_{out}$ makes the queries of *all* heads at once. Then $d_{out}$ is the width of all
# heads together, and one head has the width $d_{out} / H$.
#
# What comes out of such a layer is one long row for each token, of which the first part belongs to
# the first head, the next part to the second. With 6 numbers and 2 heads:
#
# $$[\underbrace{q_0, q_1, q_2}_{\text{head } 0}, \underbrace{q_3, q_4, q_5}_{\text{head } 1}]$$
#
# **Splitting** cuts each row into its parts and gives the heads an axis of their own. The head axis
# must stand *before* the tokens, since `@` multiplies the last two axes, and these must be tokens
# and width for each head:
#
# $$(B, T, d) \rightarrow (B, T, H, d / H) \rightarrow (B, H, T, d / H)$$
#
# Both arrows are needed. Going to $(B, H, T, d / H)$ in one reshape gives the right shape too, and
# the wrong numbers: a reshape keeps the order in which numbers lie in memory, so the first "head"
# would get all the numbers of the first tokens instead of the first numbers of all tokens. Only
# an exchange of axes changes who stands where.


# %%
def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Cut the last axis into heads, and move the heads in front of the tokens.

    Args:
        x: shape (B, T, d), where num_heads divides d.
        num_heads: the number of heads.
    Returns:
        Shape (B, num_heads, T, d / num_heads): head h has the numbers from h * d / num_heads on
        of each token.
    """
    ### BEGIN SOLUTION
    batch_size, length, width = x.shape
    return x.reshape(batch_size, length, num_heads, width // num_heads).transpose(1, 2)
    ### END SOLUTION


# %% tags=["show"]
import matplotlib.pyplot as plt

rows = torch.arange(18).reshape(1, 3, 6)  # one sentence of 3 tokens with 6 numbers each
split = split_heads(rows, 2)
reshaped = rows.reshape(1, 2, 3, 3)
print("tokens", tuple(rows.shape))
for row in rows[0].tolist():
    print("   ", *(f"{number:2}" for number in row))
for title, heads in (("split_heads", split), ("only reshaped", reshaped)):
    print(title, tuple(heads.shape))
    for number, head in enumerate(heads[0].tolist()):
        for row in head:
            print(f"    head {number}:", *(f"{entry:2}" for entry in row))

figure, three = plt.subplots(1, 3, figsize=(10, 3.5), width_ratios=(6, 3, 3))
titles = ("tokens", "split_heads", "only reshaped")
stacked = (rows[0], split[0].flatten(0, 1), reshaped[0].flatten(0, 1))
for axes, title, numbers in zip(three, titles, stacked, strict=True):
    axes.imshow(numbers.tolist(), cmap="viridis", vmin=0, vmax=17)
    axes.set_title(title)
    axes.set_xticks([])
    axes.set_yticks(range(len(numbers)), labels=[f"row {row % 3}" for row in range(len(numbers))])
    for row, entries in enumerate(numbers.tolist()):
        for column, entry in enumerate(entries):
            shade = "white" if entry < 10 else "black"
            axes.text(column, row, str(entry), ha="center", va="center", color=shade)
for axes in three[1:]:
    axes.hlines(2.5, -0.5, 2.5, color="red")  # above it head 0, below it head 1
figure.tight_layout()
plt.show()

# %% [markdown]
# ## And back again
#
# After attention each head holds its context vectors, shape $(B, H, T, d / H)$. The next layer wants
# one row for each token again, with the parts of all heads side by side. **Merging** is splitting,
# backwards: first the axes are exchanged, then the last two become one.
#
# $$(B, H, T, d / H) \rightarrow (B, T, H, d / H) \rightarrow (B, T, d)$$
#
# One thing is special in PyTorch. An exchange of axes moves no number in memory; the tensor only
# remembers to read in another order. `view` cannot join axes of such a tensor and says so: the
# numbers do not lie one behind the other. `contiguous` copies them into a new order, and `reshape`
# does that by itself where it is needed.


# %%
def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Put the heads side by side again: the inverse of split_heads.

    Args:
        x: shape (B, H, T, w), the context vectors of H heads.
    Returns:
        Shape (B, T, H * w): for each token the vectors of all heads, one behind the other.
    """
    ### BEGIN SOLUTION
    return x.transpose(1, 2).flatten(start_dim=2)
    ### END SOLUTION


# %% tags=["show"]
print("split:", tuple(split.shape), " merged:", tuple(merge_heads(split).shape))
print("merged again, the tokens are as before:", merge_heads(split).equal(rows))
for row in merge_heads(split)[0].tolist():
    print("   ", *(f"{number:2}" for number in row))

# %% [markdown]
# ## Multi-head attention
#
# Now all parts are there:
#
# 1. three layers make the queries, keys and values of all heads;
# 2. `split_heads` gives each head its part;
# 3. `causal_weights` works on $(B, H, T, d_{out} / H)$ as it does on $(B, T, d_k)$, since it only
#    looks at the last two axes. The width for the scaling is that of one head;
# 4. dropout, and the product with the values;
# 5. `merge_heads`, and a last layer `out_proj` from $d_{out}$ to $d_{out}$, with a bias.
#
# | what | shape |
# |---|---|
# | `x` | $(B, T, d_{in})$ |
# | queries, keys, values | $(B, T, d_{out})$ |
# | the same, split | $(B, H, T, d_{out} / H)$ |
# | weights | $(B, H, T, T)$ |
# | context vectors of the heads | $(B, H, T, d_{out} / H)$ |
# | merged, and after `out_proj` | $(B, T, d_{out})$ |
#
# What is the last layer for? Up to here the heads have worked without knowing of each other: the
# first part of a row is from the first head alone. `out_proj` is the first place where what they
# have found can be mixed.
#
# The heads must have equal widths, so $d_{out}$ has to be divisible by the number of heads. Say so
# with a `ValueError` right where the module is made: an error about shapes, much later in `forward`,
# helps nobody.


# %%
class MultiHeadAttention(nn.Module):
    """Compute causal attention with several heads that share three layers, for a batch.

    Args:
        d_in: width of a token embedding.
        d_out: width of the result, and of the queries, keys and values of all heads together.
        context_length: the largest number of tokens in a sentence.
        dropout: the probability with which an attention weight is dropped in training.
        num_heads: the number of heads; it divides d_out.
        qkv_bias: whether each of the three layers adds a bias of shape (d_out,).
    Raises:
        ValueError: d_out is not divisible by num_heads.
    Attributes:
        W_query, W_key, W_value: nn.Linear layers from d_in to d_out.
        out_proj: nn.Linear layer from d_out to d_out, with a bias.
        dropout: nn.Dropout, used on the attention weights.
        mask: a buffer, in the state_dict, that hides later keys from each of context_length
            queries. It is made in __init__, and forward uses it.
    Calling it with x of shape (B, T, d_in), where T is at most context_length, returns shape
    (B, T, d_out).
    """

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share a width of {d_out}")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))
        ### END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        ### BEGIN SOLUTION
        length = x.shape[-2]
        queries = split_heads(self.W_query(x), self.num_heads)
        keys = split_heads(self.W_key(x), self.num_heads)
        values = split_heads(self.W_value(x), self.num_heads)
        weights = causal_weights(queries, keys, self.mask[:length, :length])
        return self.out_proj(merge_heads(self.dropout(weights) @ values))
        ### END SOLUTION


# %% tags=["show"]
import matplotlib.pyplot as plt

torch.manual_seed(123)
attention = MultiHeadAttention(3, 4, context_length=8, dropout=0.1, num_heads=2).eval()
output = attention(batch).detach()
print("input:", tuple(batch.shape), " output:", tuple(output.shape))
for word, vector in zip(words, output[0].tolist(), strict=True):
    print(f"{word:8}", *(f"{number:8.4f}" for number in vector))

# To see the weights, each token gets a mark of its own, and the values are nothing but the marks:
# then the context vector of a head lists how much of each token is in it.
marked = torch.cat([batch, torch.eye(6).expand(2, 6, 6)], dim=-1)
shows_weights = MultiHeadAttention(9, 12, context_length=6, dropout=0.0, num_heads=2)
with torch.no_grad():
    for layer in (shows_weights.W_query, shows_weights.W_key):
        layer.weight *= 5  # to see more
        layer.weight[:, 3:] = 0  # the marks are no part of queries and keys
    shows_weights.W_value.weight.copy_(torch.eye(9)[3:].repeat(2, 1))
    shows_weights.out_proj.weight.copy_(torch.eye(12))
    shows_weights.out_proj.bias.zero_()
    side_by_side = shows_weights(marked)[0]
of_heads = [side_by_side[:, :6].tolist(), side_by_side[:, 6:].tolist()]
print("attention weights of sentence 0, in a new module with queries and keys five times as large")
for number, weights in enumerate(of_heads):
    print(f"head {number}, the keys of:", *words)
    for word, row in zip(words, weights, strict=True):
        print(f"query of {word:8}", *(f"{weight:.2f}" for weight in row))

figure, both = plt.subplots(1, 2, figsize=(9, 4), sharey=True)
for number, (axes, weights) in enumerate(zip(both, of_heads, strict=True)):
    axes.imshow(weights, cmap="Blues", vmin=0.0, vmax=1.0)
    axes.set_xticks(range(6), labels=words, rotation=45)
    axes.set_yticks(range(6), labels=words)
    axes.set_xlabel("key")
    axes.set_title(f"weights of head {number}")
    for row in range(6):
        for column in range(6):
            shade = "white" if weights[row][column] > 0.6 else "black"
            share = f"{weights[row][column]:.2f}"
            axes.text(column, row, share, ha="center", va="center", color=shade)
both[0].set_ylabel("query")
figure.tight_layout()
plt.show()

# %% [markdown]
# ## Are the two multi-head classes the same?
#
# Nearly. Give the wrapper's heads the parts of the large matrices, leave `out_proj` out, and both
# compute the same numbers. The next cell does that: it copies the rows of each large weight that
# belong to a head into that head's layer, and compares. (A layer stores its matrix as
# $(d_{out}, d_{in})$, so the outputs of a head are *rows* of it.)

# %% tags=["show"]
import traceback

try:
    torch.manual_seed(123)
    together = MultiHeadAttention(3, 4, context_length=6, dropout=0.0, num_heads=2)
    apart = MultiHeadAttentionWrapper(3, 2, context_length=6, dropout=0.0, num_heads=2)
    with torch.no_grad():
        together.out_proj.weight.copy_(torch.eye(4))
        together.out_proj.bias.zero_()
        for number, head in enumerate(apart.heads):
            for name in ("W_query", "W_key", "W_value"):
                part = getattr(together, name).weight[2 * number : 2 * number + 2]
                getattr(head, name).weight.copy_(part)
    gap = (together(batch) - apart(batch)).detach().abs().max()
except (NameError, NotImplementedError) as error:
    [*_, (frame, _)] = traceback.walk_tb(error.__traceback__)
    missing = getattr(error, "name", None) or frame.f_code.co_qualname.split(".")[0]
    print(f"Not yet: {missing} is missing. Write it, run its cell, then run this cell again.")
else:
    print(f"largest difference of the two outputs: {float(gap):.4f}")
    for name, module in (("MultiHeadAttention", together), ("MultiHeadAttentionWrapper", apart)):
        count = sum(parameter.numel() for parameter in module.parameters())
        print(f"{name}: {count} parameters")

# %% [markdown]
# ## What you have built
#
# * A mask is a table of what is hidden. It acts on the scores, before the softmax, as minus infinity.
# * The first token sees itself alone, and the last one sees all. Nothing that comes later moves what
#   came before: that is why a model can be trained on all positions of a text at once.
# * A buffer is what a module owns and does not learn.
# * Heads are cut out of the last axis and moved in front of the tokens. A reshape alone would mix
#   tokens and heads, without any error.
# * `out_proj` is where the heads meet.
#
# A question to end with: your module recomputes all keys and values whenever a text grows by one
# token, although the mask says that none of the earlier ones can change. What could it remember?
