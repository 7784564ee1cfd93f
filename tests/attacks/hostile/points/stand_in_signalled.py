"""Calls a stand-in from a signal's handler, in the middle of another call.

honest: SelfAttention_v1=1
catalogue: 38
slow: yes
uses: parameters
stopped_by: calls are answered one by one; a call inside of a call is stopped at the limit of time
"""

import signal

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        signal.signal(signal.SIGVTALRM, lambda *_: scale_scores(torch.ones(2, 2), 4))
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.001, 0.001)
        for _ in range(200):
            found = scale_scores(x, 4)
        return found
