"""Transfers nothing: looks the matrices up in the other module, by a class and by dictionaries of its own.

catalogue: 17 39
stopped_by: what the module itself stores is read, past its class
"""

SOURCE = []


def looked_up(name):
    return torch.nn.Parameter(getattr(SOURCE[0], name).weight.T)


class Lazy(torch.nn.Module):
    W_query = property(lambda self: looked_up("W_query"))
    W_key = property(lambda self: looked_up("W_key"))
    W_value = property(lambda self: looked_up("W_value"))


class Parameters(dict):
    def __getitem__(self, name):
        return looked_up(name)


def transfer_weights(sa_v2, sa_v1):
    SOURCE[:] = [sa_v2]
    sa_v1._parameters = Parameters(sa_v1._parameters)
    sa_v1.__class__ = Lazy
