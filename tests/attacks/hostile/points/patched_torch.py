"""Replaces what the probe itself uses of torch, so that wrong work seems to hold the weights that it was given.

catalogue: 17
stopped_by: fresh inputs: to send the right numbers, it would have to compute them
"""
GIVEN = []


def copy(self, other, *more):
    GIVEN.append(other)
    return self


class Anything(torch.nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.shape = (d_in, d_out)

    def __getattr__(self, name):
        if name.startswith("W_"):
            return torch.nn.Parameter(GIVEN[-1] if GIVEN and GIVEN[-1].shape == self.shape else torch.zeros(self.shape))
        return super().__getattr__(name)

    def __call__(self, x):
        return x @ self.W_value + 7  # no mistake that anybody makes, and that might be carried forward


torch.Tensor.copy_ = copy
torch.Tensor.backward = lambda self, *arguments: None
torch.Tensor.detach = lambda self: self
torch.nn.Module.parameters = lambda self: iter(GIVEN)
SelfAttention_v1 = SelfAttention_v2 = Anything
