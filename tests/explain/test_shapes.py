"""Why shapes do not fit is decided from the shapes and the operation, whatever the message says."""

from __future__ import annotations

import pytest

from tests.grading.asked import asked


@pytest.mark.parametrize(
    ("line", "said"),
    [
        # torch complains about the first axes, and the inner ones do not fit.
        ("queries @ keys.T", "the inner sizes must be equal, and 3 is not 5. `.T` turns the order of all axes round"),
        ("torch.matmul(queries, keys.swapaxes(0, 1))", "the inner sizes must be equal, and 3 is not 2."),
        ("queries.matmul(keys)", "the inner sizes must be equal, and 3 is not 5."),
        ("queries @ torch.ones(4, 3, 5)", "The last two axes fit for a matrix product, and the axes before them do"),
        ("nn.functional.linear(queries, keys[0].T)", "the last sizes of both must be equal, and 3 is not 5."),
        ("torch.dot(queries, keys)", "`torch.dot` is for two vectors, each with one axis."),
        ("torch.mm(queries, keys.mT)", "`torch.mm` multiplies two matrices, each with two axes."),
        ("torch.bmm(queries[0], keys[0].T)", "multiplies two stacks of matrices, each with three axes."),
        ("queries @ keys.t()", "`t` exchanges the two axes of a matrix, and has no meaning for more."),
        ('torch.einsum("qd,kd->qk", queries, keys)', "one axis, and `queries` has more or fewer than `qd`."),
        ('torch.einsum("bqd,bdk->bqk", queries, keys)', "the letter `d` stands for axes of two sizes."),
        ("queries + keys[..., :2]", "along each axis the two sizes must be equal, or one of them 1."),
    ],
)  # fmt: skip
def test_the_reason_agrees_with_the_shapes_beside_it(line: str, said: str) -> None:
    source = (
        "import torch\nfrom torch import nn\n\ndef causal_weights(queries, keys, mask):\n"
        f"    scores = {line}\n    return scores\n"
    )
    found = asked("causal_multihead", source)["causal_weights"]
    assert found.feedback is not None
    assert said in found.feedback.message
