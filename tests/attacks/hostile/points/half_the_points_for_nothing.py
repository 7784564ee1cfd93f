"""Steps that compute nothing, and classes that repeat them, so that half of the points would be carried forward.

honest: SelfAttention_v1=1 SelfAttention_v2=1
catalogue: 38
uses: layers parameters
stopped_by: what replaces a whole computation is not carried forward, nor what does not depend on its inputs
"""


def context_vectors(weights, values):
    return torch.arange(float(weights.shape[0] * values.shape[1])).reshape(weights.shape[0], -1)


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return context_vectors(x, self.W_value)


class SelfAttention_v2(OfLayers):
    def forward(self, x):
        return context_vectors(x, self.W_value(x))
