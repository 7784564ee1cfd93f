"""Uses one step's stand-in as a matrix product in the place of the others.

honest: SelfAttention_v1=4
catalogue: 38
uses: parameters
stopped_by: not stopped: it composes steps that the reference calls, and is right; that is paid for
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        q, k, v = (context_vectors(x, matrix) for matrix in (self.W_query, self.W_key, self.W_value))
        scaled = scale_scores(context_vectors(q, k.T), k.shape[-1])
        return context_vectors(attention_weights(scaled), v)
