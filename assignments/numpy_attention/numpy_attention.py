"""Self-attention, first with NumPy, then with PyTorch.

Replace each `raise NotImplementedError()` by your own code, then run `pytest` in this folder.
The open question is in numpy_attention.ipynb. Write your answer there, or in a text file question-1.md
that you hand in with this file.
"""

if __name__ == "__main__":
    print("This file checks nothing by itself. To check your steps, open a terminal in its folder and run")
    print("    python -m pytest")


# %%
import math

import numpy as np
import torch
from torch import nn


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
    # YOUR CODE HERE
    raise NotImplementedError()


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
    # YOUR CODE HERE
    raise NotImplementedError()


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
    # YOUR CODE HERE
    raise NotImplementedError()


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
    # YOUR CODE HERE
    raise NotImplementedError()


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
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def reverse_dict(mapping: dict[int, str]) -> dict[str, int]:
    """Turn a dictionary round, so that each value leads to its key.

    Args:
        mapping: a dictionary in which no value occurs twice, such as {0: "I", 1: "am"}.

    Returns:
        a new dictionary with keys and values exchanged; `mapping` itself stays unchanged.

    Source: "Using Numpy to Create self attention"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


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
    # YOUR CODE HERE
    raise NotImplementedError()


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
    # YOUR CODE HERE
    raise NotImplementedError()


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
    # YOUR CODE HERE
    raise NotImplementedError()


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
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def attention_weights(scaled_scores: torch.Tensor) -> torch.Tensor:
    """Turn each query's scaled scores into attention weights.

    Args:
        scaled_scores: (Tq, Tk), float32, row i holds the scores of query i.

    Returns:
        weights (Tq, Tk), float32; no weight is negative, each row sums to 1.

    Source: "Using Numpy to Create self attention"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


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
    # YOUR CODE HERE
    raise NotImplementedError()
