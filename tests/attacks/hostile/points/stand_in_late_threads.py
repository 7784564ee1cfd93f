"""Leaves threads behind that call stand-ins between the questions.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
costly: yes
stopped_by: a stand-in is answered only while a question is asked
"""

import threading
import time

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        def call():
            while True:
                try:
                    scale_scores(torch.ones(2, 2), 4)
                except Exception:
                    time.sleep(0.001)
        threading.Thread(target=call, daemon=True).start()
        return x @ self.W_key
