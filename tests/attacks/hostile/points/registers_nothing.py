"""Classes that register nothing say by methods and properties of their own that they do.

catalogue: 15 17
stopped_by: what nn.Module itself keeps as a parameter is looked at, by ways that a class cannot redefine
"""


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.hidden = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
        self.__dict__["_parameters"] = Shown()
        Shown.hidden = self.hidden

    W_query = property(lambda self: self.hidden[0])
    W_key = property(lambda self: self.hidden[1])
    W_value = property(lambda self: self.hidden[2])

    def parameters(self, recurse=True):
        return self.hidden


class Shown(dict):
    def values(self):
        return self.hidden


class Layer(nn.Linear):
    def __init__(self, d_in, d_out, bias):
        super().__init__(d_in, d_out, bias=False)
        self.kept = [nn.Parameter(torch.rand(d_out)) if bias else None]

    bias = property(lambda self: self.kept[0], lambda self, value: None)


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = Layer(d_in, d_out, qkv_bias)
        self.W_key = Layer(d_in, d_out, qkv_bias)
        self.W_value = Layer(d_in, d_out, qkv_bias)
