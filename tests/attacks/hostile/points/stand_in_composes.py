"""Implements no step but a class that composes them.

honest: SelfAttention_v1=4
catalogue: 38
uses: parameters
stopped_by: not stopped: composing right steps is paid for
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
        scaled = scale_scores(attention_scores(queries, keys), keys.shape[-1])
        return context_vectors(attention_weights(scaled), values)
