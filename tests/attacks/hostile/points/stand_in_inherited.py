"""Has the second class be the first one, which is wrong and calls stand-ins.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
costly: yes
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return scale_scores(x @ self.W_query, 4)


class SelfAttention_v2(SelfAttention_v1):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out)
