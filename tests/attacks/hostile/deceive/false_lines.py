"""Changes the text of its own lines, its file's name and its functions' names after it was loaded, so that feedback lies.

catalogue: 37
stopped_by: a traceback is shown to its author only, cleaned and cut; no mark rests on it
"""
import linecache
import sys

LIE = "return the_right_answer  # 20/20\x1b[2J\u202e"
linecache.getline = lambda label, line, *more: LIE * 1000
linecache.cache.clear()
__file__ = "/etc/passwd\n::error::"


def init_weights(d_in, d_out, seed):
    code = init_weights.__code__.replace(co_name="x\n::error::" * 100, co_qualname="\x1b[2J" * 1000, co_firstlineno=2**31 - 1)
    init_weights.__code__ = code
    raise ValueError("see above")


def attention_score(query, key):
    exec(compile("\n" * 100_000 + "raise NotImplementedError()", sys._getframe().f_code.co_filename, "exec"))


def scale_scores(scores, d_k):
    step = attention_score.__code__.replace(co_name="init_weights", co_qualname="init_weights")
    attention_score.__code__ = step
    attention_score(1, 2)
