"""Returns the kit's own records of Parameters that were never made, with the right numbers in them.

catalogue: 17
stopped_by: an answer is made of plain objects; a record of the kit in it is an error
"""
import sys
Array = sys.modules["autograder.values.values"].Array
DictValue = sys.modules["autograder.values.values"].DictValue
ListValue = sys.modules["autograder.values.values"].ListValue


def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    drawn = [torch.rand(d_in, d_out).numpy() for _ in range(3)]
    return ListValue("tuple", tuple(Array("parameter", "float32", one, False) for one in drawn))


def scale_scores(scores, d_k):
    return Array("tensor", "float32", (scores / d_k**0.5).numpy())


def attention_weights(scaled_scores):
    class Record(Array):
        pass

    return Record("tensor", "float32", torch.softmax(scaled_scores, dim=-1).numpy())


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        raise ValueError(DictValue(()))
