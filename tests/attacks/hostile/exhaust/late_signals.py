"""Sets an alarm and a timer in one step that go off in the next ones.

honest: attention_score
catalogue: 38
stopped_by: it costs the submission's own steps only
"""
import signal


def init_weights(d_in, d_out, seed):
    signal.signal(signal.SIGVTALRM, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, lambda *arguments: 1 / 0)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.001, 0.001)
    signal.setitimer(signal.ITIMER_PROF, 0.002, 0.002)
    signal.setitimer(signal.ITIMER_REAL, 0.02)


def attention_score(query, key):
    return query @ key


def attention_scores(queries, keys):
    for _ in range(10**6):
        pass
