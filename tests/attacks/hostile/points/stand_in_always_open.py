"""Says that questions are asked all the time, and numbers its calls anew.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

import threading
import time


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        asking = scale_scores._asking

        def later():
            for _ in range(20):
                asking._open, asking._number = True, asking._number + 7
                time.sleep(0.002)
                try:
                    scale_scores(x, 4)
                except Exception:
                    pass

        threading.Thread(target=later, daemon=True).start()
        return scale_scores(x, 4)
