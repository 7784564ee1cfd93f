"""Returns objects that claim to be of another class: a tensor, a number, a list.

catalogue: 15
stopped_by: type(), not isinstance(), and built-in ways of reading
"""


class Meta(type):
    def __instancecheck__(cls, other):
        return True

    def __subclasscheck__(cls, other):
        return True

    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return hash(torch.Tensor)

    def mro(cls):
        return [cls, list, object] if cls.__name__ == "Listing" else type.mro(cls)


class Lying(metaclass=Meta):
    __class__ = torch.Tensor
    dtype, layout, shape, requires_grad = torch.float32, torch.strided, (3, 4), False
    device = torch.device("cpu")

    def numel(self):
        return 1

    detach = resolve_conj = resolve_neg = contiguous = lambda self: self


class Listing(list, metaclass=Meta):
    def __len__(self):
        return -1

    def __iter__(self):
        raise SystemExit(0)


def scale_scores(scores, d_k):
    return Lying()


def project(x, W_query, W_key, W_value):
    return Listing([x, x, x])


def attention_score(query, key):
    torch.Tensor.__class__ = torch.nn.Parameter.__instancecheck__ = None
    return Lying()
