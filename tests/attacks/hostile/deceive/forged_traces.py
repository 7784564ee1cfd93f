"""Says that its expressions computed odd things: records of every form, long and strange texts, numbers of no expression.

catalogue: 37
stopped_by: a record that does not fit the source is left out; quotes come from the source, and no text of a record is shown
"""
import sys
recorder = sys.modules["autograder.assignment.recorder"]
DictValue = sys.modules["autograder.values.values"].DictValue
ListValue = sys.modules["autograder.values.values"].ListValue

ODD = "::error::20/20\x1b[2J\u202e\u2066\x00\x85</script><img src=x onerror=alert(1)>=cmd()|' /C calc'!A0`**" * 20
NUMBERS = torch.ones(40, 50)


def many(*parts):
    return ListValue("list", parts)


RECORDS = [
    many(2**62, 0, 1, many(), "value", 1.0),
    many(-1, 0, 1, many(), "value", 1.0),
    many(0, -5, -5, many(-1, ODD), "value", ODD),
    many(0, 0, 1, many(*range(900)), "value", DictValue(((ODD, ODD),))),
    many(1, 0, 2, many(), "function", ODD * 40),
    many(1, 0, 2, many(), "large", ODD, ODD, *range(500)),
    many(1, 0, 2, many(), ODD, ODD),
    many(ODD, ODD, ODD, ODD, ODD, ODD),
    many(),
    ODD,
    None,
]
recorder.Recorder.records = lambda self: many(*RECORDS, *[many(0, 0, 1, many(), "value", ODD)] * 500)
recorder.freeze_answer = lambda thing: ODD


def attention_scores(queries, keys):
    return queries @ keys


def scale_scores(scores, d_k):
    scaled = scores / d_k
    return scaled


def attention_weights(scaled_scores):
    return scaled_scores.exp()
