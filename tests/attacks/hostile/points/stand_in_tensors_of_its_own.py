"""Gives stand-ins a tensor subclass whose methods answer for it.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: arguments travel as plain numbers
"""

class Mine(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if "shape" in str(function) or "size" in str(function):
            return torch.Size([10**9])
        return super().__torch_function__(function, types, args, kwargs or {})


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return scale_scores(x.as_subclass(Mine), 4)
