"""Returns a stand-in's answer in place of its own.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return project(x, self.W_query, self.W_key, self.W_value)[2]
