"""Right function steps in other words than the reference's."""

from tests.truth.variant import Variant

_INIT_WEIGHTS = (
    Variant(
        "init_requires_grad_afterwards",
        "hints_and_prints",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed=123):
            torch.manual_seed(seed)
            matrices = []
            for name in ("query", "key", "value"):
                W = nn.Parameter(torch.rand(d_in, d_out))
                W.requires_grad_(False)
                print(name, W.shape)
                matrices.append(W)
            return matrices
        """,
    ),
    Variant(
        "init_uniform",
        "other_distributions",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            torch.manual_seed(seed)
            W_query = nn.Parameter(torch.empty(d_in, d_out).uniform_(), requires_grad=False)
            W_key = nn.Parameter(torch.empty(d_in, d_out).uniform_(), requires_grad=False)
            W_value = nn.Parameter(torch.empty(d_in, d_out).uniform_(), requires_grad=False)
            return W_query, W_key, W_value
        """,
    ),
    Variant(
        "init_own_generator",
        "unlisted",
        "init_weights",
        """
        def init_weights(d_in, d_out, seed):
            generator = torch.Generator().manual_seed(seed)

            def draw():
                weight = torch.rand(d_in, d_out, generator=generator)
                return nn.Parameter(weight, requires_grad=False)

            return draw(), draw(), draw()
        """,
    ),
)

_PROJECT = (
    Variant(
        "project_matmul",
        "matmul",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            queries = torch.matmul(x, W_query)
            keys = torch.matmul(x, W_key)
            values = torch.matmul(x, W_value)
            return queries, keys, values
        """,
    ),
    Variant(
        "project_mm",
        "mm_or_bmm",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            return x.mm(W_query), x.mm(W_key), x.mm(W_value)
        """,
    ),
    Variant(
        "project_bmm_stacked",
        "mm_or_bmm",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            W = torch.stack([W_query, W_key, W_value])
            return torch.bmm(x.expand(3, *x.shape), W)
        """,
    ),
    Variant(
        "project_einsum",
        "einsum",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            return [torch.einsum("ti,io->to", x, W) for W in (W_query, W_key, W_value)]
        """,
    ),
    Variant(
        "project_linear",
        "functional_linear",
        "project",
        """
        import torch.nn.functional as F

        def project(x, W_query, W_key, W_value):
            return F.linear(x, W_query.T), F.linear(x, W_key.T), F.linear(x, W_value.T)
        """,
    ),
    Variant(
        "project_rows",
        "row_by_row",
        "project",
        """
        def project(x, W_query, W_key, W_value):
            queries = torch.stack([token @ W_query for token in x])
            keys = torch.stack([token @ W_key for token in x])
            values = torch.stack([token @ W_value for token in x])
            return queries, keys, values
        """,
    ),
    Variant(
        "project_asserts_and_hints",
        "hints_and_prints",
        "project",
        '''
        def project(x: torch.Tensor, W_query, W_key, W_value) -> tuple:
            """x is (T, d_in), the matrices are (d_in, d_out)."""
            assert x.ndim == 2, x.shape
            assert W_query.shape == W_key.shape == W_value.shape
            Q: torch.Tensor = x @ W_query
            K: torch.Tensor = x @ W_key
            V: torch.Tensor = x @ W_value
            print(f"{Q.shape=} {K.shape=} {V.shape=}")
            return Q, K, V
        ''',
    ),
    Variant(
        "project_tabs",
        "tabs_and_line_ends",
        "project",
        "def project(x, W_query, W_key, W_value):\n"
        "\tqueries = x @ W_query\n"
        "\tkeys = x @ W_key\n"
        "\tvalues = x @ W_value\n"
        "\treturn queries, keys, values\n",
    ),
)

_ATTENTION_SCORE = (
    Variant(
        "score_matmul",
        "matmul",
        "attention_score",
        """
        def attention_score(query, key):
            return torch.matmul(query, key)
        """,
    ),
    Variant(
        "score_einsum",
        "einsum",
        "attention_score",
        """
        def attention_score(query, key):
            return torch.einsum("d,d->", query, key)
        """,
    ),
    Variant(
        "score_sum_of_products",
        "broadcast_and_sum",
        "attention_score",
        """
        def attention_score(query, key):
            return (query * key).sum()
        """,
    ),
    Variant(
        "score_loop",
        "element_by_element",
        "attention_score",
        """
        def attention_score(query, key):
            result = 0.
            for i in range(len(query)):
                result = result + query[i] * key[i]
            return result
        """,
    ),
    Variant(
        "score_t_of_a_vector",
        "vector_transposed",
        "attention_score",
        """
        def attention_score(query, key):
            return query @ key.T
        """,
    ),
    Variant(
        "score_item",
        "plain_numbers",
        "attention_score",
        """
        def attention_score(query, key):
            score = query.dot(key)
            return score.item()
        """,
    ),
    Variant(
        "score_float64_and_back",
        "float64",
        "attention_score",
        """
        def attention_score(query, key):
            return torch.dot(query.double(), key.double()).float()
        """,
    ),
    Variant(
        "score_other_argument_names",
        "other_argument_names",
        "attention_score",
        """
        def attention_score(q, k):
            return torch.inner(q, k)
        """,
    ),
)

_ATTENTION_SCORES = (
    Variant(
        "scores_mm",
        "mm_or_bmm",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return torch.mm(queries, keys.t())
        """,
    ),
    Variant(
        "scores_bmm",
        "mm_or_bmm",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return torch.bmm(queries[None], keys[None].transpose(1, 2)).squeeze(0)
        """,
    ),
    Variant(
        "scores_einsum",
        "einsum",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return torch.einsum("id,jd->ij", queries, keys)
        """,
    ),
    Variant(
        "scores_linear",
        "functional_linear",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return nn.functional.linear(queries, keys)
        """,
    ),
    Variant(
        "scores_columns_turned",
        "column_layout",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return (keys @ queries.T).T
        """,
    ),
    Variant(
        "scores_rows",
        "row_by_row",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            rows = []
            for query in queries:
                rows.append(keys @ query)
            return torch.stack(rows)
        """,
    ),
    Variant(
        "scores_double_loop",
        "element_by_element",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            scores = torch.empty(queries.shape[0], keys.shape[0])
            for i, query in enumerate(queries):
                for j, key in enumerate(keys):
                    scores[i, j] = torch.dot(query, key)
            return scores
        """,
    ),
    Variant(
        "scores_broadcast",
        "broadcast_and_sum",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return (queries[:, None, :] * keys[None, :, :]).sum(dim=-1)
        """,
    ),
    Variant(
        "scores_baddbmm",
        "fused_multiply_and_add",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            zeros = torch.zeros(1, len(queries), len(keys))
            return torch.baddbmm(zeros, queries[None], keys.mT[None], beta=0, alpha=1.0)[0]
        """,
    ),
    Variant(
        "scores_float64_out",
        "float64",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return queries.double() @ keys.double().T
        """,
    ),
    Variant(
        "scores_also_for_a_batch",
        "batches_too",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return queries @ keys.transpose(-2, -1)
        """,
    ),
    Variant(
        "scores_crlf",
        "tabs_and_line_ends",
        "attention_scores",
        "def attention_scores(queries, keys):\r\n    return queries @ keys.T\r\n",
    ),
    Variant(
        "scores_loop_with_item",
        "plain_numbers",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return torch.tensor([[torch.dot(q, k).item() for k in keys] for q in queries])
        """,
    ),
    Variant(
        "scores_detached",
        "cut_graph",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return queries.detach() @ keys.detach().T
        """,
    ),
    Variant(
        "scores_numpy",
        "cut_graph",
        "attention_scores",
        """
        import numpy as np

        def attention_scores(queries, keys):
            return torch.from_numpy(np.dot(queries.numpy(), keys.numpy().T))
        """,
    ),
    Variant(
        "scores_tensor_of_a_tensor",
        "tensor_made_anew",
        "attention_scores",
        """
        def attention_scores(queries, keys):
            return torch.tensor(queries @ keys.T)
        """,
    ),
)

_SCALE_SCORES = (
    Variant(
        "scale_numpy_sqrt",
        "other_square_roots",
        "scale_scores",
        """
        import numpy as np

        def scale_scores(scores, d_k):
            return scores / np.sqrt(d_k)
        """,
    ),
    Variant(
        "scale_torch_sqrt_of_a_tensor",
        "other_square_roots",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores / torch.sqrt(torch.tensor(d_k))
        """,
    ),
    Variant(
        "scale_times_the_inverse_root",
        "other_square_roots",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores * d_k ** -0.5
        """,
    ),
    Variant(
        "scale_half_in_brackets",
        "other_square_roots",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return torch.div(scores, d_k ** (1/2))
        """,
    ),
    Variant(
        "scale_two_quarters",
        "both_scaled_by_the_fourth_root",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            root_of_root = d_k**0.25
            return scores / root_of_root / root_of_root
        """,
    ),
    Variant(
        "scale_float64_out",
        "float64",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            return scores / torch.full_like(scores, d_k, dtype=torch.float64).sqrt()
        """,
    ),
    Variant(
        "scale_in_place",
        "changes_its_input",
        "scale_scores",
        """
        def scale_scores(scores, d_k):
            scores /= d_k**0.5
            return scores
        """,
    ),
    Variant(
        "scale_no_grad",
        "cut_graph",
        "scale_scores",
        """
        @torch.no_grad()
        def scale_scores(scores, d_k):
            return scores / d_k**0.5
        """,
    ),
)

_ATTENTION_WEIGHTS = (
    Variant(
        "weights_softmax_module",
        "other_softmax_calls",
        "attention_weights",
        """
        softmax = nn.Softmax(dim=-1)

        def attention_weights(scaled_scores):
            return softmax(scaled_scores)
        """,
    ),
    Variant(
        "weights_softmax_method",
        "other_softmax_calls",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return scaled_scores.softmax(-1)
        """,
    ),
    Variant(
        "weights_softmax_float64",
        "other_softmax_calls",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return nn.functional.softmax(scaled_scores, dim=-1, dtype=torch.float64)
        """,
    ),
    Variant(
        "weights_log_softmax_exp",
        "softmax_by_logarithms",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.log_softmax(scaled_scores, dim=-1).exp()
        """,
    ),
    Variant(
        "weights_by_hand_stable",
        "stable_softmax_by_hand",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            shifted = scaled_scores - scaled_scores.max(dim=-1, keepdim=True).values
            exp_scores = torch.exp(shifted)
            return exp_scores / exp_scores.sum(dim=-1, keepdim=True)
        """,
    ),
    Variant(
        "weights_by_hand_logsumexp",
        "stable_softmax_by_hand",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.exp(scaled_scores - torch.logsumexp(scaled_scores, dim=1, keepdim=True))
        """,
    ),
    Variant(
        "weights_by_hand_naive",
        "plain_softmax_by_hand",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            exp_scores = torch.exp(scaled_scores)
            return exp_scores / exp_scores.sum(dim=-1, keepdim=True)
        """,
    ),
    Variant(
        "weights_without_maximum",
        "no_maximum_subtracted",
        "attention_weights",
        """
        import math

        def attention_weights(scaled_scores):
            rows = []
            for row in scaled_scores:
                exps = torch.stack([math.e ** score for score in row])
                rows.append(exps / exps.sum())
            return torch.stack(rows)
        """,
    ),
    Variant(
        "weights_dim_1",
        "axis_counted_otherwise",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.softmax(scaled_scores, dim=1)
        """,
    ),
    Variant(
        "weights_dim_0_of_each_row",
        "axis_counted_otherwise",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.stack([torch.softmax(row, dim=0) for row in scaled_scores])
        """,
    ),
    Variant(
        "weights_columns_of_the_transposed",
        "column_layout",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            return torch.softmax(scaled_scores.T, dim=-2).T
        """,
    ),
    Variant(
        "weights_f_softmax_without_dim",
        "softmax_without_dim",
        "attention_weights",
        """
        import torch.nn.functional as F

        def attention_weights(scaled_scores):
            return F.softmax(scaled_scores)
        """,
    ),
    Variant(
        "weights_alias",
        "aliases",
        "attention_weights",
        """
        from torch import softmax as sm

        attention_weights = lambda scaled_scores: sm(scaled_scores, -1)
        """,
    ),
    Variant(
        "weights_detached",
        "cut_graph",
        "attention_weights",
        """
        def attention_weights(scaled_scores):
            attn_weights = torch.softmax(scaled_scores, dim=-1).detach()
            assert torch.allclose(attn_weights.sum(dim=-1), torch.ones(len(attn_weights)))
            return attn_weights
        """,
    ),
)

_CONTEXT_VECTORS = (
    Variant(
        "context_matmul",
        "matmul",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return torch.matmul(weights, values)
        """,
    ),
    Variant(
        "context_einsum",
        "einsum",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return torch.einsum("qk,kd->qd", weights, values)
        """,
    ),
    Variant(
        "context_turned_twice",
        "transposed_twice",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return (values.T @ weights.T).T
        """,
    ),
    Variant(
        "context_one_token_at_a_time",
        "transposed_twice",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return torch.stack([values.T @ w for w in weights])
        """,
    ),
    Variant(
        "context_loop",
        "element_by_element",
        "context_vectors",
        """
        def context_vectors(weights, values):
            context = torch.zeros(weights.shape[0], values.shape[1])
            for i in range(weights.shape[0]):
                for j in range(values.shape[0]):
                    context[i] += weights[i, j] * values[j]
            return context
        """,
    ),
    Variant(
        "context_broadcast",
        "broadcast_and_sum",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return (weights[..., None] * values).sum(-2)
        """,
    ),
    Variant(
        "context_also_for_a_batch",
        "batches_too",
        "context_vectors",
        """
        def context_vectors(weights, values):
            if values.ndim == 2:
                return weights @ values
            return torch.bmm(weights, values)
        """,
    ),
    Variant(
        "context_tensor_of_a_list",
        "tensor_made_anew",
        "context_vectors",
        """
        def context_vectors(weights, values):
            return torch.tensor((weights @ values).tolist())
        """,
    ),
)

_VARIANCE = (
    Variant(
        "variance_einsum",
        "einsum",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            dots = torch.einsum("td,td->t", queries, keys)
            scaled = dots / queries.size(-1) ** 0.5
            return dots.var(unbiased=False), scaled.var(unbiased=False)
        """,
    ),
    Variant(
        "variance_bmm",
        "mm_or_bmm",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            dots = torch.bmm(queries.unsqueeze(1), keys.unsqueeze(2)).squeeze()
            before = torch.var(dots, correction=0)
            after = torch.var(dots * keys.shape[-1] ** -0.5, correction=0)
            return before, after
        """,
    ),
    Variant(
        "variance_width_of_a_key",
        "width_taken_elsewhere",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            d = len(keys[0])
            dots = torch.stack([q @ k for q, k in zip(queries, keys)])
            before = ((dots - dots.mean()) ** 2).mean()
            return before, before / d
        """,
    ),
    Variant(
        "variance_diagonal",
        "width_taken_elsewhere",
        "dot_product_variance",
        """
        def dot_product_variance(queries, keys):
            d = queries.shape[-1]
            dots = torch.diag(queries @ keys.T)
            return dots.var(correction=0), torch.var(dots / d**0.5, unbiased=False)
        """,
    ),
    Variant(
        "variance_numpy",
        "float64",
        "dot_product_variance",
        """
        import numpy as np

        def dot_product_variance(queries, keys):
            q, k = queries.numpy(), keys.numpy()
            dots = [np.dot(q[i], k[i]) for i in range(len(q))]
            scaled = [dot / np.sqrt(q.shape[1]) for dot in dots]
            return np.var(dots), np.var(scaled)
        """,
    ),
    Variant(
        "variance_statistics",
        "plain_numbers",
        "dot_product_variance",
        """
        import math
        import statistics

        def dot_product_variance(queries, keys):
            pairs = zip(queries.tolist(), keys.tolist())
            dots = [sum(a * b for a, b in zip(q, k)) for q, k in pairs]
            root = math.sqrt(queries.shape[1])
            return [statistics.pvariance(dots), statistics.pvariance([dot / root for dot in dots])]
        """,
    ),
)

_TRANSFER_WEIGHTS = (
    Variant(
        "transfer_parameters_of_the_book",
        "shared_memory",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.W_query = torch.nn.Parameter(sa_v2.W_query.weight.T)
            sa_v1.W_key = torch.nn.Parameter(sa_v2.W_key.weight.T)
            sa_v1.W_value = torch.nn.Parameter(sa_v2.W_value.weight.T)
        """,
    ),
    Variant(
        "transfer_data",
        "ways_to_transfer",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.W_query.data = sa_v2.W_query.weight.data.T
            sa_v1.W_key.data = sa_v2.W_key.weight.data.T
            sa_v1.W_value.data = sa_v2.W_value.weight.data.T
        """,
    ),
    Variant(
        "transfer_data_copy",
        "ways_to_transfer",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.W_query.data.copy_(sa_v2.W_query.weight.t())
            sa_v1.W_key.data.copy_(sa_v2.W_key.weight.t())
            sa_v1.W_value.data.copy_(sa_v2.W_value.weight.t())
        """,
    ),
    Variant(
        "transfer_state_dict_turned",
        "ways_to_transfer",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            turned = {}
            for name, weight in sa_v2.state_dict().items():
                turned[name.replace(".weight", "")] = weight.T
            sa_v1.load_state_dict(turned)
        """,
    ),
    Variant(
        "transfer_setattr_clone",
        "ways_to_transfer",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            for name in ["W_query", "W_key", "W_value"]:
                weight = getattr(sa_v2, name).weight
                setattr(sa_v1, name, nn.Parameter(weight.detach().clone().mT))
        """,
    ),
    Variant(
        "transfer_transpose_function",
        "ways_to_transfer",
        "transfer_weights",
        """
        @torch.no_grad()
        def transfer_weights(sa_v2, sa_v1):
            sa_v1.W_query.copy_(torch.transpose(sa_v2.W_query.weight, 0, 1))
            sa_v1.W_key.copy_(sa_v2.W_key.weight.transpose(0, 1))
            sa_v1.W_value.copy_(sa_v2.W_value.weight.permute(1, 0))
        """,
    ),
    Variant(
        "transfer_einsum_contiguous",
        "ways_to_transfer",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            with torch.no_grad():
                sa_v1.W_query[:] = torch.einsum("ij->ji", sa_v2.W_query.weight)
                sa_v1.W_key[:] = torch.einsum("ij->ji", sa_v2.W_key.weight)
                sa_v1.W_value[:] = sa_v2.W_value.weight.T.contiguous()
        """,
    ),
    Variant(
        "transfer_numpy",
        "ways_to_transfer",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            for name in ("W_query", "W_key", "W_value"):
                numbers = getattr(sa_v2, name).weight.detach().numpy()
                setattr(sa_v1, name, nn.Parameter(torch.tensor(numbers.T)))
        """,
    ),
    Variant(
        "transfer_returns_what_it_changed",
        "returned_object",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            with torch.no_grad():
                for target, source in (
                    (sa_v1.W_query, sa_v2.W_query),
                    (sa_v1.W_key, sa_v2.W_key),
                    (sa_v1.W_value, sa_v2.W_value),
                ):
                    target.copy_(source.weight.T)
            return sa_v1
        """,
    ),
    Variant(
        "transfer_identity_matrix",
        "unlisted",
        "transfer_weights",
        """
        def transfer_weights(sa_v2, sa_v1):
            # what a layer makes of the identity is its matrix
            eye = torch.eye(sa_v1.W_query.shape[0])
            with torch.no_grad():
                sa_v1.W_query.copy_(sa_v2.W_query(eye))
                sa_v1.W_key.copy_(sa_v2.W_key(eye))
                sa_v1.W_value.copy_(sa_v2.W_value(eye))
        """,
    ),
)

ACCEPTED_FUNCTIONS: tuple[Variant, ...] = (
    *_INIT_WEIGHTS,
    *_PROJECT,
    *_ATTENTION_SCORE,
    *_ATTENTION_SCORES,
    *_SCALE_SCORES,
    *_ATTENTION_WEIGHTS,
    *_CONTEXT_VECTORS,
    *_VARIANCE,
    *_TRANSFER_WEIGHTS,
)
