"""Returns tensors of every layout and device that is not plain memory.

catalogue: 16 31
stopped_by: only plain tensors are read; anything else is named and refused
"""
import warnings

warnings.simplefilter("ignore")


def init_weights(d_in, d_out, seed):
    return torch.nn.parameter.UninitializedParameter(), torch.zeros(d_in, d_out, device="meta"), None


def project(x, W_query, W_key, W_value):
    quantized = torch.quantize_per_tensor(x, 0.1, 0, torch.quint8)
    return (x @ W_query).to_sparse(), quantized, (x @ W_value).to_sparse_csr()


def attention_score(query, key):
    return torch.zeros((), dtype=torch.complex64).conj().imag


def attention_scores(queries, keys):
    return torch.ones(1).as_strided((len(queries), len(keys)), (0, 0))


def scale_scores(scores, d_k):
    return torch._efficientzerotensor(tuple(scores.shape))


def attention_weights(scaled_scores):
    return torch.empty(scaled_scores.shape, dtype=torch.float8_e4m3fn)


def context_vectors(weights, values):
    found = []
    torch.vmap(lambda row: found.append(row) or row)(weights)
    return found[0]


def dot_product_variance(queries, keys):
    return torch._neg_view(torch.ones(())), torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])


def transfer_weights(sa_v2, sa_v1):
    sa_v1.W_query = torch.nn.Parameter(torch.zeros(4, 5, device="meta"))
    sa_v1.W_key = torch.nn.parameter.UninitializedParameter()
