"""Calls stand-ins from many threads at once.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
costly: yes
stopped_by: calls are answered one by one, each with its number
"""

import threading

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        found = []
        def call():
            for _ in range(20):
                found.append(scale_scores(x, 4))
        threads = [threading.Thread(target=call) for _ in range(8)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        return found[0]
